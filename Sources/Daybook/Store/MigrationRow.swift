import DaybookBytes
import DaybookEngine
import DaybookRecords

/// An object in a migration, with access to its properties by name. See
/// ``Migration/transform(_:toVersion:_:)``.
///
/// The old row has every property that the entity ever had, under every name that it ever had. The
/// new row has the declared properties.
public struct MigrationRow {
    /// The object's id.
    public let id: Id
    private let layout: RowLayout
    private let places: [String: Int]
    private let types: StoreTypes
    private var row: [UInt8]
    private var changed: Set<String> = []
    private var isRemoved = false

    init(before object: MigratedObject, _ types: StoreTypes) {
        id = object.id
        layout = object.old.layout
        places = object.old.places
        row = object.oldRow
        self.types = types
    }

    init(after object: MigratedObject, _ types: StoreTypes) {
        id = object.id
        layout = object.new
        places = Dictionary(
            object.new.layout.fields.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first })
        row = object.newRow
        changed = object.changed
        self.types = types
    }

    func finish(_ object: inout MigratedObject) {
        object.newRow = row
        object.changed = changed
        object.isRemoved = isRemoved
    }

    func field(_ property: String) -> Field? { places[property].map { layout.layout.fields[$0] } }

    /// Returns the value of a property; nil or the type's zero if the object has no value.
    ///
    /// - Throws: `.invalidArgument` for an unknown property, with the nearest name and all names;
    ///   `.schemaMismatch` if the stored type cannot be read as `Value`.
    public subscript<Value: PropertyValue>(
        property: String, as type: Value.Type = Value.self
    ) -> Value {
        get throws { try value(try place(property), property, as: type) }
    }

    /// Whether the row has the property, with or without a value.
    public func has(_ property: String) -> Bool { places[property] != nil }

    /// Sets a property.
    ///
    /// - Throws: `.invalidArgument` for a property that is not declared, with the nearest name and
    ///   all names; `.schemaMismatch` if it is declared with another type; `.invalidValue` for a
    ///   value that cannot be stored.
    public mutating func set<Value: PropertyValue>(_ property: String, to value: Value) throws {
        let place = try place(property)
        let field = layout.layout.fields[place]
        guard !field.type.isRelation else {
            throw DaybookError(
                .invalidArgument,
                "The property \(property) of \(layout.layout.entityName) is a relation, and a"
                    + " migration cannot set links. Set the relation after the store is open.",
                details: ["entity": layout.layout.entityName, "property": property])
        }
        guard field.type == Value.propertyType.field else {
            throw mismatch(property, field.shape, Value.self)
        }
        var writer = RowWriter(layout, types)
        try writer.write(value, at: place)
        writer.encoder.finish()
        row = try layout.merging(row.span, writer.encoder.row) { $0 == place }
        changed.insert(property)
    }

    /// Removes the object from the store.
    public mutating func remove() { isRemoved = true }

    func value<Value: PropertyValue>(
        _ place: Int, _ property: String, as type: Value.Type
    ) throws -> Value {
        let layout = layout
        let field = layout.layout.fields[place]
        let wanted = type.propertyType.shape(isOptional: type.isOptionalProperty)
        guard let conversion = field.shape.conversion(to: wanted) else {
            throw mismatch(property, field.shape, type)
        }
        if conversion == .none {
            return try Value.read(
                place, of: RowReader(try RowView(row.span, layout), id: id, types: types))
        }
        var single = layout.layout
        single.fields = [Field(propertyID: field.propertyID, name: property, shape: wanted)]
        let only = RowLayout(single)
        let converted = try RowTranslation(from: layout, to: only).translate(row.span)
        return try Value.read(
            0, of: RowReader(try RowView(converted.span, only), id: id, types: types))
    }

    private func place(_ property: String) throws(DaybookError) -> Int {
        if let place = places[property] { return place }
        throw DaybookError(
            .invalidArgument,
            "\(layout.layout.entityName) has no property '\(property)'."
                + NearName.question(property, among: places.keys)
                + " It has: \(places.keys.sorted().joined(separator: ", ")).",
            details: ["entity": layout.layout.entityName, "property": property])
    }

    private func mismatch(
        _ property: String, _ stored: ValueShape, _ type: any PropertyValue.Type
    ) -> DaybookError {
        let wanted = type.propertyType.shape(isOptional: type.isOptionalProperty)
        return DaybookError(
            .schemaMismatch,
            "The property \(property) of \(layout.layout.entityName) is \(stored.description), but"
                + " a migration accesses it as \(wanted.description).",
            details: [
                "entity": layout.layout.entityName, "property": property,
                "stored": stored.description, "declared": wanted.description,
            ])
    }
}
