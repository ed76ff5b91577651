#if Macros
/// What a declaration says of its entity beside the properties, however it is spelled.
///
/// Each spelling (attributes, comments, Realm's declarations) is read into these values; what they
/// mean is decided once, by whoever reads the values.
package struct EntityAnnotations: Hashable, Sendable {
    /// One index or constraint over several properties.
    package struct Columns: Hashable, Sendable {
        /// The Swift names of the properties, in order.
        package var names: [String] = []
        /// How it is kept, as ``CommentName/indexKinds`` has it; nil for the default.
        package var kind: String?
        /// What a put does that breaks it, as code (`fail`, `replace`, …); nil for the default.
        package var onConflict: String?

        package init(names: [String] = [], kind: String? = nil, onConflict: String? = nil) {
            self.names = names
            self.kind = kind
            self.onConflict = onConflict
        }
    }

    /// Whether the declaration says at all that it is an entity.
    package var isEntity = false
    package var isEmbedded = false
    package var isEvent = false
    /// The name in the store, where it is not the type's.
    package var storedName: String?
    /// A number that stays the same when the entity is renamed.
    package var uid: UInt64?
    /// The names that the entity had before.
    package var formerNames: [String] = []
    package var indexes: [Columns] = []
    package var uniques: [Columns] = []
    /// The properties of a compound primary key.
    package var primaryKey: [String] = []

    package init() {}
}

/// What a declaration says of one property beside name and type, however it is spelled.
package struct PropertyAnnotations: Hashable, Sendable {
    /// How values are turned into stored ones where their type does not say it.
    package enum Conversion: Hashable, Sendable {
        /// A value for what is missing or unknown, as an expression.
        case fallback(String)
        /// A type with two functions `convert`, and the type that is stored.
        case converter(type: String, stored: String)
        /// As JSON, by the value's `Codable`.
        case encoded
        /// A date kept to the nanosecond.
        case nanoseconds
    }

    /// The kind of an index, as ``CommentName/indexKinds`` has it; empty for the default.
    package var index: String?
    /// A unique constraint: what a put does that breaks it, as code (`fail`, …).
    package var unique: String?
    package var isIdentity = false
    /// Whether ids may be chosen freely; only with ``isIdentity``.
    package var isAssignable = false
    package var isPrimaryKey = false
    package var isTransient = false
    /// Whether an attribute says that it is stored, which leaves out what says nothing (Realm).
    package var isPersisted = false
    /// The name in the store, where it is not the property's.
    package var storedName: String?
    package var uid: UInt64?
    package var formerNames: [String] = []
    package var conversion: Conversion?
    /// The property at the other end of a relation that this one reads backwards.
    package var backlink: String?
    /// The type at the other end, where the backlink itself names it.
    package var backlinkTarget: String?
    /// Whether it is said to be a relation, with rules or without.
    package var isRelation = false
    package var rules = RelationRules()

    package init() {}
}
#endif
