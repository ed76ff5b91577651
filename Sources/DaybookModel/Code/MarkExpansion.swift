#if Macros
internal import SwiftDiagnostics
package import SwiftSyntax
package import SwiftSyntaxMacros

/// The implementation of `@Transient`, `@Index` and similar attributes, which `@Entity` reads. A
/// mark generates no code; it only reports misplaced use.
package protocol MarkExpansion: PeerMacro {}

extension MarkExpansion {
    package static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if let problem = MarkUse.problem(of: node, on: declaration) {
            let fixIts = [EntityFixIt.remove(node)]
            context.diagnose(Diagnostic(node: node, message: problem, fixIts: fixIts))
        }
        return []
    }
}
#endif
