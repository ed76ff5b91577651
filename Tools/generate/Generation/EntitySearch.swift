#if Macros
import DaybookModel
import SwiftDiagnostics
import SwiftSyntax

/// Finds the stored types and projections of one file, in source order.
final class EntitySearch: SyntaxVisitor {
    /// How the source declares a type.
    enum Spelling {
        /// With an attribute, whose macro generates the code.
        case attribute
        /// With a base type in the inheritance clause, or with a comment.
        case plain
        /// As a projection in the inheritance clause: a partial view of an entity, which the store
        /// does not register.
        case projection
    }

    struct Found {
        let declaration: any DeclGroupSyntax
        let name: TokenSyntax
        let spelling: Spelling
    }

    private(set) var found: [Found] = []
    /// Diagnostics for comments at types that are not stored types.
    private(set) var diagnostics: [Diagnostic] = []
    private let names: ModuleNames

    init(_ file: SourceText, in names: ModuleNames) {
        self.names = names
        super.init(viewMode: .sourceAccurate)
        walk(file.syntax)
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { look(at: node) }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { look(at: node) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { look(at: node) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { look(at: node) }

    private func look(
        at declaration: some DeclGroupSyntax & NamedDeclSyntax
    ) -> SyntaxVisitorContinueKind {
        let (annotations, problems) = CommentAnnotations.entity(declaration)
        let hasMacro = ["Entity", "Embedded", "Event"].contains {
            declaration.attributes.attribute(named: $0) != nil
        }
        let isMarked = annotations.isEntity || annotations.isEmbedded || annotations.isEvent
        if hasMacro || isMarked || inheritsFromDaybook(declaration) {
            found.append(
                Found(
                    declaration: declaration, name: declaration.name,
                    spelling: hasMacro ? .attribute : .plain))
        } else if isProjection(declaration) {
            diagnostics += problems
            found.append(
                Found(declaration: declaration, name: declaration.name, spelling: .projection))
        } else {
            // An error in the comment may be the reason that the type is not recognized.
            diagnostics += problems
        }
        return .visitChildren
    }

    /// Whether a type of the inheritance clause is a protocol of Daybook, or the superclass is a
    /// base class of Realm.
    private func inheritsFromDaybook(_ declaration: some DeclGroupSyntax) -> Bool {
        let types = declaration.inheritanceClause?.inheritedTypes.map(\.type) ?? []
        let protocols = ["Entity", "Embedded", "Event"]
        let modules = ["Daybook", "DaybookObjectBox", "ObjectBox"]
        if types.contains(where: { isOne(of: protocols, $0, in: modules) }) { return true }
        let bases = ["Object", "EmbeddedObject", "AsymmetricObject"]
        guard declaration.is(ClassDeclSyntax.self), let first = types.first else { return false }
        return isOne(of: bases, first, in: ["DaybookRealm", "RealmSwift"])
    }

    /// Whether the type is a class whose superclass is a projection, or a struct that conforms to
    /// the protocol and has either its entity or a projected path, and no macro generates its code.
    ///
    /// Includes classes that add paths to another projection, so that the generator reports them:
    /// the inherited code would leave these properties without values.
    private func isProjection(_ declaration: some DeclGroupSyntax) -> Bool {
        guard declaration.attributes.attribute(named: "Projection") == nil,
            let types = declaration.inheritanceClause?.inheritedTypes.map(\.type),
            let first = types.first
        else { return false }
        switch declaration.kind {
        case .classDecl:
            return isOne(
                of: ["Projection"], first, in: ["Daybook", "RealmSwift"], argumentCount: 1)
                || names.projections.contains(lastName(of: first)) && hasPaths(declaration)
        case .structDecl:
            return types.contains { isOne(of: ["EntityProjection"], $0, in: ["Daybook"]) }
                && (hasPaths(declaration)
                    || declaration.memberBlock.members.contains { member in
                        member.decl.as(TypeAliasDeclSyntax.self)?.name.text == "Root"
                    })
        default: return false
        }
    }

    private func hasPaths(_ declaration: some DeclGroupSyntax) -> Bool {
        declaration.memberBlock.members.contains { member in
            let attributes = member.decl.as(VariableDeclSyntax.self)?.attributes
            return attributes?.attribute(named: "Projected") != nil
        }
    }

    private func lastName(of type: TypeSyntax) -> String {
        let name =
            type.as(IdentifierTypeSyntax.self)?.name ?? type.as(MemberTypeSyntax.self)?.name
        return name?.text ?? ""
    }

    private func isOne(
        of wanted: [String], _ type: TypeSyntax, in modules: [String], argumentCount: Int = 0
    ) -> Bool {
        if let plain = type.as(IdentifierTypeSyntax.self) {
            let name = plain.name.text
            return (plain.genericArgumentClause?.arguments.count ?? 0) == argumentCount
                && wanted.contains(name) && !names.types.contains(name)
        }
        guard let member = type.as(MemberTypeSyntax.self) else { return false }
        return wanted.contains(member.name.text)
            && (member.genericArgumentClause?.arguments.count ?? 0) == argumentCount
            && modules.contains(member.baseType.trimmedDescription)
    }
}
#endif
