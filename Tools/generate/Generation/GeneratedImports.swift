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
    /// The access with which each file of the module imports Daybook, by the product that it
    /// imports; nil where an import has no access modifier.
    private var daybook: [String: Set<String?>] = [:]

    /// The modules that export Daybook.
    private static let products = ["Daybook", "DaybookObjectBox", "DaybookRealm"]

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
        guard !Self.products.contains(key) else { return }
        var statement = statements[key] ?? Statement()
        let attributes = one.attributes.map(\.trimmedDescription)
        statement.attributes.formUnion(attributes.filter { $0 != "@_exported" })
        if one.modifiers.isEmpty { statement.isBare = true }
        statements[key] = statement
    }

    /// Notes how the files of the module import Daybook.
    mutating func learn(from files: [SourceText]) {
        for one in files.flatMap(\.syntax.statements).compactMap({
            $0.item.as(ImportDeclSyntax.self)
        }) where Self.products.contains(one.path.trimmedDescription) {
            daybook[one.path.trimmedDescription, default: []]
                .insert(one.modifiers.first?.name.text)
        }
    }

    /// The lines, Daybook first, the others sorted.
    var lines: [String] {
        let others = statements.sorted { $0.key < $1.key }.map { key, statement in
            let attributes = statement.attributes.sorted().map { $0 + " " }.joined()
            return attributes + (statement.isBare ? "" : "internal ") + "import \(key)"
        }
        let products = daybook.isEmpty ? ["Daybook": [nil]] : daybook
        let own = products.sorted { $0.key < $1.key }.map(line)
        return own + others + conditions.sorted()
    }

    /// A conformance of a visible type needs a visible import, where modules are told apart so.
    private func line(of product: String, _ accesses: Set<String?>) -> String {
        for access in ["public", "package"] where hasVisibleEntities && accesses.contains(access) {
            return "\(access) import \(product)"
        }
        return accesses.contains(nil) ? "import \(product)" : "internal import \(product)"
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
