import DaybookBytes

extension Engine {
    /// Returns the sequence of the last commit at a point or before it. Cost: none for a sequence;
    /// for a time, a lookup in some segments of the log and a read of one.
    ///
    /// Throws `.invalidArgument` for a sequence that does not exist yet, `.historyTruncated` if a
    /// compaction dropped the state of that time, `.interrupted` and `.corruption`.
    package func sequence(
        at point: HistoryPoint, _ control: OperationControl = OperationControl()
    ) throws -> UInt64 {
        try requireOpen()
        let newest = try visibleSequence
        if case .sequence(let asked) = point, asked > newest {
            throw DaybookError(
                .invalidArgument,
                "Sequence \(asked) does not exist yet: the newest is \(newest).",
                details: ["sequence": String(asked), "newest": String(newest)])
        }
        let sequence = min(newest, try last(atOrBefore: point, control))
        guard sequence >= historyFloor else { throw historyTruncated(sequence) }
        return sequence
    }

    /// Returns an object's row after a commit; nil if the object did not exist at that time.
    ///
    /// Cost: a lookup of each version of the object since; see ``VersionLookup``. Throws
    /// `.historyTruncated` below ``historyFloor``, `.closed` and `.corruption`.
    package func row(
        _ entity: UInt32, _ id: UInt64, at sequence: UInt64
    ) throws -> StoredRow? {
        var history = try history(of: entity, id: id, needsCommits: false)
        var found: StoredRow?
        while let version = try history.next() {
            guard version.sequence <= sequence else { continue }
            found = version.row
            break
        }
        // A compaction may have dropped the version during the iteration.
        guard sequence >= historyFloor else { throw historyTruncated(sequence) }
        return found
    }
}
