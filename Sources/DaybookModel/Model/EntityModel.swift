#if Macros
/// What Daybook needs to know of an entity's declaration, as plain values.
package struct EntityModel: Hashable, Sendable {
    /// What the type is to the store. The raw value is the protocol that it conforms to.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Kept under an id.
        case entity = "Entity"
        /// Kept inside the row of another object.
        case embedded = "Embedded"
        /// Appended, and never looked up.
        case event = "Event"
    }

    /// How the type is declared; it decides where its initialisers may stand.
    package enum Shape: Hashable, Sendable {
        /// A struct, whose memberwise initialiser survives only if ours stands in an extension.
        case structure
        /// A final class, whose designated initialisers must stand in the class itself.
        case finalClass
        /// A class that others may inherit from: an initialiser that `Self` calls is `required`.
        case inheritableClass
    }

    /// A base class of Realm's. The raw value is its name.
    package enum RealmBase: String, Hashable, Sendable {
        case object = "Object"
        case embedded = "EmbeddedObject"
        case asymmetric = "AsymmetricObject"

        /// What a subclass is to the store.
        package var kind: Kind {
            switch self {
            case .object: .entity
            case .embedded: .embedded
            case .asymmetric: .event
            }
        }
    }

    /// How far the declaration can be seen; the code written for it is seen as far.
    package enum Access: String, Hashable, Sendable {
        /// `private`, `fileprivate` or `internal`: members without a modifier follow the type.
        case inherited = ""
        case package
        case `public`
    }

    /// How an object is made of a row.
    package enum DecodingStyle: Hashable, Sendable {
        /// By an initialiser that reads the row.
        case initializer
        /// By `init()`, and then an assignment for each property.
        case assignment
    }

    /// Where the object's id is.
    package enum Identity: Hashable, Sendable {
        /// In a property, spelled so.
        case property(String)
        /// In `entityId` of the base class.
        case inherited
        /// Nowhere: the object is found by its primary key.
        case hidden
        /// It has none.
        case none
    }

    /// The `init()` that a declaration relies on and that `init(row:)` takes away from a class.
    package enum EmptyInitializer: Hashable, Sendable {
        /// The declaration has its own, or none.
        case unneeded
        case needed
        /// Needed, and the superclass is known to have one as well.
        case overriding
    }

    /// What is said of the whole entity. Properties go by their names in the store.
    package enum Attribute: Hashable, Sendable {
        case assignableIds
        case primaryKey([String])
        case index([String], kind: String?)
        case unique([String], onConflict: String?)
        case renamed([String])
        case uid(UInt64)
        /// The type's `propertiesMapping()` gives the names in the store.
        case mapped
    }

    /// The type's own name, without backticks.
    package var name: String
    /// The entity's name in the schema.
    package var storedName: String
    /// The type as code at the top of a file must spell it, such as `Outer.Person`.
    package var qualifiedName: String
    package var kind: Kind = .entity
    package var shape: Shape
    package var style: DecodingStyle = .initializer
    /// How far it can be seen.
    package var access: Access = .inherited
    package var identity: Identity
    /// Whether the declaration has an `entityId` already, so that none is written.
    package var declaresEntityId = false
    /// Whether the declaration itself states the conformance that its kind needs.
    package var statesConformance = false
    /// In the order in which they are written.
    package var attributes: [Attribute] = []
    /// The properties in the row, without the id, in the order of the declaration. The position of
    /// a property here is its position in the row.
    package var properties: [Property] = []
    /// The properties that are not in the row, in the order of the declaration. The position of one
    /// here is the number by which code names it.
    package var backlinks: [Backlink] = []
    /// What stands for the properties in conditions.
    package var descriptors: [Descriptor] = []
    /// Whether `Self()` makes an object: false for a class that others may inherit from, if its
    /// `init()` is not `required`.
    package var makesSelf = true
    /// Whether an `init()` must be written.
    package var emptyInitializer: EmptyInitializer = .unneeded

    /// Makes a model; ``EntityModelReader`` is where they come from.
    package init(name: String, qualifiedName: String, shape: Shape, identity: Identity) {
        self.name = name
        storedName = name
        self.qualifiedName = qualifiedName
        self.shape = shape
        self.identity = identity
    }
}
#endif
