/// The store as a whole: `GET /api/store`.
struct StoreDescription: Codable, Sendable, Equatable {
    /// The path of the store's directory.
    var path: String
    /// The identity of the store, the same as in its manifest.
    var identity: String
    /// The newest commit; nil in an empty store.
    var newest: Moment?
    /// The oldest commit of the log; nil in an empty store.
    var oldest: Moment?
    /// The first sequence whose state can be shown; 0 if the history is complete.
    var historyFloor: UInt64
    /// Whether the page may change the store.
    var allowsWrites: Bool
    /// The entities in the order of their creation.
    var entities: [EntityDescription]
}

/// A commit by its sequence and time.
struct Moment: Codable, Sendable, Equatable {
    var sequence: UInt64
    /// The commit time, in microseconds since 1970.
    var microseconds: Int64
}

/// An entity with its newest layout, and the number of its objects at the chosen moment.
struct EntityDescription: Codable, Sendable, Equatable {
    var name: String
    /// `object`, `event` or `embedded`.
    var kind: String
    /// The number of objects; nil for events and embedded types.
    var count: UInt64?
    var properties: [PropertyDescription]
    var relations: [RelationDescription]
    var backlinks: [BacklinkDescription]
    var indexes: [IndexDescription]
    /// The properties of the primary key; nil if there is none.
    var primaryKey: [String]?
}

/// A property with values.
struct PropertyDescription: Codable, Sendable, Equatable {
    var name: String
    /// The type, such as `list<string?>`.
    var type: String
    var isOptional: Bool
}

/// A relation of an entity.
struct RelationDescription: Codable, Sendable, Equatable {
    var name: String
    /// `toOne`, `toMany`, `list` or `map`.
    var kind: String
    /// The name of the target entity.
    var target: String
}

/// A relation of another entity whose target is this one.
struct BacklinkDescription: Codable, Sendable, Equatable {
    var entity: String
    var relation: String
}

/// An index of an entity.
struct IndexDescription: Codable, Sendable, Equatable {
    var properties: [String]
    /// `value`, `hash`, `words` or `caseInsensitive`.
    var kind: String
    var isUnique: Bool
}

/// A change of the layout of an entity: `GET /api/schema-history` has all of them, oldest first.
struct SchemaChangeLine: Codable, Sendable, Equatable {
    /// The commit of the change.
    var sequence: UInt64
    /// The commit time, in microseconds since 1970.
    var microseconds: Int64
    /// The name of the entity after the change.
    var entity: String
    /// The differences in words, such as `added property age: int64`.
    var differences: [String]
}
