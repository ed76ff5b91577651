#if Macros
package import SwiftDiagnostics

/// What can be wrong with an entity's declaration, in words that say how to mend it.
package enum EntityDiagnostic: Hashable, Sendable {
    case kindUnsuitable(name: String, kind: String)
    case notFinal(name: String)
    case generic(name: String)
    case insideGenericType(name: String, enclosing: String)
    case nestedPrivately(name: String)
    case isolatedType(name: String)
    case isolatedProperty(name: String)
    case constant(names: [String])
    case lazy(name: String)
    case conditional(name: String)
    case tuplePattern
    case transientWithoutDefault(name: String)
    case identityMissing(name: String)
    case identityAmbiguous(name: String, candidates: [String])
    case identityUnsuitable(name: String, property: String)
    case entityIdTaken
    case transientMisplaced
    case transientWithoutEffect
}

extension EntityDiagnostic: DiagnosticMessage {
    package var message: String {
        switch self {
        case .kindUnsuitable(let name, let kind):
            "an entity is a final class or a struct, but '\(name)' is \(kind)"
        case .notFinal(let name):
            "class '\(name)' must be final: a subclass would be stored without its own properties"
        case .generic(let name):
            "entity '\(name)' cannot be generic: the store knows one list of properties for it"
        case .insideGenericType(let name, let enclosing):
            "entity '\(name)' is generic, because it is declared inside the generic type "
                + "'\(enclosing)': move it out"
        case .nestedPrivately(let name):
            "nested type '\(name)' must be 'fileprivate' instead of 'private': the extension that "
                + "@Entity writes stands outside the enclosing type"
        case .isolatedType(let name):
            "entity '\(name)' cannot be isolated to the main actor: its objects are read and "
                + "written on any thread"
        case .isolatedProperty(let name):
            "'\(name)' is stored, so it cannot be isolated to the main actor: objects are read and "
                + "written on any thread"
        case .constant(let names):
            "a stored property must be 'var', because reading an object assigns it: "
                + names.map { "'\($0)'" }.joined(separator: ", ")
        case .lazy(let name):
            "lazy property '\(name)' cannot be stored: mark it @Transient or make it a plain 'var'"
        case .conditional(let name):
            "'\(name)' stands inside '#if', so the store would have it in some builds only: move "
                + "it out or mark it @Transient"
        case .tuplePattern:
            "@Entity cannot read a tuple pattern: declare each stored property by itself"
        case .transientWithoutDefault(let name):
            "@Transient property '\(name)' needs a default value, because an object read from the "
                + "store has no other"
        case .identityMissing(let name):
            "entity '\(name)' has no id property: add 'var id: Id = 0'"
        case .identityAmbiguous(let name, let candidates):
            "which of " + candidates.map { "'\($0)'" }.joined(separator: ", ")
                + " is the id of '\(name)'? Name it 'id' and give it the type 'Id' or "
                + "'EntityId<\(name)>'"
        case .identityUnsuitable(let name, let property):
            "the id property '\(property)' must have the type 'Id' or 'EntityId<\(name)>'"
        case .entityIdTaken:
            "'entityId' is a requirement of Entity and stands for the id property: give this "
                + "property another name"
        case .transientMisplaced:
            "@Transient belongs on a stored property of an entity"
        case .transientWithoutEffect:
            "@Transient has no effect here: this property is not stored anyway"
        }
    }

    package var diagnosticID: MessageID {
        MessageID(domain: "Daybook", id: identifier)
    }

    package var severity: DiagnosticSeverity {
        self == .transientWithoutEffect ? .warning : .error
    }

    private var identifier: String {
        switch self {
        case .kindUnsuitable: "kindUnsuitable"
        case .notFinal: "notFinal"
        case .generic: "generic"
        case .insideGenericType: "insideGenericType"
        case .nestedPrivately: "nestedPrivately"
        case .isolatedType: "isolatedType"
        case .isolatedProperty: "isolatedProperty"
        case .constant: "constant"
        case .lazy: "lazy"
        case .conditional: "conditional"
        case .tuplePattern: "tuplePattern"
        case .transientWithoutDefault: "transientWithoutDefault"
        case .identityMissing: "identityMissing"
        case .identityAmbiguous: "identityAmbiguous"
        case .identityUnsuitable: "identityUnsuitable"
        case .entityIdTaken: "entityIdTaken"
        case .transientMisplaced: "transientMisplaced"
        case .transientWithoutEffect: "transientWithoutEffect"
        }
    }
}
#endif
