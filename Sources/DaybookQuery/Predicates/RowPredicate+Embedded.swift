import DaybookBytes
import DaybookEngine
import DaybookRecords

/// A test of a property in an embedded value.
final class EmbeddedTest: RowPredicate {
    private let place: FieldPlace?
    private let isOptional: Bool
    /// The result if the embedded value is null.
    private let isTrueOfNull: Bool
    private let judge: RowEvaluator

    init(
        _ column: QueryColumn, _ test: ColumnTest, _ place: FieldPlace?, _ access: QueryAccess
    ) {
        self.place = place
        isOptional = column.path[0].shape.isOptional
        isTrueOfNull = if case .isNull = test { true } else { false }
        judge = RowEvaluator(
            .column(QueryColumn(Array(column.path.dropFirst())), test), access,
            entity: column.path[1].entity)
    }

    override var cost: Int { 50 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        guard let place, !row.isNull(place.field) else {
            if isOptional { return isTrueOfNull }
            let row = RowLayout.nothingRow
            return try judge.isTrue(of: row.span, layout: 0, id: 0)
        }
        let bytes = try place.bytes(row)
        let value = try EmbeddedValue(bytes)
        return try judge.isTrue(of: bytes.extracting(value.row), layout: value.layout, id: 0)
    }
}

/// The value of a property in an embedded value.
final class EmbeddedReader: OperandReader {
    private let place: FieldPlace?
    private let isOptional: Bool
    private let reader: ExpressionReader

    init(_ column: QueryColumn, _ place: FieldPlace?, _ access: QueryAccess) {
        self.place = place
        isOptional = column.path[0].shape.isOptional
        reader = ExpressionReader(
            .column(QueryColumn(Array(column.path.dropFirst()))), access,
            entity: column.path[1].entity)
    }

    override func value(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> QueryValue {
        guard let place, !row.isNull(place.field) else {
            if isOptional { return .null }
            let row = RowLayout.nothingRow
            return try reader.value(in: row.span, layout: 0, id: 0)
        }
        let bytes = try place.bytes(row)
        let value = try EmbeddedValue(bytes)
        return try reader.value(in: bytes.extracting(value.row), layout: value.layout, id: 0)
    }
}
