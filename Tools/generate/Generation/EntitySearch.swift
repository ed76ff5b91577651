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
    }

    struct Found {
        let declaration: any DeclGroupSyntax
        let name: TokenSyntax
        let spelling: Spelling
    }

    private(set) var found: [Found] = []
    /// What is wrong in comments at types that are not found.
    private(set) var diagnostics: [Diagnostic] = []
    /// The names of types that do not mean Daybook's in this module, because it has its own.
    private let shadowed: Set<String>

    init(_ file: SourceText, shadowed: Set<String>) {
        self.shadowed = shadowed
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
        if types.contains(where: { isOne(of: protocols, $0, in: ["Daybook", "ObjectBox"]) }) {
            return true
        }
        let bases = ["Object", "EmbeddedObject", "AsymmetricObject"]
        guard declaration.is(ClassDeclSyntax.self), let first = types.first else { return false }
        return isOne(of: bases, first, in: ["Daybook", "RealmSwift"])
    }

    private func isOne(of names: [String], _ type: TypeSyntax, in modules: [String]) -> Bool {
        if let plain = type.as(IdentifierTypeSyntax.self) {
            let name = plain.name.text
            return plain.genericArgumentClause == nil && names.contains(name)
                && !shadowed.contains(name)
        }
        guard let member = type.as(MemberTypeSyntax.self) else { return false }
        return names.contains(member.name.text)
            && modules.contains(member.baseType.trimmedDescription)
    }
}
#endif
