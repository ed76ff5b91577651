#if Macros
internal import SwiftSyntax

extension StoredVariable {
    /// The written type as an expression that `.self` may follow; nil where nothing is written, or
    /// a part of it is left to the compiler (`[_]`).
    var typeText: String? {
        guard let type, !type.tokens(viewMode: .sourceAccurate).contains(where: \.isWildcard)
        else { return nil }
        if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            // `!` belongs to the property; as a type the value is an optional.
            return "\(unwrapped.wrappedType.trimmedDescription)?"
        }
        let text = type.trimmedDescription
        switch type.kind {
        case .functionType, .attributedType, .someOrAnyType, .compositionType, .suppressedType:
            return "(\(text))"
        default:
            return text
        }
    }

    /// Whether the written type says that this is the id of the entity `entity`: `Id`, or
    /// `EntityId` of that entity. An `EntityId` of another entity is a plain value.
    func hasIdentityType(of entity: String) -> Bool {
        guard let type, let last = LastTypeName(type) else { return false }
        if last.name == "Id" { return last.arguments == nil && last.isUnqualifiedOrDaybook }
        guard last.name == "EntityId", last.isUnqualifiedOrDaybook,
            case .type(let argument)? = last.arguments?.arguments.first?.argument,
            let target = LastTypeName(argument)
        else { return false }
        return target.name == entity || target.name == "Self"
    }

    /// Whether the declaration shows that its type cannot be an id. False where only the compiler
    /// can know, as with a type alias.
    func hasTypeUnsuitableForIdentity(of entity: String) -> Bool {
        guard let type else { return hasValueUnsuitableForIdentity }
        if [.optionalType, .implicitlyUnwrappedOptionalType].contains(type.kind) { return true }
        guard let last = LastTypeName(type) else { return true }
        if last.name == "EntityId" { return !hasIdentityType(of: entity) }
        return Self.plainTypeNames.contains(last.name)
    }

    /// Whether its initial value shows a type that is no id: literals are taken as the type that
    /// Swift gives them without an annotation.
    private var hasValueUnsuitableForIdentity: Bool {
        guard let initialValue else { return false }
        switch initialValue.kind {
        case .integerLiteralExpr, .floatLiteralExpr, .stringLiteralExpr, .booleanLiteralExpr,
            .arrayExpr, .dictionaryExpr:
            return true
        case .functionCallExpr:
            let called = initialValue.cast(FunctionCallExprSyntax.self).calledExpression
            return Self.plainTypeNames.contains(called.trimmedDescription)
        default:
            return false
        }
    }

    /// Common types that are no ids. `UInt64` is missing, because `Id` is another name of it.
    private static let plainTypeNames: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
        "Bool", "Double", "Float", "String", "Character", "UUID", "Data", "Date", "URL",
    ]
}

/// The last component of a type's name, such as `EntityId<Person>` in `Daybook.EntityId<Person>`.
private struct LastTypeName {
    let name: String
    let arguments: GenericArgumentClauseSyntax?
    let isUnqualifiedOrDaybook: Bool

    init?(_ type: some SyntaxProtocol) {
        if let plain = type.as(IdentifierTypeSyntax.self) {
            name = plain.name.identifier?.name ?? plain.name.text
            arguments = plain.genericArgumentClause
            isUnqualifiedOrDaybook = true
        } else if let member = type.as(MemberTypeSyntax.self) {
            name = member.name.identifier?.name ?? member.name.text
            arguments = member.genericArgumentClause
            isUnqualifiedOrDaybook = member.baseType.trimmedDescription == "Daybook"
        } else {
            return nil
        }
    }
}

extension TokenSyntax {
    fileprivate var isWildcard: Bool { tokenKind == .wildcard }
}
#endif
