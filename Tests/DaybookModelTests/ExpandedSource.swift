#if Macros
import DaybookModel
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// What the plugin names `@Entity` and `@Transient`.
enum EntityMacro: EntityExpansion {}
enum TransientMacro: TransientExpansion {}

/// Source text with its macros expanded as the compiler would do it.
struct ExpandedSource {
    let text: String
    /// Each as `line:column severity: message`.
    let problems: [String]

    /// `unstated` names the protocols that the declaration does not state itself.
    init(_ source: String, unstated: [TypeSyntax] = ["Entity"]) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
        let expanded = file.expand(
            macroSpecs: [
                "Entity": MacroSpec(type: EntityMacro.self, conformances: unstated),
                "Transient": MacroSpec(type: TransientMacro.self),
            ],
            contextGenerator: { node in
                BasicMacroExpansionContext(
                    sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
            },
            indentationWidth: .spaces(4))
        text = expanded.description
        problems = context.diagnostics.map { diagnostic in
            let location = context.location(
                for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "")
            let place = "\(location.line):\(location.column)"
            return "\(place) \(diagnostic.diagMessage.severity): \(diagnostic.message)"
        }
    }
}
#endif
