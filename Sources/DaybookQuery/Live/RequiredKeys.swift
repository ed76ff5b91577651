import DaybookBytes
import DaybookEngine
import DaybookRecords

/// The keys that an object must have to match a condition: keys of one property, the id of the
/// object, or the id of the object to which a to-one relation leads.
struct RequiredKeys: Sendable {
    /// What the keys are taken from, and their encoding.
    enum Group: Sendable, Hashable {
        /// A property. If `isFolded`, strings are case-folded.
        case column(QueryColumn, isFolded: Bool)
        case id
        /// The target of a to-one relation.
        case target(QueryRelation)
    }

    let group: Group
    /// Sorted and disjoint.
    let spans: [KeySpan]
    /// The number of unbounded ends of the spans, 0 to 2.
    private let openEndCount: Int

    /// The maximum number of spans kept for one query.
    private static let spanCountMax = 256

    /// The most selective keys that the condition requires; nil if it requires none.
    init?(_ condition: BoundCondition) {
        var best: RequiredKeys?
        for part in condition.conjuncts {
            for keys in Self.all(part) where best.map({ keys.isNarrower(than: $0) }) ?? true {
                best = keys
            }
        }
        guard let best else { return nil }
        self = best
    }

    private static func all(_ part: BoundCondition) -> [RequiredKeys] {
        switch part {
        case .ids, .idRange: return [RequiredKeys(ids: part, .id)].compactMap { $0 }
        case .linked(let relation, let inner):
            guard relation.isToOne, !relation.isBackward, !relation.isList,
                relation.relationID != nil
            else { return [] }
            return inner.conjuncts.compactMap { RequiredKeys(ids: $0, .target(relation)) }
        case .column(let column, let test):
            return [false, true].compactMap { RequiredKeys(column, test, isFolded: $0) }
        default: return []
        }
    }

    private init?(_ column: QueryColumn, _ test: ColumnTest, isFolded: Bool) {
        guard column.isPlain, !isFolded || column.type == .string else { return nil }
        let keys = IndexColumn(
            type: column.type, isOptional: column.isOptional, isFolded: isFolded,
            spanCountMax: Self.spanCountMax)
        guard let spans = keys.keys(test)?.spans else { return nil }
        group = .column(column, isFolded: isFolded)
        self.spans = spans
        openEndCount =
            (spans.first.map { $0.from.count <= 1 } ?? false ? 1 : 0)
            + (spans.last.map { $0.before.count <= 1 } ?? false ? 1 : 0)
    }

    /// The keys of a condition on an id; nil for another condition, or for very many ids.
    private init?(ids part: BoundCondition, _ group: Group) {
        switch part {
        case .ids(let ids):
            guard ids.count <= Self.spanCountMax else { return nil }
            spans = ids.map { KeySpan(ofIds: $0...$0) }
            openEndCount = 0
        case .idRange(let range):
            spans = [KeySpan(ofIds: range)]
            openEndCount = (range.lowerBound <= 1 ? 1 : 0) + (range.upperBound == .max ? 1 : 0)
        default: return nil
        }
        self.group = group
    }

    private func isNarrower(than other: RequiredKeys) -> Bool {
        let (mine, others) = (spans.allSatisfy(\.isPoint), other.spans.allSatisfy(\.isPoint))
        if mine != others { return mine }
        if mine { return spans.count < other.spans.count }
        return openEndCount < other.openEndCount
    }
}

extension KeySpan {
    /// The span of the keys of some ids.
    fileprivate init(ofIds ids: ClosedRange<UInt64>) {
        self.init(
            from: Self.key(ofId: ids.lowerBound), before: Self.key(ofId: ids.upperBound) + [0],
            isPoint: ids.lowerBound == ids.upperBound)
    }

    /// The key of an id. Keys have the order of the ids.
    static func key(ofId id: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: id >> (56 - 8 * $0)) }
    }
}
