#if Macros
extension EntityModel {
    /// A property with a place in an object's row. Of a relation only the place is there.
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
            case relation(RelationRules)
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
        /// Where its value leads.
        package var destination: Destination = .unknown
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

    /// A property that reads a relation of another entity in the other direction. It has no place
    /// in the row.
    package struct Backlink: Hashable, Sendable {
        /// The name in Swift, without backticks.
        package var name: String
        /// The name as code must spell it, with backticks where the declaration has them.
        package var spelling: String
        /// The type of the objects that it leads to, as the beginning of a key path.
        package var target: String
        /// The name in Swift of the property that it reads backwards, without backticks.
        package var origin: String
        /// What is said at this end of the relation's rules.
        package var rules: RelationRules
    }

    /// Where the value of a property leads, as far as its declaration tells.
    package enum Destination: Hashable, Sendable {
        case unknown
        /// To no other object: it is a value.
        case nowhere
        case objects(of: String)
    }
}
#endif
