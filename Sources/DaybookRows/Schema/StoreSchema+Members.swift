extension StoreSchema {
    /// A property with values.
    public struct Property: Sendable, Hashable, Codable {
        /// The name in the store.
        public var name: String
        /// The type of its values.
        public var type: ValueType
        /// Whether the running program declares the property.
        public var isDeclared: Bool

        /// Whether a value may be null.
        public var isOptional: Bool { type.isOptional }
    }

    /// A relation from the objects of an entity.
    public struct Relation: Sendable, Hashable, Codable {
        /// The number of targets, and their order.
        public enum Kind: String, Sendable, Hashable, Codable {
            /// At most one object.
            case toOne
            /// Any number of different objects, without an order.
            case toMany
            /// A list of objects, which may contain an object several times.
            case list
            /// At most one object for each key.
            case map
        }

        /// The name in the store.
        public var name: String
        /// The kind of the relation.
        public var kind: Kind
        /// The entity of the targets.
        public var target: String
        /// Whether the running program declares the relation.
        public var isDeclared: Bool
    }

    /// A relation to the objects of an entity, seen from its targets.
    public struct Backlink: Sendable, Hashable, Codable {
        /// The entity of the sources.
        public var entity: String
        /// The name of the relation there.
        public var relation: String

        /// The name of the backlink in text queries: `<-Order.customer`.
        public var path: String { "<-\(entity).\(relation)" }
    }

    /// An index of an entity.
    public struct Index: Sendable, Hashable, Codable {
        /// The order of the keys.
        public enum Kind: String, Sendable, Hashable, Codable {
            /// Sorted by value.
            case value
            /// Hashes, for equality only.
            case hash
            /// The words of a string.
            case words
            /// Sorted by value, without case.
            case caseInsensitive
            /// Vectors, for nearest neighbours.
            case vectors
        }

        /// The properties, in the order of the key.
        public var properties: [String]
        /// The order of the keys.
        public var kind: Kind
        /// Whether no two objects have the same values.
        public var isUnique: Bool
        /// Whether the values identify an object.
        public var isPrimaryKey: Bool
    }
}
