/// The schema of a store as a value: its entities with their properties, relations and indexes.
///
/// It describes the newest layouts. A store contains its own schema, so a program without the types
/// can read it.
public struct StoreSchema: Sendable, Hashable, Codable {
    /// The highest version of a program's declarations that the store has recorded; 0 if there is
    /// none.
    public var version: UInt64
    /// The entities, in the order in which they were added to the store.
    public var entities: [Entity]

    /// The entity with a name; nil if there is none.
    public subscript(name: String) -> Entity? { entities.first { $0.name == name } }

    /// The kind of an entity.
    public enum EntityKind: String, Sendable, Hashable, Codable {
        /// Its objects have ids, and can be changed and removed.
        case object
        /// Its events are appended and never changed.
        case event
        /// Its values are stored inside other objects.
        case embedded
    }

    /// An entity of the schema.
    public struct Entity: Sendable, Hashable, Codable {
        /// The name in the store.
        public var name: String
        /// Whether it has objects, events or embedded values.
        public var kind: EntityKind
        /// Whether the running program opened the store with a type for the entity.
        public var isDeclared: Bool
        /// The properties with values, in the order of the rows.
        public var properties: [Property]
        /// The relations from its objects.
        public var relations: [Relation]
        /// The relations to its objects.
        public var backlinks: [Backlink]
        /// The indexes.
        public var indexes: [Index]

        /// The names of the properties that are the primary key; empty without one.
        public var primaryKey: [String] { indexes.first(where: \.isPrimaryKey)?.properties ?? [] }
        /// The property with a name; nil if there is none.
        public func property(named name: String) -> Property? {
            properties.first { $0.name == name }
        }
        /// The relation with a name; nil if there is none.
        public func relation(named name: String) -> Relation? {
            relations.first { $0.name == name }
        }
    }
}
