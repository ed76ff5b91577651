import DaybookBytes
import DaybookEngine
import DaybookRecords

extension JSONReader {
    /// The id of an object, or the number of an event.
    mutating func loadedId() throws(DaybookError) -> UInt64 {
        let id: UInt64 = try integer()
        guard id > 0, id <= WriteTransaction.idMax else { throw problem("\(id) is not an id") }
        return id
    }

    /// Reads the next member, which names an entity of the given kind.
    mutating func loadedEntity(
        _ kind: EntityKind, _ schemas: SchemaTable
    ) throws(DaybookError) -> UInt32 {
        try member("of")
        let name = try string()
        let schema = schemas.schema
        guard let entity = schema.entity(named: name)?.id,
            schema.currentLayout(ofEntity: entity)?.kind == kind
        else {
            throw problem(
                "no layout defines an entity of \(kind == .event ? "events" : "objects") '\(name)'")
        }
        return entity
    }

    /// Reads a layout number and a row of that layout.
    mutating func loadedRow(
        of entity: UInt32, _ schemas: SchemaTable
    ) throws(DaybookError) -> (layout: UInt32, row: [UInt8]) {
        try member("layout")
        let number: UInt32 = try integer()
        guard let layout = try? schemas.rowLayout(number), layout.layout.entityID == entity else {
            throw problem("layout \(number) does not belong to the entity")
        }
        try member("row")
        var encoder = RowEncoder(layout)
        try exactRow(layout, into: &encoder, layouts: schemas.rowLayout)
        return (number, encoder.row.array)
    }
}

extension SchemaTable {
    /// Adds a layout that was loaded. Throws if its number is in use by another layout, or if its
    /// indexes are invalid. A layout that notes the progress of a migration may occur again.
    func add(loaded layout: EntityLayout, _ json: borrowing JSONReader) throws(DaybookError) {
        let isRepeated = try layout.isRepeated
        guard isRepeated || schema.layout(layout.layoutID) == nil else {
            throw json.problem("layout \(layout.layoutID) is defined twice")
        }
        _ = try IndexPlan(layout)
        try add([layout])
    }
}
