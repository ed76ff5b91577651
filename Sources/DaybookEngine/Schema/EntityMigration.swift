import DaybookBytes
package import DaybookRecords

/// One migration step: how the objects of an entity change when its layout changes.
package struct EntityMigration: Sendable {
    package enum Purpose: Sendable, Equatable {
        /// Converts one property whose new type does not hold all values of the old type.
        case convert(property: String)
        /// Converts objects whenever their layout changes; with a version, once, at the opening
        /// that raises the schema to that version.
        case transform(version: UInt64?)
        /// Removes all objects of an entity that is no longer declared.
        case delete
        /// Drops the values of a property that is no longer declared.
        case forget(property: String)
    }

    /// The declared name of the entity; for ``Purpose/delete`` its stored name.
    package var entity: String
    package var purpose: Purpose
    package var body: @Sendable (inout MigratedObject) throws -> Void

    package init(
        _ entity: String, _ purpose: Purpose,
        _ body: @escaping @Sendable (inout MigratedObject) throws -> Void = { _ in }
    ) {
        self.entity = entity
        self.purpose = purpose
        self.body = body
    }
}

/// An object while it is converted from its old layout to the declared one.
package struct MigratedObject {
    package let id: UInt64
    /// The row before the migration, in a layout with every property that the entity ever had.
    package let oldRow: [UInt8]
    package let old: MigratedLayout
    /// The row to put; at first the old row with all automatic conversions applied.
    package var newRow: [UInt8]
    package let new: RowLayout
    /// The properties that the migration set; if it set none, the object is not put.
    package var changed: Set<String> = []
    /// Whether the object is removed instead.
    package var isRemoved = false
}

/// Every property that an entity had before an opening.
package struct MigratedLayout: Sendable {
    package let layout: RowLayout
    /// The index of each property by each name that it ever had. The newest owner of a name wins.
    package let places: [String: Int]
    /// The index of each property by its number.
    package let numbers: [UInt32: Int]

    /// - Parameter layouts: the entity's layouts before the migration, newest first.
    init(_ layouts: [EntityLayout], declared: EntityLayout) {
        var fields: [Field] = []
        var indexes: [UInt32: Int] = [:]
        var places: [String: Int] = [:]
        for layout in layouts {
            for field in layout.fields {
                let place = indexes[field.propertyID] ?? fields.count
                if place == fields.count {
                    fields.append(field)
                    indexes[field.propertyID] = place
                }
                if places[field.name] == nil { places[field.name] = place }
            }
        }
        for field in declared.fields where places[field.name] == nil {
            places[field.name] = indexes[field.propertyID]
        }
        var all = layouts.first ?? declared
        all.fields = fields
        layout = RowLayout(all)
        self.places = places
        numbers = indexes
    }
}
