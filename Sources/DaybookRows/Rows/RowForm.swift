package import DaybookBytes
package import DaybookEngine
package import DaybookRecords

/// The newest layout of an entity, prepared for reading rows of any layout. For one operation:
/// another one may find a newer layout.
package final class RowForm {
    package let entity: UInt32
    package let entityName: String
    package let layout: RowLayout
    /// The names of the properties with values.
    package let names: [String]
    /// The relations by name, in the order of the layout.
    package let relations: [(name: String, relation: Schema.Relation)]
    package let decoder: RowValueDecoder
    private var translations: [UInt32: RowTranslation] = [:]

    /// Throws `.invalidArgument` for an entity that has no objects or does not exist.
    package convenience init(_ name: String, _ schemas: SchemaTable) throws(DaybookError) {
        let schema = schemas.schema
        guard let layout = schema.entity(named: name)?.layoutIDs.last.flatMap(schema.layout) else {
            throw Self.unknown(name, schema)
        }
        guard layout.kind == .object else { throw Self.hasNoObjects(layout) }
        self.init(try schemas.rowLayout(layout.layoutID), schema, schemas)
    }

    /// The form of a type of events, by its name or a former one. Throws `.invalidArgument` for any
    /// other entity.
    package convenience init(
        events name: String, _ schemas: SchemaTable
    ) throws(DaybookError) {
        let schema = schemas.schema
        let entity = schema.entity(named: name) ?? schema.entity(onceNamed: name)
        guard let layout = entity?.layoutIDs.last.flatMap(schema.layout) else {
            throw Self.unknown(name, schema)
        }
        guard layout.kind == .event else {
            throw DaybookError(
                .invalidArgument, "\(name) is not a type of events.", details: ["entity": name])
        }
        self.init(try schemas.rowLayout(layout.layoutID), schema, schemas)
    }

    private init(_ layout: RowLayout, _ schema: Schema, _ schemas: SchemaTable) {
        self.layout = layout
        entity = layout.layout.entityID
        entityName = layout.layout.entityName
        let fields = layout.layout.fields
        names = fields.filter { !$0.type.isRelation }.map(\.name)
        relations = fields.compactMap { field in
            field.relation.flatMap { schema.relation($0.relationID) }.map { (field.name, $0) }
        }
        decoder = RowValueDecoder(schemas)
    }

    /// The field of a property with values; nil if there is none.
    package func property(_ name: String) -> (index: Int, field: Field)? {
        let fields = layout.layout.fields
        guard let index = fields.firstIndex(where: { $0.name == name }),
            !fields[index].type.isRelation
        else { return nil }
        return (index, fields[index])
    }

    /// The field of a property that once had a name; nil if there is none.
    package func property(onceNamed name: String) -> (index: Int, field: Field)? {
        for old in decoder.schemas.schema.layouts(ofEntity: entity) {
            guard let former = old.fields.first(where: { $0.name == name }) else { continue }
            let fields = layout.layout.fields
            let index = fields.firstIndex { $0.propertyID == former.propertyID }
            return index.map { ($0, fields[$0]) }
        }
        return nil
    }

    /// The bytes of a row of any layout, in the newest layout.
    package func bytes(of row: StoredRow) throws(DaybookError) -> [UInt8] {
        try bytes(row.bytes, layout: row.layout)
    }

    /// The bytes of a row of any layout, in the newest layout.
    package func bytes(
        _ row: Span<UInt8>, layout number: UInt32
    ) throws(DaybookError) -> [UInt8] {
        if number == layout.layout.layoutID { return row.array }
        return try translation(from: number).translate(row)
    }

    /// The object of a row, with its links in the same state.
    package func object(
        _ row: StoredRow, in scope: ReadScope
    ) throws(DaybookError) -> AnyRow {
        var links: [String: [UInt64]] = [:]
        var keys: [String: [String]] = [:]
        for (name, relation) in relations {
            let targets = try scope.targets(of: relation, from: row.id)
            links[name] = targets.ids
            keys[name] = targets.keys
        }
        let bytes = try bytes(of: row)
        return AnyRow(
            entityName: entityName, id: row.id, sequence: row.sequence, names: names,
            values: try decoder.values(bytes.span, layout), links: links, keys: keys)
    }

    /// The values of a row of any layout, without links.
    package func values(of row: StoredRow) throws(DaybookError) -> AnyRow {
        let bytes = try bytes(of: row)
        return AnyRow(
            entityName: entityName, id: row.id, sequence: row.sequence, names: names,
            values: try decoder.values(bytes.span, layout))
    }

    private func translation(from number: UInt32) throws(DaybookError) -> RowTranslation {
        if let known = translations[number] { return known }
        let old = try decoder.schemas.rowLayout(number)
        guard old.layout.entityID == entity else {
            throw DaybookError(
                .corruption,
                "A row of \(entityName) refers to layout \(number), which belongs to"
                    + " \(old.layout.entityName). Restore the store from a backup.",
                details: ["entity": entityName, "layout": String(number)])
        }
        let made = RowTranslation(from: old, to: layout)
        translations[number] = made
        return made
    }

    private static func unknown(_ name: String, _ schema: Schema) -> DaybookError {
        let names = schema.entities.map(\.name)
        return DaybookError(
            .invalidArgument,
            "The store has no entity '\(name)'."
                + NearName.question(name, among: names)
                + " It has: \(names.sorted().joined(separator: ", ")).",
            details: ["entity": name])
    }

    private static func hasNoObjects(_ layout: EntityLayout) -> DaybookError {
        DaybookError(
            .invalidArgument,
            layout.kind == .event
                ? "\(layout.entityName) is an event, which is read from the changes of a store."
                : "\(layout.entityName) is embedded: read the objects that contain its values.",
            details: ["entity": layout.entityName])
    }
}
