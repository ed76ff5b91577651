#if Macros
internal import SwiftSyntax

/// The type of a property as far as the declaration shows it. Only the compiler can resolve a type
/// alias.
struct ShownType {
    /// The last component of the name, such as `EntityId` in `Daybook.EntityId<Person>`; `Array`
    /// and `Dictionary` for the types in brackets. For an optional, the name of the wrapped type.
    let name: String
    let arguments: GenericArgumentClauseSyntax?
    let isUnqualifiedOrDaybook: Bool
    let isOptional: Bool
    /// The written text.
    let text: String

    /// Reads a written type; nil if it has no name, such as a function or a tuple.
    init?(_ written: some SyntaxProtocol) {
        var type = Syntax(written)
        var isOptional = false
        while let wrapped = Self.wrapped(in: type) {
            type = Syntax(wrapped)
            isOptional = true
        }
        self.isOptional = isOptional
        text = written.trimmedDescription
        if let plain = type.as(IdentifierTypeSyntax.self) {
            name = plain.name.identifier?.name ?? plain.name.text
            arguments = plain.genericArgumentClause
            isUnqualifiedOrDaybook = true
        } else if let member = type.as(MemberTypeSyntax.self) {
            name = member.name.identifier?.name ?? member.name.text
            arguments = member.genericArgumentClause
            isUnqualifiedOrDaybook = member.baseType.trimmedDescription == "Daybook"
        } else if type.is(ArrayTypeSyntax.self) || type.is(DictionaryTypeSyntax.self) {
            name = type.is(ArrayTypeSyntax.self) ? "Array" : "Dictionary"
            arguments = nil
            isUnqualifiedOrDaybook = true
        } else {
            return nil
        }
    }

    /// The type whose optional `type` is, in any spelling.
    private static func wrapped(in type: Syntax) -> TypeSyntax? {
        if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return optional.wrappedType
        }
        guard let plain = type.as(IdentifierTypeSyntax.self), plain.name.text == "Optional",
            case .type(let wrapped)? = plain.genericArgumentClause?.arguments.first?.argument
        else { return nil }
        return wrapped
    }

    /// The type without any optional around it.
    static func wrapped(inAll type: some SyntaxProtocol) -> TypeSyntax? {
        var found: TypeSyntax?
        while let wrapped = wrapped(in: found.map(Syntax.init) ?? Syntax(type)) { found = wrapped }
        return found
    }

    /// Infers the type of a value: a literal has the type that Swift gives it without an
    /// annotation, and a call of a name with a capital letter creates a value of that type.
    init?(value: ExprSyntax) {
        var called = value
        if let call = value.as(FunctionCallExprSyntax.self) { called = call.calledExpression }
        let isCall = called.id != value.id
        arguments = called.as(GenericSpecializationExprSyntax.self)?.genericArgumentClause
        if let generic = called.as(GenericSpecializationExprSyntax.self) {
            called = generic.expression
        }
        switch called.kind {
        case .integerLiteralExpr: name = "Int"
        case .floatLiteralExpr: name = "Double"
        case .stringLiteralExpr: name = "String"
        case .booleanLiteralExpr: name = "Bool"
        case .arrayExpr: name = "Array"
        case .dictionaryExpr: name = "Dictionary"
        case .declReferenceExpr where isCall:
            let called = called.cast(DeclReferenceExprSyntax.self).baseName.text
            guard called.first?.isUppercase == true else { return nil }
            name = called
        default: return nil
        }
        text = name
        isUnqualifiedOrDaybook = true
        isOptional = false
    }

    /// The last argument in angle brackets: the type of the elements, of a map's values, or of the
    /// targets.
    var lastArgument: TypeSyntax? {
        guard case .type(let type)? = arguments?.arguments.last?.argument else { return nil }
        return type
    }

    /// Whether the property is a relation. For a list, this depends on its elements, whose name may
    /// not show it; see ``isPlainCollection``.
    var isRelation: Bool {
        if ["ToOne", "ToMany", "LinkingObjects"].contains(name) { return true }
        return ["Reference", "References"].contains(name) && arguments != nil
    }

    /// Whether it is a backlink type.
    var isLinkingObjects: Bool { name == "LinkingObjects" }

    /// Whether it contains the value of a property of an older declaration of Realm.
    var isRealmOptional: Bool { ["RealmOptional", "RealmProperty"].contains(name) }

    /// Whether it cannot be a relation, such as a list of plain values and every other collection.
    var isPlainCollection: Bool {
        guard isCollection else { return false }
        return !["List", "MutableSet", "Map"].contains(name)
            || lastArgument.flatMap(ShownType.init)?.isPlain == true
    }

    /// Whether its values are collections or bytes, which cannot be indexed.
    var isCollection: Bool { Self.collectionNames.contains(name) }

    /// Whether it is `Data` or `[UInt8]`.
    var isBytes: Bool {
        name == "Data" || text.filter { !" ?!".contains($0) } == "[UInt8]"
    }

    var isString: Bool { name == "String" }

    /// Whether it is a common type that rows store without conversion.
    var isPlain: Bool { Self.plainNames.contains(name) }

    private static let collectionNames: Set<String> = [
        "Array", "ContiguousArray", "Dictionary", "Set", "Data", "List", "MutableSet", "Map",
    ]

    private static let plainNames: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "Bool", "Double", "Float", "String", "Character", "UUID", "Data", "Date", "URL", "Decimal",
    ]
}
#endif
