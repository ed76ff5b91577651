#if Macros
internal import SwiftSyntax

/// A key path that is taken apart: its first step is read from the store, the rest is Swift's.
struct ProjectionPath {
    /// The name of the first step, as code must spell it, and without backticks.
    let spelling: String
    let name: String
    /// What follows the first step, as it is written.
    let rest: String

    /// Reads a literal that begins at `root`; nil for one that does not begin with a property.
    ///
    /// The parser takes the first word alone for the type, so what follows it may belong to the
    /// type's name, which may also be spelled longer here than at `root`. A `root` that was left
    /// out has no name to find.
    init?(_ literal: KeyPathExprSyntax, root: String) {
        var steps = Array(literal.components)
        let names = root.split(separator: ".").map { $0.filter { !$0.isWhitespace } }
        if let start = literal.root?.trimmedDescription {
            let spelled = [start] + steps.prefix { Self.property($0) != nil }.map(Self.text)
            let range = names.isEmpty ? nil : spelled.firstRange(of: names)
            if let end = range?.upperBound, end <= steps.count { steps.removeFirst(end - 1) }
        }
        guard let first = steps.first, let property = Self.property(first) else { return nil }
        spelling = property.text
        name = property.identifier?.name ?? property.text
        rest = steps.dropFirst().map(\.trimmedDescription).joined()
    }

    private static func text(_ step: KeyPathComponentSyntax) -> String {
        property(step)?.text ?? ""
    }

    private static func property(_ step: KeyPathComponentSyntax) -> TokenSyntax? {
        step.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName
    }
}
#endif
