#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

/// Reads what comments say of a declaration.
enum CommentAnnotations {
    /// What the comments of a type say.
    static func entity(
        _ declaration: some SyntaxProtocol
    ) -> (EntityAnnotations, [Diagnostic]) { (EntityAnnotations(), []) }

    /// What the comments of a property say.
    static func property(
        _ declaration: VariableDeclSyntax
    ) -> (PropertyAnnotations, [Diagnostic]) { (PropertyAnnotations(), []) }
}
#endif
