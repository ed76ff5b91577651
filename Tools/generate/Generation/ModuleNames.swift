#if Macros
import SwiftSyntax

/// What the files of a module declare that decides how others are read.
struct ModuleNames {
    /// The types at the top of files: where one is called `Object`, that name is not Realm's.
    private(set) var types: Set<String> = []
    /// The types whose conformance is written by hand, as their extensions name them.
    private(set) var described: Set<String> = []

    init(_ files: [SourceText]) {
        for statement in files.flatMap(\.syntax.statements) {
            guard let group = statement.item.asProtocol((any DeclGroupSyntax).self) else {
                continue
            }
            if let named = group.asProtocol((any NamedDeclSyntax).self) {
                types.insert(named.name.text)
            } else if let part = group.as(ExtensionDeclSyntax.self), part.describesEntity {
                described.insert(part.extendedType.trimmedDescription)
            }
        }
    }
}

extension DeclGroupSyntax {
    /// Whether the description of an entity stands among the members.
    var describesEntity: Bool {
        memberBlock.members.contains { member in
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
            return variable.bindings.contains { binding in
                binding.pattern.trimmedDescription == "entityDescription"
            }
        }
    }
}

extension SyntaxProtocol {
    /// The declarations of types and extensions around it, the innermost first.
    var enclosingDeclarations: [Syntax] {
        var found: [Syntax] = []
        var node = parent
        while let outer = node {
            if outer.asProtocol((any DeclGroupSyntax).self) != nil { found.append(outer) }
            node = outer.parent
        }
        return found
    }

    /// Whether one of the nodes around it is of one of these kinds.
    func stands(in kinds: Set<SyntaxKind>) -> Bool {
        var node = parent
        while let outer = node {
            if kinds.contains(outer.kind) { return true }
            node = outer.parent
        }
        return false
    }
}

extension DeclModifierListSyntax {
    /// The modifier `private` or `fileprivate`, of the declaration itself or of its setter.
    var hiding: DeclModifierSyntax? {
        first { [.keyword(.private), .keyword(.fileprivate)].contains($0.name.tokenKind) }
    }
}
#endif
