package import DaybookRecords

/// What names mean: the entities that a query may speak of, with their properties and relations.
///
/// A program's model has the properties under their names in Swift; that of a tool has those of the
/// store's newest layouts.
package struct QueryModel: Sendable {
    /// What a name means in an entity.
    package enum Member: Sendable {
        case property(QueryProperty)
        case relation(QueryRelation)
        case id
    }

    /// An entity, or an embedded type.
    package struct Entity: Sendable {
        package var name: String
        /// The number in the store.
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

    /// By their numbers.
    package var entities: [UInt32: Entity]

    package init(_ entities: [Entity]) {
        self.entities = Dictionary(
            entities.map { ($0.entity, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// A property of an entity. It is known by its number: rows of older layouts may have it elsewhere,
/// in another width, or not at all.
package struct QueryProperty: Sendable, Hashable {
    package var name: String
    /// The number of the property within its entity.
    package var propertyID: UInt32
    /// Which entity or embedded type it is of.
    package var entity: UInt32
    package var shape: ValueShape
    /// The number of the type of an embedded value; nil for all other types.
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

/// A relation, from one of its ends.
package struct QueryRelation: Sendable, Hashable {
    package var name: String
    /// Nil where the store has no such relation yet: it leads nowhere.
    package var relationID: UInt32?
    package var isBackward: Bool
    /// Whether it leads to one object at most.
    package var isToOne: Bool
    /// Whether it is one to lists, which may have an object several times.
    package var isList: Bool
    /// The entity of the objects that it leads to.
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
