#if Macros
package import SwiftDiagnostics

/// The errors of a projection's declaration. Each message includes the fix.
package enum ProjectionDiagnostic: Hashable, Sendable {
    case kindUnsuitable(name: String)
    /// `remedy` is the place for the entity's name.
    case rootMissing(name: String, remedy: Remedy)
    case generic(name: String)
    case pathUnsuitable(name: String, root: String)
    case conditional(name: String)
    case contradiction(name: String)

    /// The place in a declaration that names the entity.
    package enum Remedy: Hashable, Sendable {
        case superclass, argument, alias
    }
}

extension ProjectionDiagnostic: DiagnosticMessage {
    package var message: String {
        switch self {
        case .kindUnsuitable(let name):
            "a projection is a struct, or a subclass of 'Projection', which '\(name)' is not"
        case .rootMissing(let name, let remedy):
            "which entity is '\(name)' a projection of? \(remedy.words)"
        case .generic(let name):
            "projection '\(name)' cannot be generic: it names the properties of one entity"
        case .pathUnsuitable(let name, let root):
            "'\(name)' needs a path that begins with a property of the entity, such as "
                + "'@Projected(\\\(root).\(name))'"
        case .conditional(let name):
            "'\(name)' is inside '#if', which is not evaluated: move it out"
        case .contradiction(let name):
            "'\(name)' is projected and transient: remove one of them"
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
        case .conditional: "projectionConditional"
        case .contradiction: "projectionContradiction"
        }
    }
}

extension ProjectionDiagnostic.Remedy {
    fileprivate var words: String {
        switch self {
        case .superclass: "Let it inherit from 'Projection<Entity>'"
        case .argument: "Write '@Projection(of: Entity.self)'"
        case .alias: "Add 'typealias Root = Entity'"
        }
    }
}
#endif
