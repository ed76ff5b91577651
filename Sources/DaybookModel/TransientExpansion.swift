#if Macros
internal import SwiftDiagnostics
package import SwiftSyntax
package import SwiftSyntaxMacros

/// What `@Transient` does: it is a mark that `@Entity` reads. By itself it writes nothing, and says
/// where it has no meaning.
package protocol TransientExpansion: PeerMacro {}

extension TransientExpansion {
    package static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if let problem = TransientUse.problem(of: declaration) {
            let fixIts = [EntityFixIt.remove(node)]
            context.diagnose(Diagnostic(node: node, message: problem, fixIts: fixIts))
        }
        return []
    }
}
#endif
