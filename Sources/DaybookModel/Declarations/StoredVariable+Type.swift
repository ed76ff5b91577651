#if Macros
internal import SwiftSyntax

extension StoredVariable {
    /// The written type as an expression before `.self`; nil if no type is written, or if a part of
    /// it is inferred (`[_]`).
    var typeText: String? {
        guard let type, !type.tokens(viewMode: .sourceAccurate).contains(where: \.isWildcard)
        else { return nil }
        if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            // `!` belongs to the property; the type of the value is an optional.
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

    /// The written type, or else the type of the initial value.
    var shownType: ShownType? {
        if let type { return ShownType(type) }
        return initialValue.flatMap(ShownType.init(value:))
    }

    /// Whether the written type is the id type of the entity `entity`: `Id`, or `EntityId` of that
    /// entity. An `EntityId` of another entity is a plain value.
    func hasIdentityType(of entity: String) -> Bool {
        guard let type, let shown = ShownType(type), !shown.isOptional,
            shown.isUnqualifiedOrDaybook
        else { return false }
        if shown.name == "Id" { return shown.arguments == nil }
        guard shown.name == "EntityId", let target = shown.lastArgument.flatMap(ShownType.init)
        else { return false }
        return target.name == entity || target.name == "Self"
    }

    /// Whether the declaration shows that its type cannot be an id. False if only the compiler can
    /// know, as for a type alias.
    func hasTypeUnsuitableForIdentity(of entity: String) -> Bool {
        guard let shown = shownType else { return type != nil }
        if shown.isOptional || shown.isCollection { return true }
        if shown.name == "EntityId" { return !hasIdentityType(of: entity) }
        return shown.isPlain && !hasPlainIdentityType
    }

    /// Whether its type is a number that can be an id, if the name or an annotation marks it as
    /// one.
    var hasPlainIdentityType: Bool {
        guard let shown = shownType, !shown.isOptional else { return false }
        return ["UInt64", "Int64"].contains(shown.name)
    }

    /// Whether it is a backlink, which is not stored in the row.
    var isBacklink: Bool {
        guard let shown = shownType else { return annotations.backlink != nil }
        if shown.isLinkingObjects { return true }
        return annotations.backlink != nil && shown.mayBeBacklink
    }

    /// Whether a constant of this type has a value of DaybookRealm that can be changed.
    var hasMutableRealmType: Bool {
        guard isConstant, initialValue != nil, let shown = shownType else { return false }
        return shown.isLinkingObjects || shown.isRealmOptional
            || ["List", "MutableSet", "Map"].contains(shown.name)
    }

    /// Whether its value can differ between objects even if it is constant.
    var isStateful: Bool {
        if isAssigned { return false }
        guard initialValue != nil, let shown = shownType else { return initialValue == nil }
        return shown.isRelation || ["List", "MutableSet", "Map"].contains(shown.name)
    }

    /// The target of a relation, as far as the declaration shows it.
    var destination: EntityModel.Destination {
        guard let shown = shownType else { return .unknown }
        if shown.isPlain || shown.isPlainCollection { return .nowhere }
        guard shown.isRelation || ["List", "MutableSet", "Map"].contains(shown.name) else {
            return .unknown
        }
        return shown.destination.map { .objects(of: $0) } ?? .unknown
    }
}

extension ShownType {
    /// Whether it is `ToMany` or `LinkingObjects`, or may be an alias of one.
    var mayBeBacklink: Bool {
        !isPlain && !isCollection && (!isRelation || name == "ToMany" || isLinkingObjects)
    }

    /// The type of the target objects, if it is written.
    var destination: String? {
        guard let type = lastArgument else { return nil }
        // The values of a map of objects are optional.
        let target = type.as(OptionalTypeSyntax.self)?.wrappedType ?? type
        return target.trimmedDescription == "_" ? nil : target.trimmedDescription
    }
}

extension TokenSyntax {
    fileprivate var isWildcard: Bool { tokenKind == .wildcard }
}
#endif
