#if Macros
import SwiftSyntax

/// The imports that the generated file needs for the types that the declarations name.
struct GeneratedImports {
    /// Whether an entity is visible in other modules.
    var hasVisibleEntities = false
    /// Import statements by imported name.
    private var statements: [String: Statement] = [:]
    /// Conditional compilation blocks that contain only imports.
    private var conditions: Set<String> = []
    /// The access modifiers with which the module's files import Daybook, by imported product; nil
    /// for an import without a modifier.
    private var daybook: [String: Set<String?>] = [:]

    /// The modules that export Daybook.
    private static let products = ["Daybook", "DaybookObjectBox", "DaybookRealm"]

    private struct Statement {
        var attributes: Set<String> = []
        /// Whether a file imports it without an access modifier. A module can mix imports with and
        /// without a modifier only if the default is `internal`.
        var isBare = false
    }

    /// Adds the imports of a file whose entities get generated code.
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

    /// Records how the files of the module import Daybook.
    mutating func learn(from files: [SourceText]) {
        for one in files.flatMap(\.syntax.statements).compactMap({
            $0.item.as(ImportDeclSyntax.self)
        }) where Self.products.contains(one.path.trimmedDescription) {
            daybook[one.path.trimmedDescription, default: []]
                .insert(one.modifiers.first?.name.text)
        }
    }

    /// The import lines: Daybook's first, the others sorted.
    var lines: [String] {
        let others = statements.sorted { $0.key < $1.key }.map { key, statement in
            let attributes = statement.attributes.sorted().map { $0 + " " }.joined()
            return attributes + (statement.isBare ? "" : "internal ") + "import \(key)"
        }
        let products = daybook.isEmpty ? ["Daybook": [nil]] : daybook
        let own = products.sorted { $0.key < $1.key }.map(line)
        return own + others + conditions.sorted()
    }

    /// Returns the import of a product. The conformance of a visible type needs a visible import if
    /// the module uses access modifiers on imports.
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

/// Changes the access modifier of every import to `internal`: the generated code needs no more, and
/// the compiler warns about unnecessarily public imports.
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
