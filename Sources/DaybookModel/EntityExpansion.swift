#if Macros
internal import SwiftSyntaxBuilder
package import SwiftSyntax
package import SwiftSyntaxMacros

/// What `@Entity` does: makes a struct or final class conform to Daybook's `Entity`.
///
/// The plugin names a type that adopts this; everything else is here, where tests reach it without
/// the plugin.
package protocol EntityExpansion: MemberMacro, ExtensionMacro {}

extension EntityExpansion {
    /// The text is laid out as it is written, and formatting would be most of an expansion's cost.
    package static var formatMode: FormatMode { .disabled }

    /// What must stand in the declaration itself. Errors are left to the extension role, which the
    /// compiler asks as well.
    package static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let reading = EntityModelReader.read(declaration, within: context.lexicalContext)
        guard let model = reading.model else { return [] }
        return EntityCode(model).memberTexts().map { "\(raw: $0)" }
    }

    /// The conformance, and every error that the declaration has.
    package static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        let reading = EntityModelReader.read(declaration, within: context.lexicalContext)
        reading.diagnostics.forEach(context.diagnose)
        guard let model = reading.model else { return [] }
        // The compiler names the protocols that the declaration does not state itself.
        let text = EntityCode(model).extensionText(statingConformance: !protocols.isEmpty)
        let code: DeclSyntax = "\(raw: text)"
        return [code.cast(ExtensionDeclSyntax.self)]
    }
}
#endif
