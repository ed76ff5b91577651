// DaybookModel: a Swift declaration read as an entity model, and the code written for it.
// It knows Swift's syntax and the names that the Daybook module declares. It must not know how an
// object is stored: no row, no file, no other module of Daybook is imported here.
//
// Invariants:
// - Three steps that never mix: syntax is read into an `EntityModel`, which holds plain values and
//   no syntax; the model alone decides the text that `EntityCode` writes. Whoever finds another
//   spelling of an entity (comments, another library's attributes) changes the reader only, and
//   whoever writes files instead of expansions uses the same text.
// - A model exists only for a declaration without an error in it: no code is ever written for half
//   an entity.
// - Without the package trait `Macros` the module is empty, and swift-syntax is not built.

#if Macros
/// What Daybook needs to know of an entity's declaration, as plain values.
package struct EntityModel: Hashable, Sendable {
    /// How the type is declared; it decides where its initialisers may stand.
    package enum Shape: Hashable, Sendable {
        /// A struct, whose memberwise initialiser survives only if ours stands in an extension.
        case structure
        /// A final class, whose designated initialisers must stand in the class itself.
        case finalClass
    }

    /// How far the declaration can be seen; the code written for it is seen as far.
    package enum Access: String, Hashable, Sendable {
        /// `private`, `fileprivate` or `internal`: members without a modifier follow the type.
        case inherited = ""
        case package
        case `public`
    }

    /// The `init()` that a declaration relies on and that `init(row:)` takes away from a class.
    package enum EmptyInitializer: Hashable, Sendable {
        /// The declaration has its own, or none.
        case unneeded
        case needed
        /// Needed, and the superclass is known to have one as well.
        case overriding
    }

    /// A property whose value is stored in an object's row.
    package struct Property: Hashable, Sendable {
        /// The name under which the schema knows it, without backticks.
        package let name: String
        /// The name as code must spell it, with backticks where the declaration has them.
        package let spelling: String
        /// The type as an expression before `.self`, or nil where the declaration leaves it to the
        /// compiler.
        package let type: String?

        /// Makes the description of one stored property.
        package init(name: String, spelling: String, type: String?) {
            self.name = name
            self.spelling = spelling
            self.type = type
        }
    }

    /// The type's own name, without backticks: the entity's name in the schema.
    package let name: String
    /// The type as code at the top of a file must spell it, such as `Outer.Person`.
    package let qualifiedName: String
    /// Whether it is a struct or a final class.
    package let shape: Shape
    /// How far it can be seen.
    package let access: Access
    /// The id property, as code must spell it.
    package let identitySpelling: String
    /// Whether the declaration has an `entityId` already, so that none is written.
    package let declaresEntityId: Bool
    /// The stored properties without the id, in the order of the declaration. The position of a
    /// property here is its position in the row.
    package let properties: [Property]
    /// Whether an `init()` must be written.
    package let emptyInitializer: EmptyInitializer

    /// Makes a model; ``EntityModelReader`` is where they come from.
    package init(
        name: String, qualifiedName: String, shape: Shape, access: Access,
        identitySpelling: String, declaresEntityId: Bool, properties: [Property],
        emptyInitializer: EmptyInitializer
    ) {
        self.name = name
        self.qualifiedName = qualifiedName
        self.shape = shape
        self.access = access
        self.identitySpelling = identitySpelling
        self.declaresEntityId = declaresEntityId
        self.properties = properties
        self.emptyInitializer = emptyInitializer
    }
}
#endif
