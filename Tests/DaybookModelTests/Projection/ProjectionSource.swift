#if Macros
import DaybookModel
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// The name in the plugin of `@Projection`.
enum ProjectionMacro: ProjectionExpansion {}

/// The source of a projection, expanded as the compiler would do it.
struct ProjectionSource {
    /// The generated code, without the declaration itself.
    let written: String
    /// Each problem as `line:column message`.
    let problems: [String]

    init(_ source: String, unstated: [TypeSyntax] = ["EntityProjection"]) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
        let expanded = file.expand(
            macroSpecs: [
                "Projection": MacroSpec(type: ProjectionMacro.self, conformances: unstated)
            ],
            contextGenerator: { node in
                BasicMacroExpansionContext(
                    sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
            },
            indentationWidth: .spaces(4))
        let text = expanded.description
        let start = text.firstRange(of: "nonisolated extension")?.lowerBound ?? text.endIndex
        written = String(text[start...])
        problems = context.diagnostics.map { diagnostic in
            let location = context.location(
                for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "")
            return "\(location.line):\(location.column) \(diagnostic.message)"
        }
    }
}

#endif
