#if Macros
package import SwiftSyntax

/// Checks where a mark is applied.
package enum MarkUse {
    /// The error of `attribute` on `declaration`, or nil if it is valid there.
    package static func problem(
        of attribute: AttributeSyntax, on declaration: some SyntaxProtocol
    ) -> EntityDiagnostic? {
        guard let mark = Mark(attribute) else { return nil }
        let namesColumns =
            mark.namesColumns
            && AttributeArguments(attribute).unlabeled.contains {
                $0.is(StringLiteralExprSyntax.self)
            }
        if let variable = declaration.as(VariableDeclSyntax.self) {
            if namesColumns { return .markMisplaced(mark: mark, .withoutNames) }
            return isStored(variable, for: mark) ? nil : .markWithoutEffect(mark: mark)
        }
        guard mark.suitsTypes, TypeDeclaration(declaration)?.shape != nil else {
            return .markMisplaced(mark: mark, mark.suitsTypes ? .onTypeOrProperty : .onProperty)
        }
        let lacksNames = mark.namesColumns && !namesColumns
        return lacksNames ? .markMisplaced(mark: mark, .withNames) : nil
    }

    /// Whether the property would be stored. A property that is never stored can still be marked
    /// transient if it has a value.
    private static func isStored(_ declaration: VariableDeclSyntax, for mark: Mark) -> Bool {
        if !StoredVariable.tuplePatterns(in: declaration).isEmpty { return true }
        return StoredVariable.all(in: declaration).contains { variable in
            mark == .transient || !variable.isConstant || variable.initialValue == nil
        }
    }
}
#endif
