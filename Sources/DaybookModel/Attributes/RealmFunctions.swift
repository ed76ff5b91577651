#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

/// Reads the functions of a class of Realm that name properties.
struct RealmFunctions {
    /// A function, and the value that it must return.
    enum Function: String, CaseIterable {
        case primaryKey
        case indexedProperties
        case ignoredProperties

        var expected: String {
            self == .primaryKey
                ? "a name in quotation marks" : "an array of names in quotation marks"
        }
    }

    /// The names in the order of the declarations.
    private(set) var names: [(function: Function, name: String, place: ExprSyntax)] = []
    /// A diagnostic for each function whose names cannot be read.
    private(set) var diagnostics: [Diagnostic] = []

    init(_ members: MemberBlockItemListSyntax) {
        for member in members {
            guard let declaration = member.decl.as(FunctionDeclSyntax.self),
                let function = Function(rawValue: declaration.name.text),
                declaration.signature.parameterClause.parameters.isEmpty
            else { continue }
            read(function, declaration)
        }
    }

    private mutating func read(_ function: Function, _ declaration: FunctionDeclSyntax) {
        guard let value = declaration.returnedValue, let places = Self.places(in: value, function)
        else {
            let message = EntityDiagnostic.functionUnreadable(
                name: function.rawValue, expected: function.expected)
            diagnostics.append(Diagnostic(node: declaration.name, message: message))
            return
        }
        for place in places {
            if let name = place.stringText { names.append((function, name, place)) }
        }
    }

    /// The literals of the names; nil if there is another expression.
    private static func places(in value: ExprSyntax, _ function: Function) -> [ExprSyntax]? {
        if function == .primaryKey {
            if value.is(NilLiteralExprSyntax.self) { return [] }
            return value.stringText == nil ? nil : [value]
        }
        guard let array = value.as(ArrayExprSyntax.self) else { return nil }
        let places = array.elements.map(\.expression)
        return places.allSatisfy { $0.stringText != nil } ? places : nil
    }
}

extension FunctionDeclSyntax {
    /// The value of a body with one expression or one `return`.
    fileprivate var returnedValue: ExprSyntax? {
        guard let body, body.statements.count == 1, let item = body.statements.first?.item else {
            return nil
        }
        switch item {
        case .expr(let expression): return expression
        case .stmt(let statement): return statement.as(ReturnStmtSyntax.self)?.expression
        case .decl: return nil
        }
    }
}

extension StoredVariable {
    /// The arguments of `LinkingObjects(fromType: Person.self, property: "dogs")`.
    var linkingOrigin: (type: String, property: String)? {
        guard shownType?.isLinkingObjects == true,
            let call = initialValue?.as(FunctionCallExprSyntax.self)
        else { return nil }
        func argument(_ label: String) -> ExprSyntax? {
            call.arguments.first { $0.label?.text == label }?.expression
        }
        guard let access = argument("fromType")?.as(MemberAccessExprSyntax.self),
            access.declName.baseName.text == "self", let type = access.base?.trimmedDescription,
            let property = argument("property")?.stringText, property.isPropertyName
        else { return nil }
        return (type, property)
    }
}
#endif
