#if Macros
import DaybookModel
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacros

/// Source text, and what the reader makes of the first declaration in it that is marked `@Entity`.
struct ReadSource {
    let model: EntityModel?
    /// Each as `line:column message`.
    let problems: [String]
    /// The title of every fix-it.
    let fixItTitles: [String]
    /// The source after every fix-it was applied.
    let fixed: String

    init(_ source: String) throws {
        let file = Parser.parse(source: source)
        let finder = EntityFinder(viewMode: .sourceAccurate)
        finder.walk(file)
        guard let declaration = finder.found else { throw NoEntity() }
        let context = declaration.allMacroLexicalContexts()
        let reading = EntityModelReader.read(declaration, within: context)
        let converter = SourceLocationConverter(fileName: "", tree: file)
        model = reading.model
        problems = reading.diagnostics.map { diagnostic in
            let location = diagnostic.location(converter: converter)
            return "\(location.line):\(location.column) \(diagnostic.message)"
        }
        let fixIts = reading.diagnostics.flatMap(\.fixIts)
        fixItTitles = fixIts.map(\.message.message)
        fixed = Self.applying(fixIts.flatMap(\.edits), to: source)
    }

    struct NoEntity: Error {}

    /// Applies `edits` from the last to the first, so that the earlier positions stay right.
    static func applying(_ edits: [SourceEdit], to source: String) -> String {
        var bytes = Array(source.utf8)
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            let range = edit.range.lowerBound.utf8Offset..<edit.range.upperBound.utf8Offset
            bytes.replaceSubrange(range, with: Array(edit.replacement.utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

private final class EntityFinder: SyntaxAnyVisitor {
    var found: (any DeclGroupSyntax)?

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
        if found == nil, let group = node.asProtocol((any DeclGroupSyntax).self),
            group.attributes.trimmedDescription.contains("@Entity")
        {
            found = group
        }
        return found == nil ? .visitChildren : .skipChildren
    }
}
#endif
