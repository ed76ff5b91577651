#if Macros
internal import SwiftSyntaxBuilder
package import SwiftSyntax
package import SwiftSyntaxMacros

/// What `@Entity`, `@Embedded` and `@Event` do: make a struct or class conform to Daybook's
/// protocol of that name.
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
        guard isFirst(node, on: declaration) else { return [] }
        let reading = EntityModelReader.read(
            declaration, within: context.lexicalContext, unstated: names(of: protocols))
        guard let model = reading.model else { return [] }
        return EntityCode(model).memberTexts().map { "\(raw: $0)" }
    }

    /// The conformance, and every error that the declaration has.
    package static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard isFirst(node, on: declaration) else { return [] }
        // The compiler names the protocols that the declaration does not state itself.
        let unstated = names(of: protocols)
        let reading = EntityModelReader.read(
            declaration, within: context.lexicalContext, unstated: unstated)
        reading.diagnostics.forEach(context.diagnose)
        guard let model = reading.model else { return [] }
        let text = EntityCode(model).extensionText(
            statingConformance: unstated.contains(model.kind.rawValue))
        let code: DeclSyntax = "\(raw: text)"
        return [code.cast(ExtensionDeclSyntax.self)]
    }

    private static func names(of protocols: [TypeSyntax]) -> Set<String> {
        Set(protocols.compactMap { ShownType($0)?.name })
    }

    /// Where two attributes contradict each other, one of them speaks.
    private static func isFirst(
        _ node: AttributeSyntax, on declaration: some DeclGroupSyntax
    ) -> Bool {
        let first = declaration.attributes.plain.first { attribute in
            attribute.nameInDaybook.flatMap(EntityModel.Kind.init(rawValue:)) != nil
        }
        return first == nil || first?.nameInDaybook == node.nameInDaybook
    }
}
#endif
