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

extension VersionKey {
    /// The frames to search for the version.
    var records: WantedRecords { WantedRecords(sequence: sequence, keys: KeyRange(id...id)) }

    /// The version that a record of a transaction is; nil for a record of another kind.
    init?(_ record: Record, of sequence: UInt64) {
        guard record.kind == .put || record.kind == .remove else { return nil }
        self.init(entity: record.entity, id: record.id, sequence: sequence)
    }
}

/// Finds many versions in one scan of the log, which skips other transactions.
struct VersionScan {
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
        var rest = wanted.count
        try forEachFrame(of: wanted, isCancelled: isCancelled) {
            frame throws(DaybookError) in
            try frame.forEachRecord { record, sequence throws(DaybookError) in
                guard let key = VersionKey(record, of: sequence), wanted.contains(key) else {
                    return
                }
                rest -= 1
                try visit(key, record, frame)
            }
            return rest > 0
        }
    }

    /// Calls `visit` with the frames that may contain wanted versions, in the order of the log,
    /// until it returns false. Reads each frame at most once, and only parts of the log whose ids
    /// overlap those of the wanted versions.
    func forEachFrame(
        of wanted: some Collection<VersionKey>, isCancelled: () -> Bool = { false },
        _ visit: (LogScanner.Frame) throws(DaybookError) -> Bool
    ) throws(DaybookError) {
        var ids: [UInt64: KeyRange] = [:]
        for key in wanted { ids[key.sequence, default: .none].insert(key.id) }
        if isCancelled() { throw .interrupted }
        var frames = try log.search(
            ids.sorted { $0.key < $1.key }.map { WantedRecords(sequence: $0.key, keys: $0.value) },
            in: logView)
        while let frame = try frames.next() {
            if isCancelled() { throw .interrupted }
            if try !visit(frame) { return }
        }
    }
}

extension LogScanner.Frame {
    /// Whether the frame may contain a version of an object.
    func mayContain(_ key: VersionKey) -> Bool {
        header.firstSequence <= key.sequence && key.sequence <= header.lastSequence
            && header.keys.contains(key.id)
    }

    /// A version of an object; nil if the frame does not contain it. Cost: a look at the records up
    /// to the end of its transaction. Throws `.corruption`.
    func version(_ key: VersionKey) throws(DaybookError) -> Record? {
        let isOfOne = header.firstSequence == header.lastSequence
        var found: Record?
        var reader = RecordReader(payload.span)
        while let record = try reader.nextVersion(of: key.entity, key.id) {
            guard record.kind == .commit else {
                found = found ?? record
                if isOfOne { break }
                continue
            }
            guard found != nil else { continue }
            let commit = try CommitRecord(decoding: payload.span.extracting(record.body))
            if commit.sequence == key.sequence { return found }
            found = nil
        }
        return header.lastSequence == key.sequence ? found : nil
    }

    /// The commit record of a transaction; nil if the frame does not contain it. Throws
    /// `.corruption`.
    func commit(of sequence: UInt64) throws(DaybookError) -> CommitRecord? {
        var reader = RecordReader(payload.span)
        while let record = try reader.nextCommit() {
            let commit = try CommitRecord(decoding: payload.span.extracting(record.body))
            if commit.sequence == sequence { return commit }
        }
        return nil
    }
}
