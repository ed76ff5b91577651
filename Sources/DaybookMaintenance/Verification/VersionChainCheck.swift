import DaybookEngine
import DaybookLog
import DaybookRecords

/// Checks that each version of an object refers to the one before it.
///
/// Memory: some 40 bytes for each object of the log.
struct VersionChainCheck {
    /// A record that refers to another version than the one before it.
    struct Break: Equatable {
        var entity: UInt32
        var id: UInt64
        var sequence: UInt64
        /// The sequence in the record; 0 is none.
        var previous: UInt64
        /// The sequence of the version before it in the log; 0 is none.
        var before: UInt64
    }

    /// Compactions dropped versions that were superseded before this sequence.
    private let historyFloor: UInt64
    /// The sequence of the last version of each object, by entities and ids.
    private var last: [UInt32: [UInt64: UInt64]] = [:]
    /// The first break since ``take()``, and the number of all.
    private var first: Break?
    private var count = 0

    /// The objects of erasures that are not finished: some of their versions have left the log.
    private let erased: [UInt32: Set<UInt64>]

    init(historyFloor: UInt64, erased: [UInt32: Set<UInt64>] = [:]) {
        self.historyFloor = historyFloor
        self.erased = erased
    }

    /// Notes a record of a transaction, in the order of the log.
    mutating func note(_ record: Record, of sequence: UInt64) {
        guard record.kind == .put || record.kind == .remove else { return }
        let before = last[record.entity, default: [:]].updateValue(sequence, forKey: record.id) ?? 0
        let previous = record.previous
        // The version may have been dropped; or it is there, and another compacted segment has lost
        // a later one.
        let isForgotten = previous > 0 && previous <= historyFloor
        guard previous != before, !isForgotten,
            !(erased[record.entity]?.contains(record.id) ?? false)
        else { return }
        count += 1
        guard first == nil else { return }
        first = Break(
            entity: record.entity, id: record.id, sequence: sequence, previous: previous,
            before: before)
    }

    /// Returns the first break since the last call, and the number of all.
    mutating func take() -> (first: Break, count: Int)? {
        defer { (first, count) = (nil, 0) }
        return first.map { ($0, count) }
    }
}

extension Verification {
    /// Reports the broken histories that a segment contains.
    mutating func report(_ check: inout VersionChainCheck?, in entry: SegmentEntry) {
        guard let (first, count) = check?.take() else { return }
        let before =
            first.before == 0 ? "there is none" : "that version has sequence \(first.before)"
        report.add(
            .corruption, entry.fileName.text,
            "The history of \(count) versions is broken: the first is the version of object"
                + " \(first.id) at sequence \(first.sequence). It refers to the version before by"
                + " sequence \(first.previous), but \(before). The newest versions are not"
                + " affected; 'daybook compact --history latest' drops the older ones.",
            [
                "entity": String(first.entity), "id": String(first.id),
                "sequence": String(first.sequence), "previous": String(first.previous),
                "before": String(first.before), "count": String(count),
            ])
    }
}
