#if Macros
internal import SwiftSyntaxBuilder
package import SwiftSyntax
package import SwiftSyntaxMacros

/// What `@Projection` does: makes a struct or class conform to Daybook's `EntityProjection`.
package protocol ProjectionExpansion: ExtensionMacro {}

extension ProjectionExpansion {
    /// As ``EntityExpansion`` has it.
    package static var formatMode: FormatMode { .disabled }

    /// The conformance, and every error that the declaration has.
    package static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        let reading = ProjectionModelReader.read(
            declaration, attribute: node, qualifiedName: type.trimmedDescription,
            within: context.lexicalContext)
        reading.diagnostics.forEach(context.diagnose)
        guard let model = reading.model else { return [] }
        let text = ProjectionCode(model).extensionText(statingConformance: !protocols.isEmpty)
        let code: DeclSyntax = "\(raw: text)"
        return [code.cast(ExtensionDeclSyntax.self)]
    }
}
#endif
