package import DaybookBytes

/// Every layout that the store ever had, and what follows from them.
package struct Schema: Sendable, Equatable {
    /// An entity over all its layouts.
    package struct Entity: Sendable, Equatable {
        /// The number of the entity, from 1.
        package let id: UInt32
        package let name: String
        /// The numbers of its layouts, oldest first.
        package fileprivate(set) var layoutIDs: [UInt32]
        /// Every property that any of its layouts had.
        fileprivate var properties: [String: Property]
    }

    struct Property: Sendable, Equatable {
        let id: UInt32
        let type: FieldType
    }

    /// The layouts in the order of their numbers: layout 1 stands at index 0.
    package private(set) var layouts: [EntityLayout] = []
    /// The entities in the order of their numbers: entity 1 stands at index 0.
    package private(set) var entities: [Entity] = []
    private var entityIDs: [String: UInt32] = [:]

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

    /// The newest layout of an entity, or nil.
    package func currentLayout(ofEntity id: UInt32) -> EntityLayout? {
        entity(id)?.layoutIDs.last.flatMap(layout)
    }

    /// The number that the next new layout gets.
    package var nextLayoutID: UInt32 { UInt32(layouts.count) + 1 }

    /// The number that the next new index gets.
    var nextIndexID: UInt32 {
        (layouts.lazy.flatMap(\.indexes).map(\.indexID).max() ?? 0) + 1
    }

    /// The number that the next new entity gets.
    var nextEntityID: UInt32 { UInt32(entities.count) + 1 }

    /// Adds a layout that the log holds. The same layout again changes nothing.
    ///
    /// Throws `.corruption` when it contradicts an earlier one: a layout of that number with other
    /// content, a number or version left out, an entity or a property under two names, a property
    /// with two types. The schema is then as it was.
    package mutating func add(_ layout: EntityLayout) throws(DaybookError) {
        if let known = self.layout(layout.layoutID) {
            guard known == layout else {
                throw Self.contradiction(layout, "two layouts share a number")
            }
            return
        }
        guard layout.layoutID == nextLayoutID else {
            throw Self.contradiction(layout, "layout \(nextLayoutID) is missing")
        }
        var entity = try entityForAdding(layout)
        guard Int(layout.version) == entity.layoutIDs.count + 1 else {
            throw Self.contradiction(layout, "version \(entity.layoutIDs.count + 1) is missing")
        }
        try Self.addProperties(of: layout, to: &entity)
        entity.layoutIDs.append(layout.layoutID)
        if entity.id == nextEntityID {
            entities.append(entity)
            entityIDs[entity.name] = entity.id
        } else {
            entities[Int(entity.id) - 1] = entity
        }
        layouts.append(layout)
    }

    private func entityForAdding(_ layout: EntityLayout) throws(DaybookError) -> Entity {
        if let known = entity(layout.entityID) {
            guard known.name == layout.entityName else {
                throw Self.contradiction(layout, "the entity was called \(known.name)")
            }
            return known
        }
        guard layout.entityID == nextEntityID else {
            throw Self.contradiction(layout, "entity \(nextEntityID) is missing")
        }
        guard entityIDs[layout.entityName] == nil, !layout.entityName.isEmpty else {
            throw Self.contradiction(layout, "the name belongs to another entity")
        }
        return Entity(id: layout.entityID, name: layout.entityName, layoutIDs: [], properties: [:])
    }

    private static func addProperties(
        of layout: EntityLayout, to entity: inout Entity
    ) throws(DaybookError) {
        var seen: Set<UInt32> = []
        for field in layout.fields {
            guard field.propertyID > 0, field.propertyID <= RecordFormat.propertyIDMax,
                !field.name.isEmpty, seen.insert(field.propertyID).inserted
            else { throw contradiction(layout, "property \(field.name) is listed wrongly") }
            if let known = entity.properties[field.name] {
                guard known == Property(id: field.propertyID, type: field.type) else {
                    throw contradiction(layout, "property \(field.name) was something else")
                }
            } else {
                let others = entity.properties.values
                guard !others.contains(where: { $0.id == field.propertyID }) else {
                    throw contradiction(layout, "property \(field.name) has another's number")
                }
                entity.properties[field.name] = Property(id: field.propertyID, type: field.type)
            }
        }
    }

    private static func contradiction(_ layout: EntityLayout, _ what: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The schema of the store contradicts itself at layout \(layout.layoutID) "
                + "of \(layout.entityName): \(what). Restore the store from a backup.",
            details: ["entity": layout.entityName, "layout": "\(layout.layoutID)"])
    }
}

extension Schema.Entity {
    /// The number and type of a property that any layout had.
    func property(named name: String) -> Schema.Property? { properties[name] }

    /// The number that the next new property gets.
    var nextPropertyID: UInt32 { (properties.values.lazy.map(\.id).max() ?? 0) + 1 }
}
