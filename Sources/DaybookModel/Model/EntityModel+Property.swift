#if Macros
extension EntityModel {
    /// A property of an object's row. A relation has only a place in the row.
    package struct Property: Hashable, Sendable {
        /// An annotation of a property.
        package enum Attribute: Hashable, Sendable {
            /// The kind is empty for the default.
            case index(kind: String)
            /// The conflict policy is empty for the default.
            case unique(onConflict: String)
            case primaryKey
            /// The arguments of a vector index as code.
            case vector([String])
            case renamed([String])
            case uid(UInt64)
            case relation(RelationRules)
            /// The Swift name, if the schema has another name.
            case declared(String)
        }

        /// The Swift name without backticks.
        package var name: String
        /// The name in the schema.
        package var storedName: String
        /// The name as spelled in code, with backticks if the declaration has them.
        package var spelling: String
        /// The type as an expression before `.self`, or nil if the declaration leaves it to the
        /// compiler.
        package var type: String?
        /// The conversion to stored values, if the type does not define it.
        package var conversion: PropertyAnnotations.Conversion?
        /// Whether the type is one of Swift's own, whose name is visible everywhere.
        package var hasPlainType = false
        /// The value in the declaration, as an expression, if reading needs it.
        package var initialValue: String?
        /// Whether the code reads and writes the wrapper of the property: an optional object in
        /// Realm's style, which may be a link.
        package var mayBeLink = false
        /// Whether it is a `let`, whose value a read changes.
        package var isConstant = false
        /// The target of a relation.
        package var destination: Destination = .unknown
        /// In the written order.
        package var attributes: [Attribute] = []

        /// The property, or the wrapper of a property that may be a link, as spelled in code.
        var storageSpelling: String {
            mayBeLink ? EntityModel.wrapperSpelling(of: name) : spelling
        }

        /// Creates the model of a stored property with its own name.
        package init(name: String, spelling: String, type: String?) {
            self.name = name
            storedName = name
            self.spelling = spelling
            self.type = type
        }
    }

    /// A property that reads a relation of another entity in the opposite direction. It has no
    /// place in the row.
    package struct Backlink: Hashable, Sendable {
        /// Whether it is a `let`, whose value a read changes.
        package var isConstant = false
        /// The Swift name without backticks.
        package var name: String
        /// The name as spelled in code, with backticks if the declaration has them.
        package var spelling: String
        /// The type of the source objects, as the root of a key path.
        package var target: String
        /// The Swift name of the relation's property, without backticks.
        package var origin: String
        /// The relation's rules at this end.
        package var rules: RelationRules
    }

    /// The wrapper of a property with that name, as spelled in code.
    static func wrapperSpelling(of name: String) -> String { "$\(name)" }

    /// The target of a property's value, as far as its declaration shows it.
    package enum Destination: Hashable, Sendable {
        case unknown
        /// No other object: the property is a value.
        case nowhere
        case objects(of: String)
    }
}
#endif
