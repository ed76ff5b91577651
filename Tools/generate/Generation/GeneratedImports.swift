#if Macros
import SwiftSyntax

/// The imports that the generated file needs to name the types that the declarations name.
struct GeneratedImports {
    /// Whether one of the entities can be seen in other modules.
    var hasVisibleEntities = false
    /// By what is imported.
    private var statements: [String: Statement] = [:]
    /// Whole conditions that hold nothing but imports.
    private var conditions: Set<String> = []
    /// The access with which each file of the module imports Daybook; nil where none is written.
    private var daybook: Set<String?> = []

    private struct Statement {
        var attributes: Set<String> = []
        /// Whether a file writes it without `public`, `internal` and so on. With and without stand
        /// beside each other only where the one without means `internal`.
        var isBare = false
    }

    /// Takes the imports of a file whose entities are written.
    mutating func add(_ file: SourceText) {
        for statement in file.syntax.statements {
            if let one = statement.item.as(ImportDeclSyntax.self) {
                add(one)
            } else if let condition = statement.item.as(IfConfigDeclSyntax.self),
                condition.holdsImportsOnly
            {
                let internalised = InternalImports().visit(condition)
                conditions.insert(internalised.trimmedDescription)
            }
        }
    }

    private mutating func add(_ one: ImportDeclSyntax) {
        let kind = one.importKindSpecifier.map { "\($0.text) " } ?? ""
        let key = kind + one.path.trimmedDescription
        guard key != "Daybook" else { return }
        var statement = statements[key] ?? Statement()
        let attributes = one.attributes.map(\.trimmedDescription)
        statement.attributes.formUnion(attributes.filter { $0 != "@_exported" })
        if one.modifiers.isEmpty { statement.isBare = true }
        statements[key] = statement
    }

    /// Looks at how the whole module imports Daybook.
    mutating func learn(from files: [SourceText]) {
        for one in files.flatMap(\.syntax.statements).compactMap({
            $0.item.as(ImportDeclSyntax.self)
        }) where one.path.trimmedDescription == "Daybook" {
            daybook.insert(one.modifiers.first?.name.text)
        }
    }

    /// The lines, Daybook first, the others sorted.
    var lines: [String] {
        let others = statements.sorted { $0.key < $1.key }.map { key, statement in
            let attributes = statement.attributes.sorted().map { $0 + " " }.joined()
            return attributes + (statement.isBare ? "" : "internal ") + "import \(key)"
        }
        return [daybookLine] + others + conditions.sorted()
    }

    /// A conformance of a visible type needs a visible import, where modules are told apart so.
    private var daybookLine: String {
        for access in ["public", "package"] where hasVisibleEntities && daybook.contains(access) {
            return "\(access) import Daybook"
        }
        let isBare = daybook.isEmpty || daybook.contains(nil)
        return isBare ? "import Daybook" : "internal import Daybook"
    }
}

extension IfConfigDeclSyntax {
    fileprivate var holdsImportsOnly: Bool {
        clauses.allSatisfy { clause in
            guard case .statements(let statements)? = clause.elements else {
                return clause.elements == nil
            }
            return statements.allSatisfy { $0.item.is(ImportDeclSyntax.self) }
        }
    }
}

/// Makes every import that says how far it is seen an internal one: the generated code needs no
/// more, and one that is public without need is warned of.
private final class InternalImports: SyntaxRewriter {
    override func visit(_ node: ImportDeclSyntax) -> DeclSyntax {
        guard let modifier = node.modifiers.first else { return DeclSyntax(node) }
        let word = TokenSyntax.keyword(
            .internal, leadingTrivia: modifier.name.leadingTrivia,
            trailingTrivia: modifier.name.trailingTrivia)
        var node = node
        node.modifiers = [modifier.with(\.name, word)]
        return DeclSyntax(node)
    }
}
#endif
