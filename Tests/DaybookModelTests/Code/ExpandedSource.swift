#if Macros
import DaybookModel
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// The name in the plugin of `@Entity` and similar macros, with the attributes that are read
/// together with them.
enum EntityMacro: EntityExpansion {}
enum MarkMacro: MarkExpansion {}

/// Source text with its macros expanded as the compiler would do it.
struct ExpandedSource {
    let text: String
    /// Each problem as `line:column severity: message`.
    let problems: [String]

    /// `unstated` contains the protocols that the declaration does not state itself.
    init(_ source: String, unstated: [TypeSyntax] = ["Entity", "Embedded", "Event"]) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
        let expanded = file.expand(
            macroSpecs: Self.macros(unstated: unstated),
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

    private static func macros(unstated: [TypeSyntax]) -> [String: MacroSpec] {
        let mark = MacroSpec(type: MarkMacro.self)
        var macros = Dictionary(uniqueKeysWithValues: Mark.allCases.map { ($0.rawValue, mark) })
        for name in ["Entity", "Embedded", "Event"] {
            macros[name] = MacroSpec(type: EntityMacro.self, conformances: unstated)
        }
        return macros
    }
}
#endif
