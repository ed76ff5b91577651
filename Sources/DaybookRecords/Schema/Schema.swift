package import DaybookBytes

/// All layouts of a store, and the entities, relations and indexes that follow from them.
///
/// Numbers identify entities, and properties within them. Names and types may change from layout to
/// layout, and an unused name may be given to another entity.
package struct Schema: Sendable, Equatable {
    /// An entity with all its layouts.
    package struct Entity: Sendable, Equatable {
        /// The number of the entity, from 1.
        package let id: UInt32
        /// The name in its newest layout.
        package fileprivate(set) var name: String
        /// The numbers of its layouts, oldest first.
        package fileprivate(set) var layoutIDs: [UInt32] = []
        /// The number for its next new property.
        fileprivate(set) var nextPropertyID: UInt32 = 1
    }

    /// The layouts by number: layout 1 is at index 0.
    package private(set) var layouts: [EntityLayout] = []
    /// The entities by number: entity 1 is at index 0.
    package private(set) var entities: [Entity] = []
    /// The highest schema version that a program has stored; 0 if there is none.
    package private(set) var version: UInt64 = 0
    private var entityIDs: [String: UInt32] = [:]
    /// The number for the next new index.
    private(set) var nextIndexID: UInt32 = 1
    /// The relations by number: relation 1 is at index 0.
    package private(set) var relations: [Relation] = []
    /// The migrations that are committed in steps and have not ended, by entity.
    package private(set) var migrations: [UInt32: MigrationProgress] = [:]

    /// Creates a schema without entities.
    package init() {}

    /// The layout with that number.
    package func layout(_ id: UInt32) -> EntityLayout? {
        id >= 1 && Int(id) <= layouts.count ? layouts[Int(id) - 1] : nil
    }

    /// The entity with that number.
    package func entity(_ id: UInt32) -> Entity? {
        id >= 1 && Int(id) <= entities.count ? entities[Int(id) - 1] : nil
    }

    /// The entity with that name.
    package func entity(named name: String) -> Entity? { entityIDs[name].flatMap(entity) }

    /// The newest entity that ever had that name.
    package func entity(onceNamed name: String) -> Entity? {
        entities.last { hadName($0.id, name) }
    }

    /// Whether any layout of an entity has that name.
    func hadName(_ entity: UInt32, _ name: String) -> Bool {
        layouts(ofEntity: entity).contains { $0.entityName == name }
    }

    /// The newest layout of an entity.
    package func currentLayout(ofEntity id: UInt32) -> EntityLayout? {
        entity(id)?.layoutIDs.last.flatMap(layout)
    }

    /// An entity's layouts, newest first.
    package func layouts(ofEntity id: UInt32) -> [EntityLayout] {
        (entity(id)?.layoutIDs ?? []).reversed().compactMap(layout)
    }

    /// The number for the next new layout.
    package var nextLayoutID: UInt32 { UInt32(layouts.count) + 1 }

    /// The number for the next new entity.
    var nextEntityID: UInt32 { UInt32(entities.count) + 1 }

    /// Adds a layout from the log. Adding the same layout again has no effect, except that it may
    /// note more progress of a migration.
    ///
    /// Throws `.corruption` for contradictions: another layout with that number; a skipped number
    /// or version; a duplicate name or number of an entity or property; an index or relation that
    /// uses unknown properties or the number of another one. The schema is then unchanged.
    package mutating func add(_ layout: EntityLayout) throws(DaybookError) {
        if let known = self.layout(layout.layoutID) {
            if known != layout { try note(layout, known) }
            return
        }
        guard layout.layoutID == nextLayoutID else {
            throw layout.contradiction("layout \(nextLayoutID) is missing")
        }
        var entity = try entityForAdding(layout)
        guard Int(layout.version) == entity.layoutIDs.count + 1 else {
            throw layout.contradiction("version \(entity.layoutIDs.count + 1) is missing")
        }
        entity.nextPropertyID = try layout.checkedProperties(from: entity.nextPropertyID)
        let nextIndexID = try checkedIndexes(of: layout)
        let relations = try relations(adding: layout)
        let version = try layout.checkedSchemaVersion()
        let migration = try MigrationProgress(in: layout)

        if let before = self.entity(entity.id)?.name { entityIDs[before] = nil }
        entity.name = layout.entityName
        entity.layoutIDs.append(layout.layoutID)
        entityIDs[entity.name] = entity.id
        if entity.id == nextEntityID {
            entities.append(entity)
        } else {
            entities[Int(entity.id) - 1] = entity
        }
        layouts.append(layout)
        self.nextIndexID = nextIndexID
        self.relations = relations
        self.version = max(self.version, version)
        migrations[entity.id] = migration
    }

    /// Notes the progress of a migration in a known layout.
    private mutating func note(
        _ layout: EntityLayout, _ known: EntityLayout
    ) throws(DaybookError) {
        guard let before = try MigrationProgress(in: known),
            let progress = try MigrationProgress(in: layout),
            known.noting(before.advanced(to: progress.nextId)) == layout
        else { throw layout.contradiction("two layouts share a number") }
        // A reader may see an older record again.
        guard progress.nextId > before.nextId else { return }
        layouts[Int(layout.layoutID) - 1] = layout
        guard currentLayout(ofEntity: layout.entityID) == layout else { return }
        migrations[layout.entityID] = progress
    }

    private func entityForAdding(_ layout: EntityLayout) throws(DaybookError) -> Entity {
        guard !layout.entityName.isEmpty else {
            throw layout.contradiction("the entity has no name")
        }
        let owner = entityIDs[layout.entityName]
        guard owner == nil || owner == layout.entityID else {
            throw layout.contradiction("the name belongs to another entity")
        }
        if let known = entity(layout.entityID) { return known }
        guard layout.entityID == nextEntityID, layout.entityID <= IndexTree.entityMax else {
            throw layout.contradiction("entity \(nextEntityID) is missing")
        }
        return Entity(id: layout.entityID, name: layout.entityName)
    }

    /// Returns the number for the next index. An index that the previous layout lacks is new.
    private func checkedIndexes(of layout: EntityLayout) throws(DaybookError) -> UInt32 {
        let before = currentLayout(ofEntity: layout.entityID)
        var fresh: [UInt32] = []
        var seen: Set<UInt32> = []
        for index in layout.indexes {
            guard seen.insert(index.indexID).inserted, index.hasFields(in: layout) else {
                throw layout.contradiction("index \(index.indexID) is listed wrongly")
            }
            guard index.indexID < nextIndexID else {
                fresh.append(index.indexID)
                continue
            }
            guard let before, before.indexes.contains(index),
                index.hasSameKeys(in: layout.fields, as: before.fields)
            else { throw layout.contradiction("index \(index.indexID) was something else") }
        }
        let end = nextIndexID + UInt32(fresh.count)
        guard fresh.allSatisfy({ $0 < end }), end <= IndexTree.entityMax else {
            throw layout.contradiction("index \(nextIndexID) is missing")
        }
        return end
    }
}

