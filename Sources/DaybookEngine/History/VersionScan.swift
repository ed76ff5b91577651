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

    /// A hash value that is cheaper than that of ``Hashable``.
    fileprivate var mixed: Int {
        var hash = (id ^ sequence &<< 32 ^ UInt64(entity) &<< 56) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash &>> 32
        hash = hash &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: hash &>> 29)
    }

    /// The version that a record of a transaction is; nil for a record of another kind.
    init?(_ record: Record, of sequence: UInt64) {
        guard record.kind == .put || record.kind == .remove else { return nil }
        self.init(entity: record.entity, id: record.id, sequence: sequence)
    }
}

/// Finds the place of a version in a list, in some ns, so that a scan can ask for each record.
struct VersionTable {
    private let keys: [VersionKey]
    // Open addressing: a slot contains the index of a key plus one; 0 is empty.
    private var slots: [Int]
    /// A bit for the hash of each key, in 16 to 32 bits per key. Most records of a scan are not in
    /// the list, and need only a look at this smaller memory.
    private var filter: [UInt64]

    /// The keys of a list are different.
    init(_ keys: [VersionKey]) {
        self.keys = keys
        var count = 16
        while count < 2 * keys.count { count *= 2 }
        slots = Array(repeating: 0, count: count)
        filter = Array(repeating: 0, count: count / 8)
        for (index, key) in keys.enumerated() {
            let hash = key.mixed
            filter[(hash >> 6) & (count / 8 - 1)] |= 1 << UInt64(hash & 63)
            var slot = hash & (count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
            slots[slot] = index + 1
        }
    }

    /// The index of a key in the list; nil if the list does not contain it.
    func index(of key: VersionKey) -> Int? {
        let hash = key.mixed
        guard filter[(hash >> 6) & (filter.count - 1)] & 1 << UInt64(hash & 63) != 0 else {
            return nil
        }
        let mask = slots.count - 1
        var slot = hash & mask
        while slots[slot] != 0 {
            if keys[slots[slot] - 1] == key { return slots[slot] - 1 }
            slot = (slot + 1) & mask
        }
        return nil
    }
}

/// Finds many versions in one scan of the log, which skips other transactions.
struct VersionScan {
    let log: Log
    /// The log at one moment: a concurrent compaction does not change the result.
    let logView: LogView

    /// The index entries of the wanted versions, in their order; nil for a version that the log
    /// does not contain. See ``forEach(_:isCancelled:_:)`` for cost and errors.
    func entries(
        of wanted: [VersionKey], isCancelled: () -> Bool = { false }
    ) throws(DaybookError) -> [ObjectEntry?] {
        var found = [ObjectEntry?](repeating: nil, count: wanted.count)
        try forEach(wanted, isCancelled: isCancelled) {
            index, record, frame throws(DaybookError) in
            found[index] = ObjectEntry(
                location: try frame.location(recordOffset: record.offset).rawValue,
                sequence: wanted[index].sequence, isRemoved: record.kind == .remove)
        }
        return found
    }

    /// Calls `visit` with the place in `wanted` and the record of each wanted version that the log
    /// contains, in the order of the log. No version is wanted twice.
    ///
    /// Cost: a read of the frames around them, and some 20 ns for each record in these. Throws
    /// `.interrupted`, `.corruption`, and the errors of `visit`.
    func forEach(
        _ wanted: [VersionKey], isCancelled: () -> Bool = { false },
        _ visit: (Int, Record, LogScanner.Frame) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        guard !wanted.isEmpty else { return }
        let table = VersionTable(wanted)
        var isFound = [Bool](repeating: false, count: wanted.count)
        var rest = wanted.count
        try forEachFrame(of: wanted, isCancelled: isCancelled) {
            frame throws(DaybookError) in
            try frame.forEachRecord { record, sequence throws(DaybookError) in
                guard let key = VersionKey(record, of: sequence),
                    let index = table.index(of: key), !isFound[index]
                else { return }
                isFound[index] = true
                rest -= 1
                try visit(index, record, frame)
            }
            return rest > 0
        }
    }

    /// Calls `visit` with the frames that may contain wanted versions, in the order of the log,
    /// until it returns false. Reads each frame at most once, and only parts of the log whose ids
    /// overlap those of the wanted versions.
    private func forEachFrame(
        of wanted: [VersionKey], isCancelled: () -> Bool,
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
