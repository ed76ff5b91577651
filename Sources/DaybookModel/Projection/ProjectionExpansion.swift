#if Macros
internal import SwiftSyntaxBuilder
package import SwiftSyntax
package import SwiftSyntaxMacros

/// The implementation of `@Projection`, which adds the conformance to Daybook's `EntityProjection`.
package protocol ProjectionExpansion: ExtensionMacro {}

extension ProjectionExpansion {
    /// See ``EntityExpansion``.
    package static var formatMode: FormatMode { .disabled }

    /// The conformance, and all errors of the declaration.
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
