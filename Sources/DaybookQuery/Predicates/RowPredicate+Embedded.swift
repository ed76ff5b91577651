import DaybookBytes
import DaybookEngine
import DaybookRecords

/// A property whose value is embedded in the rows of a layout.
struct EmbeddedField {
    /// Nil if rows of the layout do not have the property.
    private let place: FieldPlace?
    private let isOptional: Bool
    /// The property in the embedded value.
    private let member: QueryColumn
    private let entity: UInt32
    private let access: QueryAccess

    init(_ column: QueryColumn, in layout: RowLayout, _ access: QueryAccess) {
        place = FieldPlace(column.path[0], in: layout)
        isOptional = column.path[0].shape.isOptional
        member = QueryColumn(Array(column.path.dropFirst()))
        entity = column.path[1].entity
        self.access = access
    }

    /// Tests the property in the embedded value.
    func test(_ test: ColumnTest) -> RowPredicate {
        let isTrueOfNull = if case .isNull = test { true } else { false }
        let judge = RowEvaluator(.column(member, test), access, entity: entity)
        return ClosureTest(cost: 50) { (row, _) throws(DaybookError) in
            try read(row, orNull: isTrueOfNull) { (row, layout) throws(DaybookError) in
                try judge.isTrue(of: row, layout: layout, id: 0)
            }
        }
    }

    /// Reads the property in the embedded value.
    func reader() -> OperandReader {
        let reader = ExpressionReader(.column(member), access, entity: entity)
        return { (row, _) throws(DaybookError) in
            try read(row, orNull: .null) { (row, layout) throws(DaybookError) in
                try reader.value(in: row, layout: layout, id: 0)
            }
        }
    }

    /// Passes the row of the embedded value to `body`. A null value that is not optional has a row
    /// without properties.
    private func read<Result>(
        _ row: borrowing RowParts, orNull null: Result,
        _ body: (_ row: Span<UInt8>, _ layout: UInt32) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        guard let place, !row.isNull(place.field) else {
            if isOptional { return null }
            let row = RowLayout.nothingRow
            return try body(row.span, 0)
        }
        let bytes = try place.bytes(row)
        let value = try EmbeddedValue(bytes)
        return try body(bytes.extracting(value.row), value.layout)
    }
}
