#if Macros
internal import SwiftSyntax

/// The written arguments of an attribute.
struct AttributeArguments {
    private let list: [LabeledExprSyntax]

    init(_ attribute: AttributeSyntax) {
        guard case .argumentList(let arguments)? = attribute.arguments else {
            list = []
            return
        }
        list = Array(arguments)
    }

    /// All arguments as code, without the commas.
    var written: [String] {
        list.map { ($0.label.map { "\($0.text): " } ?? "") + $0.expression.trimmedDescription }
    }

    /// The arguments before the first label.
    var unlabeled: [ExprSyntax] {
        list.prefix { $0.label == nil }.map(\.expression)
    }

    /// The argument with that label.
    func labeled(_ label: String) -> ExprSyntax? { run(labeled: label).first }

    /// The argument with that label and the unlabeled arguments after it, as in `from: "a", "b"`.
    func run(labeled label: String) -> [ExprSyntax] {
        guard let start = list.firstIndex(where: { $0.label?.text == label }) else { return [] }
        let more = list[(start + 1)...].prefix { $0.label == nil }
        return ([list[start]] + more).map(\.expression)
    }
}

extension ExprSyntax {
    /// The text of a string literal without interpolations and escapes.
    var stringText: String? {
        guard let literal = self.as(StringLiteralExprSyntax.self), literal.segments.count == 1,
            case .stringSegment(let segment)? = literal.segments.first,
            !segment.content.text.contains("\\")
        else { return nil }
        return segment.content.text
    }

    /// The last name of `.hash` or `IndexKind.hash`.
    var memberName: String? {
        self.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }

    /// The value of a literal `true` or `false`.
    var booleanValue: Bool? {
        switch self.as(BooleanLiteralExprSyntax.self)?.literal.tokenKind {
        case .keyword(.true): true
        case .keyword(.false): false
        default: nil
        }
    }

    /// The text before `.self`.
    var typeText: String? {
        guard let member = self.as(MemberAccessExprSyntax.self), let base = member.base,
            member.declName.baseName.tokenKind == .keyword(.`self`)
        else { return nil }
        return base.trimmedDescription
    }

    /// The last name in a key path such as `\Order.customer`, without backticks.
    var keyPathName: String? {
        guard let last = self.as(KeyPathExprSyntax.self)?.components.last?.component,
            let name = last.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName
        else { return nil }
        return name.identifier?.name ?? name.text
    }

    /// The text before the last name in a key path; nil if the path starts with a period. The
    /// syntax tree treats only the first word as the type, whatever the others are.
    var keyPathTarget: String? {
        guard let path = self.as(KeyPathExprSyntax.self), let root = path.root else { return nil }
        return root.trimmedDescription
            + path.components.dropLast().map(\.trimmedDescription).joined()
    }
}

extension String {
    /// Whether the characters can form a Swift property name, in backticks if necessary.
    var isPropertyName: Bool {
        !isEmpty && !contains { $0.isNewline || "`\\".contains($0) }
    }

    /// The name as it is spelled after a period.
    var spelledAsMember: String {
        let isPlain = isIdentifier && !["init", "self", "Self", "Type", "Protocol"].contains(self)
        return isPlain ? self : "`\(self)`"
    }
}
#endif
