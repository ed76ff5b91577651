package import DaybookBytes

/// Every layout that the store ever had, and what follows from them.
///
/// An entity is a number, and so is a property within it: names and types may change from layout to
/// layout, and a name that nobody has any more is free for another.
package struct Schema: Sendable, Equatable {
    /// An entity over all its layouts.
    package struct Entity: Sendable, Equatable {
        /// The number of the entity, from 1.
        package let id: UInt32
        /// What its newest layout calls it.
        package fileprivate(set) var name: String
        /// The numbers of its layouts, oldest first.
        package fileprivate(set) var layoutIDs: [UInt32] = []
        /// The number that its next new property gets.
        fileprivate(set) var nextPropertyID: UInt32 = 1
    }

    /// The layouts in the order of their numbers: layout 1 stands at index 0.
    package private(set) var layouts: [EntityLayout] = []
    /// The entities in the order of their numbers: entity 1 stands at index 0.
    package private(set) var entities: [Entity] = []
    /// The highest version of the schema that a program noted; 0 where none did.
    package private(set) var version: UInt64 = 0
    private var entityIDs: [String: UInt32] = [:]
    /// The number that the next new index gets.
    private(set) var nextIndexID: UInt32 = 1
    /// The relations in the order of their numbers: relation 1 stands at index 0.
    package private(set) var relations: [Relation] = []

    /// A schema without entities.
    package init() {}

    /// The layout of that number, or nil.
    package func layout(_ id: UInt32) -> EntityLayout? {
        id >= 1 && Int(id) <= layouts.count ? layouts[Int(id) - 1] : nil
    }

    /// The entity of that number, or nil.
    package func entity(_ id: UInt32) -> Entity? {
        id >= 1 && Int(id) <= entities.count ? entities[Int(id) - 1] : nil
    }

    /// The entity of that name, or nil.
    package func entity(named name: String) -> Entity? { entityIDs[name].flatMap(entity) }

    /// The newest entity that once had that name, or nil.
    package func entity(onceNamed name: String) -> Entity? {
        entities.last { hadName($0.id, name) }
    }

    /// Whether any layout of an entity has that name.
    func hadName(_ entity: UInt32, _ name: String) -> Bool {
        layouts(ofEntity: entity).contains { $0.entityName == name }
    }

    /// The newest layout of an entity, or nil.
    package func currentLayout(ofEntity id: UInt32) -> EntityLayout? {
        entity(id)?.layoutIDs.last.flatMap(layout)
    }

    /// An entity's layouts, newest first.
    package func layouts(ofEntity id: UInt32) -> [EntityLayout] {
        (entity(id)?.layoutIDs ?? []).reversed().compactMap(layout)
    }

    /// The number that the next new layout gets.
    package var nextLayoutID: UInt32 { UInt32(layouts.count) + 1 }

    /// The number that the next new entity gets.
    var nextEntityID: UInt32 { UInt32(entities.count) + 1 }

    /// Adds a layout that the log holds. The same layout again changes nothing.
    ///
    /// Throws `.corruption` when it contradicts what is known: a layout of that number with other
    /// content; a number or version left out; two entities of one name, two properties of one name
    /// or number; an index over what the layout lacks, or under the number of another; likewise
    /// a relation. The schema is then as it was.
    package mutating func add(_ layout: EntityLayout) throws(DaybookError) {
        if let known = self.layout(layout.layoutID) {
            guard known == layout else {
                throw layout.contradiction("two layouts share a number")
            }
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

    /// Returns the number of the next index. One that the entity's layout before does not have is
    /// new.
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
    /// Whether the layout has all its properties.
    fileprivate func hasFields(in layout: EntityLayout) -> Bool {
        propertyIDs.allSatisfy { id in layout.fields.contains { $0.propertyID == id } }
    }

    /// Whether rows have the same keys under two lists of fields: its properties have the same
    /// types, and a value that is missing is null under both, or zero under both.
    func hasSameKeys(in fields: [Field], as others: [Field]) -> Bool {
        propertyIDs.allSatisfy { id in
            let field = fields.first { $0.propertyID == id }
            let other = others.first { $0.propertyID == id }
            guard let field, let other else { return false }
            // Nothing else of a field decides how it is written; see ``IndexKeyWriter``.
            return field.type == other.type && field.isOptional == other.isOptional
        }
    }
}

extension EntityLayout {
    /// Checks names and numbers of the properties; returns the number of the next one.
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
        // The numbers differ, so as many as are new fill the places from the next one on.
        let end = next + freshCount
        guard end <= RecordFormat.propertyIDMax, numbers.allSatisfy({ $0 < end }) else {
            throw contradiction("property \(next) is missing")
        }
        return end
    }

    fileprivate func checkedSchemaVersion() throws(DaybookError) -> UInt64 {
        guard let text = attributes[SchemaNote.version] else { return 0 }
        guard let version = UInt64(text) else {
            throw contradiction("the version of the schema is no number")
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

/// What the schema itself notes among the attributes of layouts and fields.
package enum SchemaNote {
    /// In a layout: the version of the schema that the program gave when it was written.
    package static let version = "schemaVersion"
    /// In a field: the program that wrote the layout does not declare the property. Its values are
    /// kept; null wherever that program made the object.
    package static let undeclared = "undeclared"
    /// In a layout or field: a number that outlives names.
    package static let uid = "uid"
}

extension Field {
    /// Whether the program that wrote the layout does not know the property.
    package var isUndeclared: Bool { attributes[SchemaNote.undeclared] != nil }

    var uid: String? { attributes[SchemaNote.uid] }

    /// The property as a layout keeps it whose program does not declare it.
    var undeclared: Field {
        var field = self
        field.isOptional = true
        field.attributes[SchemaNote.undeclared] = ""
        return field
    }
}
