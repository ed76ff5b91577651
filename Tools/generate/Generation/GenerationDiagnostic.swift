#if Macros
import SwiftDiagnostics

/// A problem that exists only because the generated code is in another file.
enum GenerationDiagnostic: DiagnosticMessage {
    case local(Subject)
    case conditional(Subject)
    case hiddenType(Subject, modifier: String)
    case hiddenProperty(String, of: Subject, modifier: String)
    case hiddenSetter(String, of: Subject, modifier: String)
    case notRegistered(String)
    case nameTaken(String, by: String)
    case relationMissing(String, origin: String, of: String, nearest: String?)
    case relationElsewhere(String, relation: String, to: String, from: String)

    /// The type whose code is generated.
    enum Subject {
        case entity(String)
        case projection(String)
    }

    var message: String {
        switch self {
        case .local(let subject):
            "\(subject.words) is declared inside a function, where the generated file cannot "
                + "access it: move it out"
        case .conditional(let subject):
            "\(subject.words) is inside '#if', and the generator does not know which branch is "
                + "compiled: move it out, or \(subject.inPlace)"
        case .hiddenType(let subject, let modifier):
            "\(subject.words) is \(modifier), so the generated file cannot access it: remove "
                + "'\(modifier)', or \(subject.inPlace)"
        case .hiddenProperty(let name, let subject, let modifier):
            "property '\(name)' is \(modifier), so the generated file cannot access it: remove "
                + "'\(modifier)', or \(subject.withoutProperty)"
        case .hiddenSetter(let name, let subject, let modifier):
            "property '\(name)' is \(modifier)(set), so the generated file cannot set it: remove "
                + "'\(modifier)(set)', or \(subject.withoutProperty)"
        case .nameTaken(let name, let other):
            "'\(other)' already has the stored name '\(name)': give one of them another name with "
                + "'// objectbox: name = \"…\"'"
        case .relationMissing(let name, let origin, let other, let nearest):
            "backlink '\(name)' names '\(origin)', which is not a relation of '\(other)'"
                + (nearest.map { ": did you mean '\($0)'?" } ?? "")
        case .relationElsewhere(let name, let relation, let target, let owner):
            "backlink '\(name)' names '\(relation)', whose target is '\(target)' and not "
                + "'\(owner)'"
        case .notRegistered(let name):
            "the generated initializer of Store omits '\(name)', which it cannot access"
        }
    }

    var severity: DiagnosticSeverity {
        if case .notRegistered = self { return .warning }
        return .error
    }

    var diagnosticID: MessageID { MessageID(domain: "Daybook", id: "generation-\(identifier)") }

    private var identifier: String {
        switch self {
        case .local: "local"
        case .conditional: "conditional"
        case .hiddenType: "hiddenType"
        case .hiddenProperty: "hiddenProperty"
        case .hiddenSetter: "hiddenSetter"
        case .notRegistered: "notRegistered"
        case .nameTaken: "nameTaken"
        case .relationMissing: "relationMissing"
        case .relationElsewhere: "relationElsewhere"
        }
    }
}

extension GenerationDiagnostic.Subject {
    fileprivate var words: String {
        switch self {
        case .entity(let name): "entity '\(name)'"
        case .projection(let name): "projection '\(name)'"
        }
    }

    /// The alternative declaration if the code must be beside the type's declaration.
    fileprivate var inPlace: String {
        switch self {
        case .entity: "write @Entity, which is expanded in place"
        case .projection: "write @Projection, which is expanded in place"
        }
    }

    /// The alternative that leaves the property unchanged.
    fileprivate var withoutProperty: String {
        switch self {
        case .entity: "exclude it from the store with '// objectbox: transient'"
        case .projection: inPlace
        }
    }
}
#endif
