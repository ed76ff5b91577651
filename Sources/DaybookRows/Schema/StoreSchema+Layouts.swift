package import DaybookRecords

extension StoreSchema {
    /// The newest layouts of a store. `declares` tells whether the program declares an entity, or
    /// a property of it, by their numbers.
    package init(
        _ schema: Schema, declares: (_ entity: UInt32, _ property: UInt32?) -> Bool
    ) {
        version = schema.version
        entities = schema.entities.compactMap { entity in
            schema.currentLayout(ofEntity: entity.id).map { layout in
                Entity(layout, schema) { declares(entity.id, $0) }
            }
        }
    }
}

extension StoreSchema.Entity {
    fileprivate init(
        _ layout: EntityLayout, _ schema: Schema, declares: (_ property: UInt32?) -> Bool
    ) {
        name = layout.entityName
        kind =
            switch layout.kind {
            case .object: .object
            case .event: .event
            case .embedded: .embedded
            }
        isDeclared = declares(nil)
        properties = layout.fields.compactMap { field in
            StoreSchema.ValueType(field.shape).map {
                StoreSchema.Property(
                    name: field.name, type: $0, isDeclared: declares(field.propertyID))
            }
        }
        relations = layout.fields.compactMap { field in
            field.relation.flatMap { schema.relation($0.relationID) }.map { relation in
                StoreSchema.Relation(
                    name: field.name, kind: .init(field.type),
                    target: schema.entity(relation.targetEntityID)?.name ?? "",
                    isDeclared: declares(field.propertyID))
            }
        }
        backlinks = StoreSchema.backlinks(to: layout.entityID, schema).map(\.backlink)
        indexes = layout.indexes.map { index in
            StoreSchema.Index(
                properties: index.propertyIDs.compactMap { id in
                    layout.fields.first { $0.propertyID == id }?.name
                },
                kind: .init(index.kind), isUnique: index.isUnique || index.isPrimaryKey,
                isPrimaryKey: index.isPrimaryKey)
        }
    }
}

extension Field {
    fileprivate func isOf(_ relation: Schema.Relation) -> Bool {
        self.relation?.relationID == relation.relationID
    }
}

extension StoreSchema.Relation.Kind {
    init(_ type: FieldType) {
        self =
            switch type {
            case .toOne: .toOne
            case .objects: .list
            case .keyedObjects: .map
            default: .toMany
            }
    }
}

extension StoreSchema.Index.Kind {
    fileprivate init(_ kind: LayoutIndex.Kind) {
        self =
            switch kind {
            case .value: .value
            case .hash: .hash
            case .text: .words
            case .folded: .caseInsensitive
            case .vector: .vectors
            }
    }
}

extension StoreSchema {
    /// The relations to an entity that the newest layouts have.
    package static func backlinks(
        to entity: UInt32, _ schema: Schema
    ) -> [(backlink: Backlink, relation: Schema.Relation)] {
        schema.relations(to: entity).compactMap { relation in
            let source = schema.currentLayout(ofEntity: relation.entityID)
            guard let source, source.fields.contains(where: { $0.isOf(relation) }) else {
                return nil
            }
            return (Backlink(entity: source.entityName, relation: relation.name), relation)
        }
    }
}
