#if Macros
internal import SwiftDiagnostics
package import SwiftSyntax
package import SwiftSyntaxMacros

/// What `@Transient`, `@Index` and their like do: they are marks that `@Entity` reads. By itself a
/// mark writes nothing, and says where it has no meaning.
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
