package import DaybookBytes
package import DaybookRecords

/// The changes of one commit, read from the log.
package struct CommitChanges: Sendable {
    package let sequence: UInt64
    /// The commit time in microseconds since 1970.
    package let timeMicroseconds: Int64
    /// The metadata that the program added to the commit.
    package let metadata: [String: String]
    /// The changed objects in the order of the log, each with its final state in this commit.
    package let objects: [ObjectChange]
    /// The changed links in the order of the log.
    package let links: [LinkChange]
    /// The position from which to resume after this commit was processed. It equals ``sequence``,
    /// except for parts of a state: a consumer that stops within a state must read the state again.
    package let resumeSequence: UInt64
    /// Whether the changes are a part of the state at ``sequence``. The state contains every object
    /// and link as if it was added at that time.
    package let isState: Bool
    let lookup: VersionLookup

    package init(
        _ commit: CommitRecord, objects: [ObjectChange] = [], links: [LinkChange] = [],
        resumeSequence: UInt64? = nil, isState: Bool = false, lookup: VersionLookup
    ) {
        sequence = commit.sequence
        timeMicroseconds = commit.timeMicroseconds
        metadata = commit.metadata
        self.objects = objects
        self.links = links
        self.resumeSequence = resumeSequence ?? commit.sequence
        self.isState = isState
        self.lookup = lookup
    }

    /// Returns a copy with other objects.
    func with(objects: [ObjectChange]) -> CommitChanges {
        CommitChanges(
            CommitRecord(
                sequence: sequence, timeMicroseconds: timeMicroseconds, metadata: metadata),
            objects: objects, links: links, resumeSequence: resumeSequence, isState: isState,
            lookup: lookup)
    }

    /// Whether no change remains after filtering.
    package var isEmpty: Bool { objects.isEmpty && links.isEmpty }

    /// The total size of the rows in bytes.
    package var rowBytes: Int { objects.reduce(0) { $0 + ($1.after?.range.count ?? 0) } }

    /// The version of an object before a commit.
    package enum Before: Sendable {
        /// The object did not exist.
        case none
        case row(StoredRow)
        /// A compaction dropped the version, or an erasure.
        case gone
    }

    /// Returns the version of the `index`-th object before this commit. Each call looks it up
    /// again; ``forEachBefore(of:isCancelled:_:)`` looks up many at once.
    ///
    /// Cost: none for an insert; otherwise a lookup in the log. Throws `.corruption` and `.closed`.
    package func versionBefore(_ index: Int) throws(DaybookError) -> Before {
        let change = objects[index]
        guard change.previous > 0 else {
            // An erasure separates its removals from the versions before.
            return change.kind == .remove && lookup.isErasure(sequence) ? .gone : .none
        }
        do throws(DaybookError) {
            let row = try lookup.row(change.entity, change.id, at: change.previous)
            return row.map { .row($0) } ?? .none
        } catch  where error.code == .historyTruncated {
            return .gone
        }
    }

    /// Returns the row of the `index`-th object before this commit; nil if the object did not exist
    /// or a compaction has dropped the row. See ``versionBefore(_:)`` for cost and errors.
    package func before(_ index: Int) throws(DaybookError) -> StoredRow? {
        guard case .row(let row) = try versionBefore(index) else { return nil }
        return row
    }
}
