#if Macros
package import SwiftDiagnostics

/// The errors of an annotation in a comment.
///
/// The compiler shows a macro's message at the declaration, whatever position it has, so each
/// message names the annotation.
package enum CommentDiagnostic: Hashable, Sendable {
    case unknown(String, nearest: String?)
    case unsupported(String, advice: String)
    /// A warning: the annotation changes nothing in a local store.
    case withoutEffect(String, reason: String)
    case misplaced(String, at: String, instead: String)
    case withoutVariable
    case repeated(String)
    case unsuitable(String, form: String)
    case uidMissing
    case convertedTwice
    case notSwift(String, kind: String)
    case empty
    case unexpected(String)
    case commaMissing(before: String)
    case unclosed(String)
    case endlessText
    case valueMissing
}

extension CommentDiagnostic: DiagnosticMessage {
    package var message: String {
        switch self {
        case .unknown(let name, let nearest):
            "comment with unknown annotation '\(name)'"
                + (nearest.map { ": did you mean '\($0)'?" } ?? "")
        case .unsupported(let name, let advice):
            "annotation '\(name)' in a comment: \(advice)"
        case .withoutEffect(let name, let reason):
            "annotation '\(name)' in a comment has no effect: \(reason)"
        case .misplaced(let name, let place, let instead):
            "annotation '\(name)' in a comment is for \(instead), not for \(place)"
        case .withoutVariable:
            "comment with an annotation, but no stored property follows: put it directly above "
                + "its property"
        case .repeated(let name):
            "annotation '\(name)' occurs twice in these comments"
        case .unsuitable(let name, let form):
            "annotation '\(name)' in a comment must be written as \(form)"
        case .uidMissing:
            "annotation 'uid' in a comment needs a number: write 'uid = N' with any number of "
                + "your choice, or 'renamedFrom = \"oldName\"'"
        case .convertedTwice:
            "comments that convert this property in two ways: use only one of 'convert', "
                + "'encoded', 'date-nano' and 'type'"
        case .notSwift(let text, let kind):
            "comment with '\(text)', which is not \(kind)"
        case .empty:
            "comment 'objectbox:' without an annotation after the colon"
        case .unexpected(let text):
            "comment with '\(text)' at an invalid position in an annotation"
        case .commaMissing(let next):
            "comment with annotations that are not separated: put a comma before '\(next)'"
        case .unclosed(let bracket):
            "comment with an annotation whose '\(bracket)' is never closed"
        case .endlessText:
            "comment with an annotation whose quotation mark is not closed in its line"
        case .valueMissing:
            "comment with an annotation that ends where its value is expected"
        }
    }

    package var severity: DiagnosticSeverity {
        if case .withoutEffect = self { .warning } else { .error }
    }

    package var diagnosticID: MessageID {
        MessageID(domain: "Daybook", id: "comment-\(identifier)")
    }

    private var identifier: String {
        switch self {
        case .unknown: "unknown"
        case .unsupported: "unsupported"
        case .withoutEffect: "withoutEffect"
        case .misplaced: "misplaced"
        case .withoutVariable: "withoutVariable"
        case .repeated: "repeated"
        case .unsuitable: "unsuitable"
        case .uidMissing: "uidMissing"
        case .convertedTwice: "convertedTwice"
        case .notSwift: "notSwift"
        case .empty: "empty"
        case .unexpected: "unexpected"
        case .commaMissing: "commaMissing"
        case .unclosed: "unclosed"
        case .endlessText: "endlessText"
        case .valueMissing: "valueMissing"
        }
    }
}
#endif
