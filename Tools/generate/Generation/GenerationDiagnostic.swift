#if Macros
import SwiftDiagnostics

/// What is wrong with an entity only because its code stands in another file.
enum GenerationDiagnostic: DiagnosticMessage {
    case local(String)
    case conditional(String)
    case hiddenType(String, modifier: String)
    case hiddenProperty(String, modifier: String)
    case hiddenSetter(String, modifier: String)
    case notRegistered(String)
    case nameTaken(String, by: String)
    case relationMissing(String, origin: String, of: String, nearest: String?)
    case relationElsewhere(String, relation: String, to: String, from: String)

    var message: String {
        switch self {
        case .local(let name):
            "entity '\(name)' is declared inside a function, where the generated file cannot see "
                + "it: move it out"
        case .conditional(let name):
            "entity '\(name)' stands inside '#if', and the generator does not know which branch "
                + "will be compiled: move it out, or write @Entity, which is expanded in place"
        case .hiddenType(let name, let modifier):
            "entity '\(name)' is \(modifier), so the generated file cannot see it: remove "
                + "'\(modifier)', or write @Entity, which is expanded in place"
        case .hiddenProperty(let name, let modifier):
            "property '\(name)' is \(modifier), so the generated file cannot see it: remove "
                + "'\(modifier)', or leave it out of the store with '// objectbox: transient'"
        case .hiddenSetter(let name, let modifier):
            "property '\(name)' is \(modifier)(set), so the generated file cannot set it: remove "
                + "'\(modifier)(set)', or leave it out of the store with "
                + "'// objectbox: transient'"
        case .nameTaken(let name, let other):
            "'\(other)' is called '\(name)' in the store already: give one of them another name "
                + "with '// objectbox: name = \"…\"'"
        case .relationMissing(let name, let origin, let other, let nearest):
            "backlink '\(name)' reads '\(origin)' backwards, which is no relation of '\(other)'"
                + (nearest.map { ": did you mean '\($0)'?" } ?? "")
        case .relationElsewhere(let name, let relation, let target, let owner):
            "backlink '\(name)' reads '\(relation)' backwards, which leads to '\(target)' and not "
                + "to '\(owner)'"
        case .notRegistered(let name):
            "the generated initialiser of Store leaves out '\(name)', which it cannot see"
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
#endif
