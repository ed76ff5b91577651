import DaybookBytes
import DaybookEngine
import DaybookRecords
import Synchronization

/// The mapping of one type to one store: numbers and layouts, determined at opening.
final class EntityBinding: Sendable {
    let name: String
    let entity: UInt32
    let layoutID: UInt32
    let layout: RowLayout
    let hasAssignableIds: Bool
    /// Whether a put may need the row that it replaces: see ``PreviousRow``.
    let keepsUnknownValues: Bool
    let engine: Engine
    /// The positions of the properties by their Swift names, for projections.
    let declared: DeclaredProperties
    /// The Swift names of the properties, in the order of the layout.
    let declaredNames: [String]
    /// What a put does on a conflict, by the number of the unique index.
    let onConflict: [UInt32: UniqueConflict]
    /// The primary key, if the entity has one.
    let primaryKey: PrimaryKey?
    /// When the objects expire; nil if they do not.
    let expiry: ObjectExpiry?
    /// The relations and backlinks.
    let relations: [RelationPlace: BoundRelation]
    /// Whether there are relations or backlinks. A put of an object without them writes only one
    /// row.
    let hasRelations: Bool
    /// Whether the store was opened read-only, so the writer may change its schema later.
    var isFollowing: Bool { followed != nil }
    /// The declarations, in a store that was opened read-only. The writer may change the schema, so
    /// the layout for reading is determined for each new stored layout.
    private let followed: Followed?
    private let translations = Mutex<[UInt32: RowTranslation]>([:])

    /// The declarations of an opening, and the index of this type among them.
    struct Followed: Sendable {
        var declarations: [EntityDeclaration]
        var index: Int
    }

    init(
        _ description: EntityDescription, _ layout: EntityLayout, _ engine: Engine,
        relations: [RelationPlace: BoundRelation] = [:], followed: Followed? = nil
    ) {
        name = description.name
        entity = layout.entityID
        layoutID = layout.layoutID
        self.layout = RowLayout(layout)
        hasAssignableIds = description.hasAssignableIds
        keepsUnknownValues = description.properties.contains(where: \.keepsUnknownValues)
        declared = DeclaredProperties(description.properties)
        declaredNames = description.properties.map(\.declaredName)
        onConflict = description.conflictRules(in: layout)
        primaryKey = PrimaryKey(layout)
        // The declarations were checked before the store was opened.
        expiry = try? description.checkedExpiry(isEntity: layout.kind == .object)
        self.relations = relations
        hasRelations = !relations.isEmpty
        self.engine = engine
        self.followed = followed
    }

    /// Decodes an object from a row of any layout.
    func decode<Value: Storable>(
        _ row: StoredRow, as type: Value.Type, _ types: StoreTypes
    ) throws -> Value {
        try decode(row.bytes, layout: row.layout, id: row.id, as: type, types)
    }

    /// Decodes a value from the bytes of a row of any layout.
    func decode<Value: Storable>(
        _ bytes: Span<UInt8>, layout layoutID: UInt32, id: Id, as type: Value.Type,
        _ types: StoreTypes
    ) throws -> Value {
        try withReader(bytes, layout: layoutID, id: id, types, Value.decode)
    }

    /// Decodes a value from a row in which all properties are missing.
    func decodeNothing<Value: Storable>(
        as type: Value.Type, _ types: StoreTypes
    ) throws -> Value {
        let layout = layout
        let row = try RowTranslation(from: .nothing, to: layout).translate(
            RowLayout.nothingRow.span)
        return try Value.decode(RowReader(try RowView(row.span, layout), id: 0, types: types))
    }

    /// Calls `body` with a reader for a row of any layout.
    func withReader<Result>(
        _ row: StoredRow, _ types: StoreTypes, _ body: (borrowing RowReader) throws -> Result
    ) throws -> Result {
        try withReader(row.bytes, layout: row.layout, id: row.id, types, body)
    }

