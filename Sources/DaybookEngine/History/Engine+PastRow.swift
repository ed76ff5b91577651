import DaybookBytes

extension Engine {
    /// The number of the last commit at a point or before it. Cost: nothing for a sequence; for a
    /// time a look at some segments of the log, and a read of one.
    ///
    /// Throws `.invalidArgument` for a sequence that is not there yet, `.historyTruncated` where a
    /// compaction dropped the state of that time, `.interrupted`, `.corruption`.
    package func sequence(
        at point: HistoryPoint, _ control: OperationControl = OperationControl()
    ) throws -> UInt64 {
        try requireOpen()
        let newest = try visibleSequence
        if case .sequence(let asked) = point, asked > newest {
            throw DaybookError(
                .invalidArgument,
                "There is no sequence \(asked) yet: the newest is \(newest).",
                details: ["sequence": String(asked), "newest": String(newest)])
        }
        let sequence = min(newest, try last(atOrBefore: point, control))
        guard sequence >= historyFloor else { throw historyTruncated(sequence) }
        return sequence
    }

    /// An object's row as it was after a commit; nil where it did not live then.
    ///
    /// Cost: a look at each of the object's versions since; see ``VersionLookup``. Throws
    /// `.historyTruncated` below ``historyFloor``, `.closed`, `.corruption`.
    package func row(
        _ entity: UInt32, _ id: UInt64, at sequence: UInt64
    ) throws -> StoredRow? {
        var history = try history(of: entity, id: id)
        var found: StoredRow?
        while let version = try history.next() {
            guard version.sequence <= sequence else { continue }
            found = version.row
            break
        }
        // A compaction may have dropped the version before it was looked for.
        guard sequence >= historyFloor else { throw historyTruncated(sequence) }
        return found
    }
}
