package import DaybookRecords

/// The entities that queries can refer to, with their properties and relations by name.
///
/// The model of a program has the Swift names of the properties; that of a tool has the names in
/// the store's newest layouts.
package struct QueryModel: Sendable {
    /// The meaning of a name in an entity.
    package enum Member: Sendable {
        case property(QueryProperty)
        case relation(QueryRelation)
        case id
    }

    /// An entity or an embedded type.
    package struct Entity: Sendable {
        package var name: String
        /// The id of the entity in the store.
        package var entity: UInt32
        package var kind: EntityKind
        package var members: [String: Member]

        package init(
            name: String, entity: UInt32, kind: EntityKind = .object, members: [String: Member]
        ) {
            self.name = name
            self.entity = entity
            self.kind = kind
            self.members = members
        }
    }

    /// By entity id.
    package var entities: [UInt32: Entity]

    package init(_ entities: [Entity]) {
        self.entities = Dictionary(
            entities.map { ($0.entity, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// A property of an entity. It is identified by its id: rows of older layouts may have it in
/// another place, in another width, or not at all.
package struct QueryProperty: Sendable, Hashable {
    package var name: String
    /// The id of the property within its entity.
    package var propertyID: UInt32
    /// The entity or embedded type of the property.
    package var entity: UInt32
    package var shape: ValueShape
    /// The entity id of an embedded value's type; nil for all other types.
    package var embeddedEntity: UInt32?

    package init(
        name: String, propertyID: UInt32, entity: UInt32, shape: ValueShape,
        embeddedEntity: UInt32? = nil
    ) {
        self.name = name
        self.propertyID = propertyID
        self.entity = entity
        self.shape = shape
        self.embeddedEntity = embeddedEntity
    }
}

/// A relation, seen from one of its ends.
package struct QueryRelation: Sendable, Hashable {
    package var name: String
    /// Nil if the store does not have the relation yet. It then leads to no objects.
    package var relationID: UInt32?
    package var isBackward: Bool
    /// Whether it leads to at most one object.
    package var isToOne: Bool
    /// Whether it is a relation to lists, which may contain an object several times.
    package var isList: Bool
    /// The entity of the objects at the other end.
    package var target: UInt32

    package init(
        name: String, relationID: UInt32?, isBackward: Bool, isToOne: Bool, isList: Bool,
        target: UInt32
    ) {
        self.name = name
        self.relationID = relationID
        self.isBackward = isBackward
        self.isToOne = isToOne
        self.isList = isList
        self.target = target
    }
}
