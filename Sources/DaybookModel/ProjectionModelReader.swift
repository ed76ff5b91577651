#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

/// Reads the declaration of a projection.
///
/// In a struct every instance property stands for one of the object: that of `@Projected`, or the
/// one of the same name; `id` of type `Id` or `EntityId` is the object's id. `@Transient` ones, and
/// constants with a value, are left out. In a class those with `@Projected` count alone.
struct ProjectionModelReader {
    private(set) var diagnostics: [Diagnostic] = []

    /// Nil exactly if something was found wrong.
    mutating func read(
        _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax, qualifiedName: String
    ) -> ProjectionModel? {
        guard let type = TypeDeclaration(declaration) else { return nil }
        guard let shape = type.shape else {
            report(.kindUnsuitable(name: type.plainName), at: type.keyword)
            return nil
        }
        let isClass = shape != .structure
        guard let root = Self.root(of: attribute) ?? (isClass ? Self.root(of: type) : nil) else {
            report(.rootMissing(name: type.plainName, isClass: isClass), at: type.name)
            return nil
        }
        if let parameters = type.genericParameters {
            report(.generic(name: type.plainName), at: parameters)
        }
        let variables = type.memberBlock.members.flatMap { member in
            member.decl.as(VariableDeclSyntax.self).map { StoredVariable.all(in: $0) } ?? []
        }
        let properties = variables.compactMap { property($0, root: root, isClass: isClass) }
        guard diagnostics.isEmpty else { return nil }
        return ProjectionModel(
            qualifiedName: qualifiedName, root: root, isClass: isClass,
            access: Self.access(of: type), properties: properties)
    }

    private mutating func property(
        _ variable: StoredVariable, root: String, isClass: Bool
    ) -> ProjectionModel.Property? {
        let attributes = variable.declaration.attributes
        let mark = attributes.attribute(named: "Projected")
        guard mark != nil || !isClass, attributes.attribute(named: "Transient") == nil,
            variable.lazyModifier == nil,
            !(variable.isConstant && variable.initialValue != nil)
        else { return nil }
        let source: ProjectionModel.Property.Source
        if let mark {
            let arguments = mark.arguments?.as(LabeledExprListSyntax.self)
            let literal = arguments?.last?.expression.as(KeyPathExprSyntax.self)
            guard let path = literal.flatMap({ ProjectionPath($0, root: root) }) else {
                report(.pathUnsuitable(name: variable.name, root: root), at: mark)
                return nil
            }
            source = .path(spelling: path.spelling, name: path.name, rest: path.rest)
        } else if variable.isIdentity {
            source = .identity
        } else {
            source = .path(
                spelling: variable.identifier.text, name: variable.name, rest: "")
        }
        return ProjectionModel.Property(
            spelling: variable.identifier.text, name: variable.name, source: source,
            isConstant: variable.isConstant, isMarked: mark != nil)
    }

    /// The type of `of: Person.self`.
    private static func root(of attribute: AttributeSyntax) -> String? {
        let arguments = attribute.arguments?.as(LabeledExprListSyntax.self)
        guard let argument = arguments?.first(where: { $0.label?.text == "of" }),
            let access = argument.expression.as(MemberAccessExprSyntax.self),
            access.declName.baseName.text == "self"
        else { return nil }
        return access.base?.trimmedDescription
    }

    /// The type in `: Projection<Person>`.
    private static func root(of type: TypeDeclaration) -> String? {
        guard let base = type.inheritance?.inheritedTypes.first?.type else { return nil }
        let plain = base.as(IdentifierTypeSyntax.self)
        let member = base.as(MemberTypeSyntax.self)
        guard (plain?.name ?? member?.name)?.text == "Projection",
            let clause = plain?.genericArgumentClause ?? member?.genericArgumentClause,
            clause.arguments.count == 1
        else { return nil }
        return clause.arguments.first?.argument.trimmedDescription
    }

    private static func access(of type: TypeDeclaration) -> String {
        for modifier in type.modifiers where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.public), .keyword(.open): return "public "
            case .keyword(.package): return "package "
            default: continue
            }
        }
        return ""
    }

    private mutating func report(_ message: ProjectionDiagnostic, at node: some SyntaxProtocol) {
        diagnostics.append(Diagnostic(node: node, message: message))
    }
}

extension StoredVariable {
    /// Whether it is `id`, with a type that only the id of the object has.
    fileprivate var isIdentity: Bool {
        guard name == "id", let text = type?.trimmedDescription else { return false }
        return ["Id", "Daybook.Id"].contains(text) || text.hasPrefix("EntityId<")
            || text.hasPrefix("Daybook.EntityId<")
    }
}
#endif
