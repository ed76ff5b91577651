#if Macros
import SwiftParser
import SwiftSyntax

/// Qualifies the names in a type so that code outside the declaring type can use them.
final class TypeSpelling: SyntaxRewriter {
    private let names: ModuleNames
    private let owner: String

    private init(_ names: ModuleNames, owner: String) {
        self.names = names
        self.owner = owner
        super.init(viewMode: .sourceAccurate)
    }

    /// Returns the spelling that top-level code, in an extension of Daybook's `Property`, needs for
    /// the type that code in the type `owner` spells `text`; nil if a name has another meaning
    /// there.
    static func outside(_ text: String, of owner: String, in names: ModuleNames) -> String? {
        var parser = Parser(text)
        let type = TypeSyntax.parse(from: &parser)
        let spelling = TypeSpelling(names, owner: owner)
        let respelled = spelling.rewrite(Syntax(type))
        let parameters: Set = ["Root", "Value", "Self"]
        let isMistaken = respelled.tokens(viewMode: .sourceAccurate).contains {
            parameters.contains($0.text)
        }
        return isMistaken ? nil : respelled.trimmedDescription
    }

    override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
        let node = super.visit(node)
        guard let plain = node.as(IdentifierTypeSyntax.self),
            let path = names.path(of: plain.name.text, knownIn: owner)
        else { return node }
        let arguments = plain.genericArgumentClause?.description ?? ""
        var parser = Parser(plain.leadingTrivia.description + path + arguments)
        return TypeSyntax.parse(from: &parser)
    }
}
#endif
