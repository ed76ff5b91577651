import DaybookBytes
import DaybookRecords

/// Decides for each record of the log how an erasure changes it.
///
/// An erasure rewrites segments in three stages, and an interruption may come between any two
/// steps. A record that a stage changes never leaves the log inconsistent for the stages after it:
///
/// 1. The tombstones of the erased objects refer to no version before them, so the history of the
///    objects ends there.
/// 2. The versions and the changes of links before the tombstones are dropped, from the oldest
///    segment to the newest. The records that remove the last links stay: without them, a replay
///    would restore a link whose addition is still in the log.
/// 3. These records are dropped, and the record of the erasure loses its ids.
struct ErasureFilter {
    enum Stage: Int, Comparable {
        case tombstones, versions, end

        static func < (one: Stage, other: Stage) -> Bool { one.rawValue < other.rawValue }
    }

    enum Decision: Equatable {
        case keep, drop
        /// The tombstone refers to no version before it.
        case separate
        /// The row loses the values of these properties.
        case clear(Set<UInt32>)
        /// The record of the erasure loses its ids.
        case finish
    }

    /// The commit of the erasure. Later records do not change.
    let sequence: UInt64
    private var objects: [UInt32: Set<UInt64>] = [:]
    /// The properties to clear of some objects.
    private var values: [UInt32: [(ids: Set<UInt64>, properties: Set<UInt32>)]] = [:]
    /// The entities at both ends of each relation.
    private let ends: [UInt32: (source: UInt32, target: UInt32)]

    init(_ records: [ErasedRecord], at sequence: UInt64, _ schema: Schema) {
        self.sequence = sequence
        for record in records {
            guard case .ids(let ids) = record.objects else { continue }
            if record.properties.isEmpty {
                objects[record.entity, default: []].formUnion(ids)
            } else {
                values[record.entity, default: []].append((Set(ids), Set(record.properties)))
            }
        }
        ends = Dictionary(
            schema.relations.map {
                ($0.relationID, (source: $0.entityID, target: $0.targetEntityID))
            }, uniquingKeysWith: { one, _ in one })
    }

    /// Whether the erasure has nothing left to change, because an earlier run has finished it.
    var isEmpty: Bool { objects.isEmpty && values.isEmpty }

    /// Whether the erasure drops the versions of an object.
    func erases(_ entity: UInt32, _ id: UInt64) -> Bool { objects[entity]?.contains(id) ?? false }

    /// The change of a record in a stage. Later stages repeat the changes of earlier ones.
    func decision(_ record: Record, of sequence: UInt64, in stage: Stage) -> Decision {
        guard sequence <= self.sequence else { return .keep }
        let isLast = sequence == self.sequence
        switch record.kind {
        case .put:
            guard stage >= .versions, !isLast else { return .keep }
            if erases(record.entity, record.id) { return .drop }
            return clearing(record)
        case .remove:
            guard erases(record.entity, record.id) else { return .keep }
            if isLast { return .separate }
            return stage >= .versions ? .drop : .keep
        case .link, .unlink, .listInsert, .listRemove:
            guard stage >= (isLast ? .end : .versions), let ends = ends[record.relation],
                erases(ends.source, record.source) || erases(ends.target, record.target)
            else { return .keep }
            return .drop
        case .erased: return isLast && stage == .end ? .finish : .keep
        case .schema, .commit, .compacted, .event: return .keep
        }
    }

    private func clearing(_ record: Record) -> Decision {
        var properties: Set<UInt32> = []
        for value in values[record.entity] ?? [] where value.ids.contains(record.id) {
            properties.formUnion(value.properties)
        }
        return properties.isEmpty ? .keep : .clear(properties)
    }
}
