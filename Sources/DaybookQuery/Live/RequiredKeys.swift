import DaybookBytes
import DaybookEngine
import DaybookRecords

/// The keys of one property that an object must have to match a condition.
struct RequiredKeys: Sendable {
    /// A property and the encoding of its keys.
    struct Group: Sendable, Hashable {
        let column: QueryColumn
        /// Whether strings are case-folded.
        let isFolded: Bool
    }

    let group: Group
    /// Sorted and disjoint.
    let spans: [KeySpan]

    /// The maximum number of spans kept for one query.
    private static let spanCountMax = 256

    /// The most selective keys that the condition requires of one property; nil if it requires
    /// none.
    init?(_ condition: BoundCondition) {
        var best: RequiredKeys?
        for part in condition.conjuncts {
            for isFolded in [false, true] {
                guard let keys = RequiredKeys(part: part, isFolded: isFolded) else { continue }
                if best.map({ keys.isNarrower(than: $0) }) ?? true { best = keys }
            }
        }
        guard let best else { return nil }
        self = best
    }

    private init?(part: BoundCondition, isFolded: Bool) {
        guard case .column(let column, let test) = part, column.isPlain,
            !isFolded || column.type == .string
        else { return nil }
        let keys = IndexColumn(
            type: column.type, isOptional: column.isOptional, isFolded: isFolded,
            spanCountMax: Self.spanCountMax)
        guard let spans = keys.keys(test)?.spans else { return nil }
        group = Group(column: column, isFolded: isFolded)
        self.spans = spans
    }

    private func isNarrower(than other: RequiredKeys) -> Bool {
        let (mine, others) = (spans.allSatisfy(\.isPoint), other.spans.allSatisfy(\.isPoint))
        if mine != others { return mine }
        if mine { return spans.count < other.spans.count }
        return openEnds < other.openEnds
    }

    /// The number of unbounded ends of the spans, 0 to 2.
    private var openEnds: Int {
        guard let first = spans.first, let last = spans.last else { return 0 }
        return (first.from.count <= 1 ? 1 : 0) + (last.before.count <= 1 ? 1 : 0)
    }
}

/// Reads the key of a group in rows, over one version.
struct GroupKeys {
    private let group: RequiredKeys.Group
    private let reader: ExpressionReader

    init(_ group: RequiredKeys.Group, _ access: QueryAccess) {
        self.group = group
        reader = ExpressionReader(.column(group.column), access)
    }

    /// Returns nil if the value has no key. The object may then match any span.
    func key(_ row: StoredRow) throws(DaybookError) -> [UInt8]? {
        var value = try reader.value(in: row.bytes, layout: row.layout, id: row.id)
        var probe = IndexProbe()
        if value.isNull {
            probe.appendNull()
            return probe.bytes
        }
        if group.isFolded { value = value.folded(.caseInsensitive) }
        guard let bytes = RowBytes.bytes(of: value, as: group.column.type) else { return nil }
        probe.append(bytes.span, group.column.type)
        return probe.bytes
    }
}
