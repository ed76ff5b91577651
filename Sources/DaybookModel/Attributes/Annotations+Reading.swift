#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

// Combines all spellings: attributes, comments and Realm's declarations.

extension EntityAnnotations {
    /// The annotations of a type in all spellings, and their errors.
    static func read(_ type: TypeDeclaration) -> (EntityAnnotations, [Diagnostic]) {
        var attributes = EntityAttributes()
        let written = attributes.read(type.attributes)
        let (commented, problems) = CommentAnnotations.entity(type.declaration)
        var found = EntityAnnotations()
        var disagreements: Set<Mark> = []
        for part in written + [commented] { disagreements.formUnion(found.merge(part)) }
        let diagnostics = Mark.allCases.filter(disagreements.contains).map { mark in
            Diagnostic(
                node: type.name,
                message: EntityDiagnostic.markDisagreement(mark: mark, subject: type.plainName))
        }
        return (found, attributes.diagnostics + problems + diagnostics)
    }
}

extension PropertyAnnotations {
    /// The annotations of a property in all spellings, and their errors.
    static func read(
        _ declaration: VariableDeclSyntax
    ) -> (annotations: PropertyAnnotations, diagnostics: [Diagnostic], isCommented: Bool) {
        var attributes = PropertyAttributes()
        let written = attributes.read(declaration.attributes)
        let (commented, problems) = CommentAnnotations.property(declaration)
        let realm = RealmAnnotations.property(declaration.attributes)
        var found = PropertyAnnotations()
        var disagreements: Set<Mark> = []
        for part in written + [commented] + (realm.map { [$0.0] } ?? []) {
            disagreements.formUnion(found.merge(part))
        }
        let pattern = declaration.bindings.first?.pattern
        let name = pattern?.as(IdentifierPatternSyntax.self)?.identifier
        let diagnostics = Mark.allCases.filter(disagreements.contains).map { mark in
            Diagnostic(
                node: pattern.map(Syntax.init) ?? Syntax(declaration),
                message: EntityDiagnostic.markDisagreement(
                    mark: mark, subject: name?.identifier?.name ?? ""))
        }
        return (
            found, attributes.diagnostics + problems + (realm?.1 ?? []) + diagnostics,
            commented != PropertyAnnotations()
        )
    }
}
#endif
