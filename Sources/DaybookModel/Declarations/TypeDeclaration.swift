#if Macros
package import SwiftSyntax

/// The relevant parts of a type's declaration, for any kind of type.
struct TypeDeclaration {
    let declaration: Syntax
    let keyword: TokenSyntax
    let name: TokenSyntax
    let modifiers: DeclModifierListSyntax
    let attributes: AttributeListSyntax
    let genericParameters: GenericParameterClauseSyntax?
    let inheritance: InheritanceClauseSyntax?
    let memberBlock: MemberBlockSyntax
    /// nil if the type is neither a struct nor a class.
    let shape: EntityModel.Shape?

    /// Reads a named declaration; nil for an extension.
    init?(_ declaration: some SyntaxProtocol) {
        guard let group = declaration.asProtocol((any DeclGroupSyntax).self),
            let named = declaration.asProtocol((any NamedDeclSyntax).self)
        else { return nil }
        self.declaration = Syntax(declaration)
        keyword = group.introducer
        name = named.name
        modifiers = group.modifiers
        attributes = group.attributes
        inheritance = group.inheritanceClause
        memberBlock = group.memberBlock
        let generic = declaration.asProtocol((any WithGenericParametersSyntax).self)
        genericParameters = generic?.genericParameterClause
        shape =
            switch declaration.kind {
            case .structDecl: .structure
            case .classDecl:
                group.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
                    ? .finalClass : .inheritableClass
            default: nil
            }
    }

    /// The type's name without backticks.
    var plainName: String { name.identifier?.name ?? name.text }

    /// The first type after the colon, which may be the superclass.
    var firstInherited: TypeSyntax? { inheritance?.inheritedTypes.first?.type }

    var inheritsFromNSObject: Bool {
        let first = firstInherited?.trimmedDescription
        return first == "NSObject" || first == "Foundation.NSObject"
    }

    /// Whether the inheritance clause contains that protocol of Daybook.
    func states(_ kind: EntityModel.Kind) -> Bool {
        inheritance?.inheritedTypes.contains { inherited in
            [kind.rawValue, "Daybook.\(kind.rawValue)"].contains(inherited.type.trimmedDescription)
        } ?? false
    }

    /// The modifier `private` of the type itself, not of a setter.
    var privateModifier: DeclModifierSyntax? {
        modifiers.first { $0.name.tokenKind == .keyword(.private) && $0.detail == nil }
    }
}

extension AttributeListSyntax {
    /// The attribute with that name, qualified or not (`@Transient`, `@Daybook.Transient`).
    package func attribute(named name: String) -> AttributeSyntax? {
        for case .attribute(let attribute) in self {
            let type = attribute.attributeName
            let last =
                type.as(IdentifierTypeSyntax.self)?.name ?? type.as(MemberTypeSyntax.self)?.name
            if last?.text == name { return attribute }
        }
        return nil
    }
}
#endif
