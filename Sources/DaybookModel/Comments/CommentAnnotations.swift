#if Macros
package import SwiftDiagnostics
package import SwiftSyntax

/// ObjectBox's spelling of a model: comments that begin with `objectbox:`.
///
/// They are seen above a declaration, between its words as far as the name and the type, and at its
/// end. Several stand in one comment, divided by commas, and one may go on in the lines below.
package enum CommentAnnotations {
    /// What the comments at a type's head say of its entity, and what is wrong in them.
    ///
    /// Comments inside its braces that belong to no variable are reported, because whoever wrote
    /// them would wait in vain for their effect.
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

    /// What the comments at a property say of it, and what is wrong in them. They count for every
    /// name that the declaration has.
    package static func property(
        _ declaration: VariableDeclSyntax
    ) -> (PropertyAnnotations, [Diagnostic]) {
        var reader = CommentPropertyReader()
        for statement in CommentStatement.all(at: declaration) { reader.read(statement) }
        return (reader.annotations, reader.problems.diagnostics)
    }
}
#endif
