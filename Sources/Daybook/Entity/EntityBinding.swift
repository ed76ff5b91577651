import DaybookBytes
import DaybookEngine
import DaybookIndex
import Synchronization

/// How one entity type and one store fit together: numbers and layouts, worked out at opening.
final class EntityBinding: Sendable {
    let name: String
    let entity: UInt32
    let layoutID: UInt32
    let layout: RowLayout
    let hasAssignableIds: Bool
    private let propertyNames: [String]
    private let engine: Engine
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
        propertyNames = description.properties.map(\.name)
        self.engine = engine
    }

    /// Makes an object of a row of whichever layout.
    func decode<E: Entity>(_ row: StoredRow, as type: E.Type) throws -> E {
        if row.layout == layoutID {
            let layout = layout
            return try E.decode(
                RowReader(try RowView(row.bytes, layout), id: row.id, mapping: nil))
        }
        let old = try olderLayout(row.layout)
        return try E.decode(
            RowReader(try RowView(row.bytes, old.layout), id: row.id, mapping: old.mapping))
    }

    /// The bytes of an object.
    func encode(_ object: some Entity) throws -> RowWriter {
        var writer = RowWriter(layout)
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