extension LayoutIndex {
    /// Whether the layout contains all its properties.
    fileprivate func hasFields(in layout: EntityLayout) -> Bool {
        propertyIDs.allSatisfy { id in layout.fields.contains { $0.propertyID == id } }
    }

    /// Whether rows have the same keys with two lists of fields: equal types and equal optionality,
    /// so that a missing value is null in both, or zero in both.
    func hasSameKeys(in fields: [Field], as others: [Field]) -> Bool {
        propertyIDs.allSatisfy { id in
            let field = fields.first { $0.propertyID == id }
            let other = others.first { $0.propertyID == id }
            guard let field, let other else { return false }
            // Nothing else of a field affects the key; see ``IndexKeyWriter``.
            return field.type == other.type && field.isOptional == other.isOptional
                && field.shape.element?.type == other.shape.element?.type
        }
    }
}

extension EntityLayout {
    /// Checks names and numbers of the properties; returns the number for the next one.
    fileprivate func checkedProperties(from next: UInt32) throws(DaybookError) -> UInt32 {
        var numbers: Set<UInt32> = []
        var names: Set<String> = []
        var freshCount: UInt32 = 0
        for field in fields {
            guard field.propertyID > 0, !field.name.isEmpty,
                numbers.insert(field.propertyID).inserted, names.insert(field.name).inserted
            else { throw contradiction("property \(field.name) is listed wrongly") }
            if field.propertyID >= next { freshCount += 1 }
        }
        // The numbers are distinct, so the new ones fill the range after `next`.
        let end = next + freshCount
        guard end <= RecordFormat.propertyIDMax, numbers.allSatisfy({ $0 < end }) else {
            throw contradiction("property \(next) is missing")
        }
        return end
    }

    fileprivate func checkedSchemaVersion() throws(DaybookError) -> UInt64 {
        guard let text = attributes[SchemaNote.version] else { return 0 }
        guard let version = UInt64(text) else {
            throw contradiction("the version of the schema is not a number")
        }
        return version
    }

    func contradiction(_ what: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The schema of the store contradicts itself at layout \(layoutID) "
                + "of \(entityName): \(what). Restore the store from a backup.",
            details: ["entity": entityName, "layout": "\(layoutID)"])
    }
}

/// Attributes of layouts and fields that the schema itself uses.
package enum SchemaNote {
    /// In a layout: the program's schema version when the layout was written.
    package static let version = "schemaVersion"
    /// In a field: the program that wrote the layout does not declare the property. Its values are
    /// kept; they are null in objects that this program created.
    package static let undeclared = "undeclared"
    /// In a layout or field: an identity that is independent of names.
    package static let uid = "uid"
}

extension Field {
    /// Whether the program that wrote the layout does not declare the property.
    package var isUndeclared: Bool { attributes[SchemaNote.undeclared] != nil }

    var uid: String? { attributes[SchemaNote.uid] }

    /// The property in a layout of a program that does not declare it.
    var undeclared: Field {
        var field = self
        field.isOptional = true
        field.attributes[SchemaNote.undeclared] = ""
        return field
    }
}
