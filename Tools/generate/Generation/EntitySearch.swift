#if Macros
import DaybookModel
import SwiftDiagnostics
import SwiftSyntax

/// Finds the types of one file that mean something to a store, in the order of the file.
final class EntitySearch: SyntaxVisitor {
    /// How a type says what it is.
    enum Spelling {
        /// An attribute, whose macro writes the code.
        case attribute
        /// A name behind the colon, or a comment.
        case plain
        /// A projection's name behind the colon: an excerpt of an entity, which no store knows.
        case projection
    }

    struct Found {
        let declaration: any DeclGroupSyntax
        let name: TokenSyntax
        let spelling: Spelling
    }

    private(set) var found: [Found] = []
    /// What is wrong in comments at types that are not found.
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
            // A slip in the comment may be why it is not found.
            diagnostics += problems
        }
        return .visitChildren
    }

    /// Whether one of the names behind the colon is a protocol of Daybook's, or the first one a
    /// base class of Realm's.
    private func inheritsFromDaybook(_ declaration: some DeclGroupSyntax) -> Bool {
        let types = declaration.inheritanceClause?.inheritedTypes.map(\.type) ?? []
        let protocols = ["Entity", "Embedded", "Event"]
        let modules = ["Daybook", "DaybookObjectBox", "ObjectBox"]
        if types.contains(where: { isOne(of: protocols, $0, in: modules) }) { return true }
        let bases = ["Object", "EmbeddedObject", "AsymmetricObject"]
        guard declaration.is(ClassDeclSyntax.self), let first = types.first else { return false }
        return isOne(of: bases, first, in: ["DaybookRealm", "RealmSwift"])
    }

    /// Whether it is a class whose base class is a projection's, or a struct that names the
    /// protocol and either its entity or a path of it; and no macro writes its code.
    ///
    /// A class that adds paths to those of another projection counts as well, so that it is
    /// reported: what it inherits would leave them without a value.
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
