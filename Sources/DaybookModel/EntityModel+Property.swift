#if Macros
extension EntityModel {
    /// A property whose value is stored in an object's row.
    package struct Property: Hashable, Sendable {
        /// What is said of one property.
        package enum Attribute: Hashable, Sendable {
            /// The kind is empty for the default.
            case index(kind: String)
            /// What a put does that breaks it is empty for the default.
            case unique(onConflict: String)
            case primaryKey
            case renamed([String])
            case uid(UInt64)
            /// The name in Swift, where the schema has another.
            case declared(String)
        }

        /// The name in Swift, without backticks.
        package var name: String
        /// The name under which the schema knows it.
        package var storedName: String
        /// The name as code must spell it, with backticks where the declaration has them.
        package var spelling: String
        /// The type as an expression before `.self`, or nil where the declaration leaves it to the
        /// compiler.
        package var type: String?
        /// How its values are stored where their type does not say it.
        package var conversion: PropertyAnnotations.Conversion?
        /// Whether the type is one of Swift's own, whose name is seen everywhere.
        package var hasPlainType = false
        /// The value in the declaration, as an expression, where reading needs it.
        package var initialValue: String?
        /// In the order in which they are written.
        package var attributes: [Attribute] = []

        /// Makes the description of one stored property, under its own name.
        package init(name: String, spelling: String, type: String?) {
            self.name = name
            storedName = name
            self.spelling = spelling
            self.type = type
        }
    }

    /// A property that leads to other objects and has no place in the row.
    package struct Relation: Hashable, Sendable {
        /// The name in Swift, without backticks.
        package var name: String
        /// The name under which the schema knows it.
        package var storedName: String
        /// The name as code must spell it, with backticks where the declaration has them.
        package var spelling: String
        /// The type of the objects that it leads to, if the declaration shows it.
        package var target: String?
        /// The property at the other end, if this one reads that relation backwards.
        package var backlink: String?
    }
}
#endif
