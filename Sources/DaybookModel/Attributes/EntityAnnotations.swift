#if Macros
/// The annotations of an entity, apart from its properties, in any spelling.
///
/// The reader of each spelling (attributes, comments, Realm's declarations) creates these values.
/// `EntityModelReader` interprets them.
package struct EntityAnnotations: Hashable, Sendable {
    /// One index or constraint over several properties.
    package struct Columns: Hashable, Sendable {
        /// The Swift names of the properties, in order.
        package var names: [String] = []
        /// The kind of the index, one of ``CommentName/indexKinds``; nil for the default.
        package var kind: String?
        /// The conflict policy as code (`fail`, `replace`, …); nil for the default.
        package var onConflict: String?
    }

    /// The time at which objects expire.
    package struct Expiry: Hashable, Sendable {
        /// The Swift name of the property with the date.
        package var name: String
        /// The duration after the date as code; nil for none.
        package var after: String?
    }

    /// Whether the declaration is annotated as an entity.
    package var isEntity = false
    package var isEmbedded = false
    package var isEvent = false
    /// The stored name, if it differs from the type's name.
    package var storedName: String?
    /// A number that stays the same when the entity is renamed.
    package var uid: UInt64?
    /// The former names of the entity.
    package var formerNames: [String] = []
    package var indexes: [Columns] = []
    package var uniques: [Columns] = []
    /// The properties of a compound primary key.
    package var primaryKey: [String] = []
    /// At most one is valid.
    package var expiries: [Expiry] = []

    package init() {}
}

/// The annotations of a property, apart from name and type, in any spelling.
package struct PropertyAnnotations: Hashable, Sendable {
    /// The conversion to stored values, if the type does not define it.
    package enum Conversion: Hashable, Sendable {
        /// An expression for the value that replaces a missing or unknown one.
        case fallback(String)
        /// A type with two `convert` functions, and the stored type.
        case converter(type: String, stored: String)
        /// As JSON, by the value's `Codable`.
        case encoded
        /// A date with nanoseconds.
        case nanoseconds
    }

    /// The kind of the index, one of ``CommentName/indexKinds``; empty for the default.
    package var index: String?
    /// A unique constraint: the conflict policy as code (`fail`, …).
    package var unique: String?
    /// The arguments of a vector index as code (`dimensions: 3`, `metric: .cosine`).
    package var vector: [String]?
    /// Whether the bytes are a value of any type, in ObjectBox's `flex` format.
    package var isFlexible = false
    package var isIdentity = false
    /// Whether the program may choose ids; only with ``isIdentity``.
    package var isAssignable = false
    package var isPrimaryKey = false
    package var isTransient = false
    /// Whether an attribute marks the property as stored. Unmarked properties are then ignored
    /// (Realm).
    package var isPersisted = false
    /// The stored name, if it differs from the property's name.
    package var storedName: String?
    package var uid: UInt64?
    package var formerNames: [String] = []
    package var conversion: Conversion?
    /// The property of the relation that a backlink reads.
    package var backlink: String?
    /// The entity type of the relation, if the backlink names it.
    package var backlinkTarget: String?
    /// Whether the property is annotated as a relation, with or without rules.
    package var isRelation = false
    package var rules = RelationRules()

    package init() {}
}
#endif