    /// Calls `body` with a reader for the bytes of a row of any layout.
    @inline(__always)
    func withReader<Result>(
        _ bytes: Span<UInt8>, layout layoutID: UInt32, id: Id, _ types: StoreTypes,
        _ body: (borrowing RowReader) throws -> Result
    ) throws -> Result {
        if layoutID == self.layoutID {
            let layout = layout
            return try body(RowReader(try RowView(bytes, layout), id: id, types: types))
        }
        return try withTranslated(bytes, layout: layoutID, id: id, types, body)
    }

    /// Calls `body` with a reader for a row of another layout, translated to this layout.
    private func withTranslated<Result>(
        _ bytes: Span<UInt8>, layout layoutID: UInt32, id: Id, _ types: StoreTypes,
        _ body: (borrowing RowReader) throws -> Result
    ) throws -> Result {
        let translation = try translation(from: layoutID)
        let layout = translation.new
        if translation.isIdentity {
            return try body(RowReader(try RowView(bytes, layout), id: id, types: types))
        }
        let row = try translation.translate(bytes)
        return try body(RowReader(try RowView(row.span, layout), id: id, types: types))
    }

    /// Returns the bytes of a row of any layout in this layout.
    func current(_ row: Span<UInt8>, layout: UInt32) throws(DaybookError) -> [UInt8] {
        layout == layoutID ? row.array : try translation(from: layout).translate(row)
    }

    // All three are inlined: the writer is not moved, and the steps of each object are one call.

    /// Encodes an object as a row.
    @inline(__always)
    func encode<E: Entity>(_ object: E, _ types: StoreTypes) throws -> RowWriter {
        var writer = RowWriter(layout, types)
        try write(object, to: &writer)
        return writer
    }

    /// Writes the row of an object as the writer's next row.
    @inline(__always)
    func write<E: Entity>(_ object: E, to writer: inout RowWriter) throws {
        let id = object.entityId
        try write(object, replacing: PreviousRow.of(id, self), to: &writer)
        guard keepsUnknownValues, id == 0, primaryKey != nil else { return }
        // The key identifies the object that is replaced.
        let owner = try self.id(ofKeyIn: writer.encoder.row)
        if let previous = PreviousRow.of(owner, self) {
            try write(object, replacing: previous, to: &writer)
        }
    }

    /// Writes the row of an object that replaces another row.
    @inline(__always)
    func write(
        _ object: some Entity, replacing previous: PreviousRow?, to writer: inout RowWriter
    ) throws {
        try requireExactType(of: object)
        writer.begin(replacing: previous)
        try object.encode(into: &writer)
        writer.encoder.finish()
    }

    /// Returns the current layout in the store. A read-only store may have new properties since it
    /// was opened. Throws `.schemaMismatch` if they differ from the declaration.
    func currentLayout() throws(DaybookError) -> EntityLayout {
        guard let followed else { return layout.layout }
        return try engine.readingLayout(of: followed.declarations, at: followed.index)
    }

    private func translation(from id: UInt32) throws(DaybookError) -> RowTranslation {
        if let known = translations.withLock({ $0[id] }) { return known }
        let old = try engine.schemas.rowLayout(id)
        guard old.layout.entityID == entity else {
            throw DaybookError(
                .corruption,
                "A row of \(name) refers to layout \(id), which belongs to"
                    + " \(old.layout.entityName). Restore the store from a backup.",
                details: ["entity": name, "layout": String(id)])
        }
        var new = layout
        if let followed, id > layoutID {
            new = RowLayout(
                try engine.readingLayout(of: followed.declarations, at: followed.index))
        }
        let made = RowTranslation(from: old, to: new)
        translations.withLock { $0[id] = made }
        return made
    }
}

extension RowLayout {
    /// The layout of a row without fields.
    fileprivate static let nothing = RowLayout(
        EntityLayout(
            layoutID: 1, entityID: 1, entityName: "nothing", kind: .embedded, version: 1,
            fields: []))
    /// A row without fields.
    fileprivate static let nothingRow: [UInt8] = [0]
}
