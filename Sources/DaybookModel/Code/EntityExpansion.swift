#if Macros
internal import SwiftSyntaxBuilder
package import SwiftSyntax
package import SwiftSyntaxMacros

/// The implementation of `@Entity`, `@Embedded` and `@Event`, which add the conformance to
/// Daybook's protocol of that name.
///
/// The plugin's types adopt this protocol. All other code is here, so that tests do not need the
/// plugin.
package protocol EntityExpansion: MemberMacro, ExtensionMacro {}

extension EntityExpansion {
    /// The generated code is already formatted, and formatting would be most of an expansion's
    /// cost.
    package static var formatMode: FormatMode { .disabled }

    /// The members that must be in the declaration itself. The extension role, which the compiler
    /// also expands, reports errors.
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

    /// The conformance, and all errors of the declaration.
    package static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard isFirst(node, on: declaration) else { return [] }
        // The compiler passes the protocols that the declaration does not state itself.
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

    /// If two attributes contradict each other, only one of them reports it.
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
