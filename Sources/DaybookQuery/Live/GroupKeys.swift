import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Reads the keys of a group, over one version.
struct GroupKeys {
    private enum Source {
        case column(QueryColumn, isFolded: Bool, ExpressionReader)
        case id
        case target(LinkedRows)
    }

    private let source: Source

    init(_ group: RequiredKeys.Group, _ access: QueryAccess) {
        source =
            switch group {
            case .column(let column, let isFolded):
                .column(column, isFolded: isFolded, ExpressionReader(.column(column), access))
            case .id: .id
            case .target(let relation): .target(LinkedRows(relation, access))
            }
    }

    /// Whether the keys are in rows. Other keys follow from the id of an object.
    var areInRows: Bool { if case .column = source { true } else { false } }

    /// Returns nil if the value has no key. The object may then match any span.
    func key(_ row: StoredRow) throws(DaybookError) -> [UInt8]? {
        guard case .column(let column, let isFolded, let reader) = source else {
            return try key(ofId: row.id)
        }
        var value = try reader.value(in: row.bytes, layout: row.layout, id: row.id)
        var probe = IndexProbe()
        if value.isNull {
            probe.appendNull()
            return probe.bytes
        }
        if isFolded { value = value.folded(.caseInsensitive) }
        guard let bytes = RowBytes.bytes(of: value, as: column.type) else { return nil }
        probe.append(bytes.span, column.type)
        return probe.bytes
    }

    /// The key of an object with this id; nil for keys that are in rows. An object without a target
    /// has the empty key, which is in no span.
    func key(ofId id: UInt64) throws(DaybookError) -> [UInt8]? {
        switch source {
        case .column: nil
        case .id: KeySpan.key(ofId: id)
        case .target(let rows): try rows.id(from: id).map { KeySpan.key(ofId: $0) } ?? []
        }
    }
}
