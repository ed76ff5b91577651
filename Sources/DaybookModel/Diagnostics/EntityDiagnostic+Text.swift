#if Macros
extension EntityDiagnostic {
    package var message: String {
        switch self {
        case .kindUnsuitable(let name, let kind):
            "an entity is a class or a struct, but '\(name)' is \(kind)"
        case .kindContradiction(let name, let kinds):
            "'\(name)' is declared as " + kinds.joined(separator: " and ")
                + ": it can be only one of them"
        case .kindOfBase(let name, let base, let attribute):
            "'\(name)' is a subclass of '\(base)': mark it \(attribute)"
        case .subclassOfEntity(let name, let superclass, let conformance):
            "'\(name)' inherits from '\(superclass)', but an entity cannot inherit from another "
                + "entity: the store has one list of properties per type. If '\(superclass)' is a "
                + "protocol, add '\(conformance)' after it"
        case .generic(let name):
            "'\(name)' cannot be generic: the store has one list of properties per type"
        case .insideGenericType(let name, let enclosing):
            "'\(name)' is generic, because it is declared inside the generic type '\(enclosing)': "
                + "move it out"
        case .nestedPrivately(let name):
            "nested type '\(name)' must be 'fileprivate' instead of 'private': its generated "
                + "extension is outside the enclosing type"
        case .isolatedType(let name):
            "'\(name)' cannot be isolated to the main actor: its objects are read and written on "
                + "any thread"
        case .emptyInitializerMissing(let name):
            "class '\(name)' needs 'init()', or one initializer whose parameters all have "
                + "defaults: generated code outside the class creates an object with it, and then "
                + "sets the properties"
        case .initializerMissing(let name, let properties):
            "class '\(name)' has no initializer, so a program cannot create its objects: write "
                + "one, or give these properties initial values: " + Self.list(properties)
        case .isolatedProperty, .constant, .lazy, .weak, .conditional, .tuplePattern,
            .transientWithoutDefault, .relationOptional, .storedNameTwice:
            propertyMessage
        case .identityMissing, .identityAmbiguous, .identityTwice, .identityUnsuitable,
            .entityIdTaken:
            identityMessage
        default:
            markMessage
        }
    }

    private var propertyMessage: String {
        switch self {
        case .isolatedProperty(let name):
            "'\(name)' is stored, so it cannot be isolated to the main actor: objects are read and "
                + "written on any thread"
        case .constant(let names):
            "a stored property must be 'var', because reading an object assigns it: "
                + Self.list(names)
        case .lazy(let name):
            "lazy property '\(name)' cannot be stored: mark it @Transient or make it a plain 'var'"
        case .weak(let name, let modifier):
            "\(modifier) property '\(name)' cannot be stored, because nothing else would retain "
                + "the value that is read: mark it @Transient"
        case .conditional(let name):
            "'\(name)' is inside '#if', so only some builds would store it: move it out or "
                + "mark it @Transient"
        case .tuplePattern:
            "a tuple pattern cannot be stored: declare each stored property by itself"
        case .transientWithoutDefault(let name):
            "@Transient property '\(name)' needs a default value, because an object read from the "
                + "store has no other"
        case .relationOptional(let name):
            "relation '\(name)' cannot be optional: it can be empty already, and '= nil' makes it "
                + "empty"
        case .storedNameTwice(let stored, let properties):
            Self.list(properties)
                + " have the same name in the store, '\(stored)': give each its own"
        default: ""
        }
    }

    private var identityMessage: String {
        switch self {
        case .identityMissing(let name):
            "entity '\(name)' has no id property: add 'var id: Id = 0'"
        case .identityAmbiguous(let name, let candidates):
            "which of " + Self.list(candidates) + " is the id of '\(name)'? Name it 'id' and give "
                + "it the type 'Id' or 'EntityId<\(name)>', or mark it @Id"
        case .identityTwice(let names):
            "an entity has one id, but several are marked: " + Self.list(names)
        case .identityUnsuitable(let name, let property):
            "the id property '\(property)' must have the type 'Id' or 'EntityId<\(name)>'"
        case .entityIdTaken:
            "'entityId' is a requirement of Entity and represents the id property: give this "
                + "property another name"
        default: ""
        }
    }

    static func list(_ names: [String]) -> String {
        names.map { "'\($0)'" }.joined(separator: ", ")
    }
}
#endif
