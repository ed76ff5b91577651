#if Macros
import DaybookModel
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacros

/// Source text, and the model of its first type marked `@Entity`, `@Embedded` or `@Event`, or else
/// of its first type.
struct ReadSource {
    let model: EntityModel?
    /// The kind, from the declaration alone.
    let kind: EntityModel.Kind?
    /// Each problem as `line:column message`, without those in ``missingInitializers``.
    let problems: [String]
    /// The warnings for classes without an initializer, which most sources of the tests are.
    let missingInitializers: [String]
    /// The titles of all fix-its.
    let fixItTitles: [String]
    /// The source after all fix-its were applied.
    let fixed: String
    /// The source after each fix-it was applied separately, for fix-its that exclude each other.
    let alternatives: [String]

    init(
        _ source: String, placement: CodePlacement = .declaration, unstated: Set<String>? = nil
    ) throws {
        let file = Parser.parse(source: source)
        let finder = EntityFinder(viewMode: .sourceAccurate)
        finder.walk(file)
        guard let declaration = finder.marked ?? finder.first else { throw NoEntity() }
        let context = declaration.allMacroLexicalContexts()
        let reading = EntityModelReader.read(
            declaration, within: context, placement: placement, unstated: unstated)
        let converter = SourceLocationConverter(fileName: "", tree: file)
        model = reading.model
        kind = EntityModelReader.kind(of: declaration)
        func texts(ofMissingInitializers isMissing: Bool) -> [String] {
            let id = EntityDiagnostic.initializerMissing(name: "", properties: []).diagnosticID
            return reading.diagnostics.filter { ($0.diagnosticID == id) == isMissing }.map {
                let location = $0.location(converter: converter)
                return "\(location.line):\(location.column) \($0.message)"
            }
        }
        problems = texts(ofMissingInitializers: false)
        missingInitializers = texts(ofMissingInitializers: true)
        let fixIts = reading.diagnostics.flatMap(\.fixIts)
        fixItTitles = fixIts.map(\.message.message)
        fixed = Self.applying(fixIts.flatMap(\.edits), to: source)
        alternatives = fixIts.map { Self.applying($0.edits, to: source) }
    }

    struct NoEntity: Error {}

    /// Applies `edits` from last to first, so that earlier positions stay valid.
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
    var first: (any DeclGroupSyntax)?
    var marked: (any DeclGroupSyntax)?

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
        if let group = node.asProtocol((any DeclGroupSyntax).self) {
            if first == nil, !group.is(ExtensionDeclSyntax.self) { first = group }
            let names = group.attributes.trimmedDescription
            if ["@Entity", "@Embedded", "@Event"].contains(where: names.contains) {
                marked = group
            }
        }
        return marked == nil ? .visitChildren : .skipChildren
    }
}
#endif
