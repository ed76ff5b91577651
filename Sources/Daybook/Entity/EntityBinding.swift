import DaybookBytes
import DaybookEngine
import DaybookIndex
import Synchronization

/// How one type and one store fit together: numbers and layouts, worked out at opening.
final class EntityBinding: Sendable {
    let name: String
    let entity: UInt32
    let layoutID: UInt32
    let layout: RowLayout
    let hasAssignableIds: Bool
    /// Whether a put may have to look at what it replaces: see ``PreviousRow``.
    let keepsUnknownValues: Bool
    let engine: Engine
    /// Where the properties stand, by their names in Swift: for projections.
    let declared: DeclaredProperties
    private let propertyNames: [String]
    private let older = Mutex<[UInt32: OlderLayout]>([:])

    /// A layout that rows may still have, and where today's properties stand in it.
    struct OlderLayout: Sendable {
        let layout: RowLayout
        let mapping: FieldMapping?
    }

    init(_ description: EntityDescription, _ layout: EntityLayout, _ engine: Engine) {
        name = description.name
        entity = layout.entityID
        layoutID = layout.layoutID
        self.layout = RowLayout(layout)
        hasAssignableIds = description.hasAssignableIds
        keepsUnknownValues = description.properties.contains(where: \.keepsUnknownValues)
        propertyNames = description.properties.map(\.name)
        declared = DeclaredProperties(description.properties)
        self.engine = engine
    }

    /// Makes an object of a row of whichever layout.
    func decode<Value: Storable>(
        _ row: StoredRow, as type: Value.Type, _ types: StoreTypes
    ) throws -> Value {
        try decode(row.bytes, layout: row.layout, id: row.id, as: type, types)
    }

    /// Makes a value of the bytes of a row of whichever layout.
    func decode<Value: Storable>(
        _ bytes: Span<UInt8>, layout layoutID: UInt32, id: Id, as type: Value.Type,
        _ types: StoreTypes
    ) throws -> Value {
        if layoutID == self.layoutID {
            let layout = layout
            return try Value.decode(
                RowReader(try RowView(bytes, layout), id: id, mapping: nil, types: types))
        }
        let old = try olderLayout(layoutID)
        return try Value.decode(
            RowReader(try RowView(bytes, old.layout), id: id, mapping: old.mapping, types: types))
    }

    /// Makes a value of a row in which everything is missing.
    func decodeNothing<Value: Storable>(
        as type: Value.Type, _ types: StoreTypes
    ) throws -> Value {
        let layout = RowLayout.nothing
        let mapping = FieldMapping(names: propertyNames, in: layout.layout)
        var encoder = RowEncoder(layout)
        encoder.finish()
        return try Value.decode(
            RowReader(try RowView(encoder.row, layout), id: 0, mapping: mapping, types: types))
    }

    /// Looks at a row of whichever layout.
    func withReader<Result>(
        _ row: StoredRow, _ types: StoreTypes, _ body: (borrowing RowReader) throws -> Result
    ) throws -> Result {
        if row.layout == layoutID {
            let layout = layout
            return try body(
                RowReader(try RowView(row.bytes, layout), id: row.id, mapping: nil, types: types))
        }
        let old = try olderLayout(row.layout)
        return try body(
            RowReader(
                try RowView(row.bytes, old.layout), id: row.id, mapping: old.mapping, types: types))
    }

    /// The bytes of an object.
    func encode<E: Entity>(_ object: E, _ types: StoreTypes) throws -> RowWriter {
        var writer = RowWriter(layout, types)
        writer.previous = PreviousRow(self, object.entityId)
        try object.encode(into: &writer)
        writer.encoder.finish()
        return writer
    }

    private func olderLayout(_ id: UInt32) throws(DaybookError) -> OlderLayout {
        if let known = older.withLock({ $0[id] }) { return known }
        let layout = try engine.schemas.rowLayout(id)
        let mapping = FieldMapping(names: propertyNames, in: layout.layout)
        let made = OlderLayout(layout: layout, mapping: mapping)
        older.withLock { $0[id] = made }
        return made
    }
}

extension RowLayout {
    /// The layout of a row without a field.
    fileprivate static let nothing = RowLayout(
        EntityLayout(
            layoutID: 1, entityID: 1, entityName: "nothing", kind: .embedded, version: 1,
            fields: []))
}
