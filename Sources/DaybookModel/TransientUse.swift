#if Macros
package import SwiftSyntax

/// What `@Transient` means where it is written.
package enum TransientUse {
    /// What is wrong with `@Transient` on `declaration`, or nil if it leaves a property out of the
    /// store there.
    package static func problem(of declaration: some DeclSyntaxProtocol) -> EntityDiagnostic? {
        guard let variable = declaration.as(VariableDeclSyntax.self) else {
            return .transientMisplaced
        }
        let holdsValue =
            !StoredVariable.all(in: variable).isEmpty
            || !StoredVariable.tuplePatterns(in: variable).isEmpty
        return holdsValue ? nil : .transientWithoutEffect
    }
}
#endif
