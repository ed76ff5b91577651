#if Macros
package import SwiftDiagnostics
package import SwiftSyntax

/// ObjectBox's annotations of a model: comments that start with `objectbox:`.
///
/// Comments are read before a declaration, between its words up to the name and the type, and at
/// its end. A comment may contain several annotations, separated by commas, and continue on the
/// next lines.
package enum CommentAnnotations {
    /// The annotations in the comments at a type's head, and their errors.
    ///
    /// Annotations inside its braces that belong to no variable are reported, because they have no
    /// effect.
    package static func entity(
        _ declaration: some SyntaxProtocol
    ) -> (EntityAnnotations, [Diagnostic]) {
        guard let group = declaration.asProtocol((any DeclGroupSyntax).self) else {
            return (EntityAnnotations(), [])
        }
        var reader = CommentEntityReader()
        for statement in CommentStatement.all(atHeadOf: group) { reader.read(statement) }
        for statement in CommentStatement.all(withoutVariableIn: group) {
            reader.problems.report(.withoutVariable, at: statement.range, in: statement.node)
        }
        return (reader.annotations, reader.problems.diagnostics)
    }

    /// The annotations in the comments at a property, and their errors. They apply to every name in
    /// the declaration.
    package static func property(
        _ declaration: VariableDeclSyntax
    ) -> (PropertyAnnotations, [Diagnostic]) {
        var reader = CommentPropertyReader()
        for statement in CommentStatement.all(at: declaration) { reader.read(statement) }
        return (reader.annotations, reader.problems.diagnostics)
    }
}
#endif
