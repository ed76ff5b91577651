import DaybookBytes
import DaybookEngine
import DaybookRecords

/// A condition compiled for rows of one layout.
final class CompiledPredicate {
    private let shape: RowShape
    private let test: RowPredicate

    init(_ test: RowPredicate, _ layout: RowLayout) {
        self.test = test
        shape = RowShape(layout)
    }

    @inline(__always)
    func isTrue(_ row: Span<UInt8>, _ id: UInt64) throws(DaybookError) -> Bool {
        try test.isTrue(try shape.parts(row), id)
    }

    /// Keeps the rows that match.
    func select(
        _ batch: borrowing RowBatch, _ rows: inout RowSelection
    ) throws(DaybookError) {
        try test.select(batch, shape, &rows)
    }
}

/// An expression compiled for rows of one layout.
final class CompiledReader {
    private let shape: RowShape
    private let reader: OperandReader

    init(_ reader: @escaping OperandReader, _ layout: RowLayout) {
        self.reader = reader
        shape = RowShape(layout)
    }

    func value(_ row: Span<UInt8>, _ id: UInt64) throws(DaybookError) -> QueryValue {
        try reader(try shape.parts(row), id)
    }
}

extension RowLayout {
    /// The layout of a row without properties. It represents a null embedded value that must be
    /// read nevertheless. Its number, 0, is not used by any layout of a store.
    static var nothing: RowLayout {
        RowLayout(
            EntityLayout(layoutID: 0, entityID: 0, entityName: "", version: 0, fields: []))
    }

    /// The only row of ``nothing``.
    static let nothingRow: [UInt8] = [0]

    /// The layout of a row whose only field is an element of a collection.
    static func element(_ shape: ValueShape) -> RowLayout {
        RowLayout(
            EntityLayout(
                layoutID: 0, entityID: 0, entityName: "", version: 0,
                fields: [Field(propertyID: 1, name: "element", shape: shape)]))
    }
}

extension QueryAccess {
    /// The layout with a number. Throws `.corruption` if the store does not have it, or if it
    /// belongs to an entity other than `entity`.
    func layout(_ number: UInt32, of entity: UInt32?) throws(DaybookError) -> RowLayout {
        guard number != 0 else { return .nothing }
        let layout = try schemas.rowLayout(number)
        if let entity, layout.layout.entityID != entity {
            throw DaybookError(
                .corruption,
                "A value is damaged: it names layout \(number), which is one of"
                    + " '\(layout.layout.entityName)' and not of its type. Restore the store from a"
                    + " backup.",
                details: ["layout": String(number)])
        }
        return layout
    }
}
