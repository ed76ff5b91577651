package import DaybookBytes
package import DaybookRecords

/// One commit, read from the log, with what it did.
package struct CommitChanges: Sendable {
    package let sequence: UInt64
    /// When it was committed, in microseconds since 1970.
    package let timeMicroseconds: Int64
    /// What the program noted with it.
    package let metadata: [String: String]
    /// In the order of the log; each object once, with what the commit left of it.
    package let objects: [ObjectChange]
    /// In the order of the log.
    package let links: [LinkChange]
    /// Where to go on from once this was dealt with: ``sequence``, save for parts of a state. Who
    /// stops half way through a state has to begin it again.
    package let resumeSequence: UInt64
    /// Whether these are no changes but a part of the state at ``sequence``, as if all of it had
    /// been put then.
    package let isState: Bool
    private let lookup: VersionLookup

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

    /// The same with other objects.
    func with(objects: [ObjectChange]) -> CommitChanges {
        CommitChanges(
            CommitRecord(
                sequence: sequence, timeMicroseconds: timeMicroseconds, metadata: metadata),
            objects: objects, links: links, resumeSequence: resumeSequence, isState: isState,
            lookup: lookup)
    }

    /// Whether it changed nothing that was asked for.
    package var isEmpty: Bool { objects.isEmpty && links.isEmpty }

    /// How many bytes its rows have.
    package var rowBytes: Int { objects.reduce(0) { $0 + ($1.after?.range.count ?? 0) } }

    /// What an object was before a commit.
    package enum Before: Sendable {
        /// It was not there, or not any more.
        case none
        case row(StoredRow)
        /// A compaction dropped it.
        case gone
    }

    /// What the `index`-th object was before this commit. It is looked for with each call.
    ///
    /// Cost: nothing for an insert; else a look into the log. Throws `.corruption`, `.closed`.
    package func versionBefore(_ index: Int) throws(DaybookError) -> Before {
        let change = objects[index]
        guard change.previous > 0 else { return .none }
        do throws(DaybookError) {
            let row = try lookup.row(change.entity, change.id, at: change.previous)
            return row.map { .row($0) } ?? .none
        } catch  where error.code == .historyTruncated {
            return .gone
        }
    }

    /// The row of the `index`-th object before this commit; nil where it was not there, and where a
    /// compaction has dropped it. Cost and errors as ``versionBefore(_:)``.
    package func before(_ index: Int) throws(DaybookError) -> StoredRow? {
        guard case .row(let row) = try versionBefore(index) else { return nil }
        return row
    }
}
