#if Macros
package import SwiftDiagnostics

/// What can be wrong with a projection's declaration, in words that say how to mend it.
package enum ProjectionDiagnostic: Hashable, Sendable {
    case kindUnsuitable(name: String)
    case rootMissing(name: String, isClass: Bool)
    case generic(name: String)
    case pathUnsuitable(name: String, root: String)
}

extension ProjectionDiagnostic: DiagnosticMessage {
    package var message: String {
        switch self {
        case .kindUnsuitable(let name):
            "a projection is a struct, or a subclass of 'Projection', which '\(name)' is not"
        case .rootMissing(let name, isClass: true):
            "which entity is '\(name)' a projection of? Let it inherit from 'Projection<Entity>'"
        case .rootMissing(let name, isClass: false):
            "which entity is '\(name)' a projection of? Write '@Projection(of: Entity.self)'"
        case .generic(let name):
            "projection '\(name)' cannot be generic: it names the properties of one entity"
        case .pathUnsuitable(let name, let root):
            "'\(name)' needs a path that begins with a property of the entity, such as "
                + "'@Projected(\\\(root).\(name))'"
        }
    }

    package var diagnosticID: MessageID { MessageID(domain: "Daybook", id: identifier) }

    package var severity: DiagnosticSeverity { .error }

    private var identifier: String {
        switch self {
        case .kindUnsuitable: "projectionKindUnsuitable"
        case .rootMissing: "projectionRootMissing"
        case .generic: "projectionGeneric"
        case .pathUnsuitable: "projectionPathUnsuitable"
        }
    }
}
#endif
