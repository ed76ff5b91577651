#if Macros
/// The parts of an entity's declaration that the generated code needs, as plain values.
package struct EntityModel: Hashable, Sendable {
    /// The kind of the entity. The raw value is the protocol that the type conforms to.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Stored with an id.
        case entity = "Entity"
        /// Stored in the row of another object.
        case embedded = "Embedded"
        /// Appended, without lookups.
        case event = "Event"
    }

    /// The kind of declaration, which determines where its initializers may be.
    package enum Shape: Hashable, Sendable {
        /// A struct. Its memberwise initializer is kept only if the generated one is in an
        /// extension.
        case structure
        /// A final class. Its designated initializers must be in the class itself.
        case finalClass
        /// A class that can be subclassed: an initializer that `Self` calls is `required`.
        case inheritableClass
    }

    /// A base class of Realm's. The raw value is its name.
    package enum RealmBase: String, Hashable, Sendable {
        case object = "Object"
        case embedded = "EmbeddedObject"
        case asymmetric = "AsymmetricObject"

        /// The kind of a subclass.
        package var kind: Kind {
            switch self {
            case .object: .entity
            case .embedded: .embedded
            case .asymmetric: .event
            }
        }
    }

    /// The access level of the declaration and of the generated code.
    package enum Access: String, Hashable, Sendable {
        /// `private`, `fileprivate` or `internal`: members without a modifier follow the type.
        case inherited = ""
        case package
        case `public`
    }

    /// The creation of an object from a row.
    package enum DecodingStyle: Hashable, Sendable {
        /// An initializer that reads the row.
        case initializer
        /// `init()`, followed by an assignment for each property.
        case assignment
    }

    /// The location of the object's id.
    package enum Identity: Hashable, Sendable {
        /// A property with this spelling.
        case property(String)
        /// `entityId` of the base class.
        case inherited
        /// None: the object is found by its primary key.
        case hidden
        /// None.
        case none
    }

    /// The implicit `init()` that a class loses when `init(row:)` is added.
    package enum EmptyInitializer: Hashable, Sendable {
        /// The declaration has its own, or none.
        case unneeded
        case needed
        /// Needed, and the superclass has one, too.
        case overriding
    }

    /// An annotation of the whole entity. Properties have their stored names.
    package enum Attribute: Hashable, Sendable {
        case assignableIds
        case primaryKey([String])
        case index([String], kind: String?)
        case unique([String], onConflict: String?)
        case renamed([String])
        case uid(UInt64)
        /// The duration is code.
        case expires(String, after: String?)
        /// The type's `propertiesMapping()` returns the stored names.
        case mapped
    }

    /// The type's own name without backticks.
    package var name: String
    /// The entity's name in the schema.
    package var storedName: String
    /// The type as spelled at the top level of a file, such as `Outer.Person`.
    package var qualifiedName: String
    package var kind: Kind = .entity
    package var shape: Shape
    package var style: DecodingStyle = .initializer
    /// The access level.
    package var access: Access = .inherited
    package var identity: Identity
    /// Whether the declaration already has an `entityId`, so that none is generated.
    package var declaresEntityId = false
    /// Whether the declaration itself states the required conformance.
    package var statesConformance = false
    /// In the written order.
    package var attributes: [Attribute] = []
    /// The properties in the row, without the id, in the order of the declaration. The index of a
    /// property is its index in the row.
    package var properties: [Property] = []
    /// The properties that are not in the row, in the order of the declaration. Code refers to them
    /// by their index.
    package var backlinks: [Backlink] = []
    /// The properties that a copy of the object with another id takes over, as spelled in code; nil
    /// if the id is a variable.
    package var copiedProperties: [String]?
    /// The descriptors of properties in conditions.
    package var descriptors: [Descriptor] = []
    /// Whether `Self()` creates an object: false for a class that can be subclassed and whose
    /// `init()` is not `required`.
    package var makesSelf = true
    /// Whether an `init()` must be generated.
    package var emptyInitializer: EmptyInitializer = .unneeded

    /// Creates a model; ``EntityModelReader`` fills it.
    package init(name: String, qualifiedName: String, shape: Shape, identity: Identity) {
        self.name = name
        storedName = name
        self.qualifiedName = qualifiedName
        self.shape = shape
        self.identity = identity
    }
}
#endif
