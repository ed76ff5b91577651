import DaybookBytes
import DaybookRecords
import DaybookLog

/// A version of an object: the object, and the transaction that wrote the version.
struct VersionKey: Hashable {
    var entity: UInt32
    var id: UInt64
    var sequence: UInt64

    /// Throws `.corruption` for a missing version above the history floor. Of the newest versions,
    /// a compaction drops only the tombstones of removed objects.
    func requireForgotten(_ floor: UInt64) throws(DaybookError) {
        guard sequence > floor else { return }
        throw DaybookError(
            .corruption,
            "The log refers to a version of object \(id) of entity \(entity) at sequence"
                + " \(sequence) that does not exist. Run 'daybook verify' on the store.",
            details: ["id": String(id), "entity": String(entity)])
    }
}

/// Finds the locations of many versions in one scan of the log, which skips other transactions.
struct VersionScan {
    /// After this many bytes without a wanted transaction, the scan jumps to an entry of the sparse
    /// index. The entries are some 64 KiB apart.
    private static let idleBytesMax = 192 << 10

    let log: Log
    /// The log at one moment: a concurrent compaction does not change the result.
    let logView: LogView

    /// The index entries of the wanted versions that the log contains.
    ///
    /// Cost: a read of the frames around them. Throws `.interrupted`, `.corruption`.
    func entries(
        of wanted: Set<VersionKey>, isCancelled: () -> Bool = { false }
    ) throws(DaybookError) -> [VersionKey: ObjectEntry] {
        var found: [VersionKey: ObjectEntry] = [:]
        try forEach(wanted, isCancelled: isCancelled) { key, record, frame throws(DaybookError) in
            found[key] = ObjectEntry(
                location: try frame.location(recordOffset: record.offset).rawValue,
                sequence: key.sequence, isRemoved: record.kind == .remove)
        }
        return found
    }

    /// Calls `visit` with the records of the wanted versions that the log contains, in the order of
    /// the log. See ``entries(of:isCancelled:)`` for cost and errors.
    func forEach(
        _ wanted: Set<VersionKey>, isCancelled: () -> Bool = { false },
        _ visit: (VersionKey, Record, LogScanner.Frame) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        var sequences = Set(wanted.map(\.sequence)).sorted()[...]
        var walk: LogScanner?
        var idleBytes = 0
        var lastJump: UInt64 = 0
        while let next = sequences.first {
            if isCancelled() { throw .interrupted }
            if walk == nil || (idleBytes > Self.idleBytesMax && lastJump != next) {
                walk = try log.scan(fromSequence: next, in: logView)
                (idleBytes, lastJump) = (0, next)
            }
            guard let frame = try walk?.next() else { break }
            let header = frame.header
            guard header.lastSequence >= next else {
                idleBytes += header.frameLength
                continue
            }
            idleBytes = 0
            if header.firstSequence <= sequences.last ?? 0 {
                try search(frame, for: wanted, visit)
            }
            let isDone = header.endsTransaction ? header.lastSequence + 1 : header.lastSequence
            sequences = sequences.drop { $0 < isDone }
        }
    }

    private func search(
        _ frame: LogScanner.Frame, for wanted: Set<VersionKey>,
        _ visit: (VersionKey, Record, LogScanner.Frame) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        for (record, sequence) in try frame.records()
        where record.kind == .put || record.kind == .remove {
            let key = VersionKey(entity: record.entity, id: record.id, sequence: sequence)
            if wanted.contains(key) { try visit(key, record, frame) }
        }
    }
}
