#if Macros
package import SwiftDiagnostics
package import SwiftSyntax

/// Reads the declaration of a projection.
///
/// In a struct, every instance property maps to a property of the object: the one in `@Projected`,
/// or the one with the same name. `id` of type `Id` or `EntityId` is the object's id. Transient
/// properties, and constants with a value, are ignored. In a class, only properties with
/// `@Projected` are mapped.
package struct ProjectionModelReader {
    /// The result of reading a declaration.
    package struct Reading {
        /// The model, or nil after an error.
        package let model: ProjectionModel?
        /// All errors, in the order of detection.
        package let diagnostics: [Diagnostic]
    }

    private var diagnostics: [Diagnostic] = []

    /// Reads `declaration`, which has `attribute`; nil for a declaration without it, whose code is
    /// in another file. `lexicalContext` contains the enclosing declarations, innermost first.
    ///
    /// Returns a model if and only if there is no error. Takes time in proportion to the members.
    package static func read(
        _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax?, qualifiedName: String,
        within lexicalContext: [Syntax]
    ) -> Reading {
        // A declaration without a name is an extension, to which the compiler attaches no such
        // macro.
        guard let type = TypeDeclaration(declaration) else {
            return Reading(model: nil, diagnostics: [])
        }
        let place = EntityModelReader(
            type: type, lexicalContext: lexicalContext,
            placement: attribute == nil ? .otherFile : .declaration, unstated: nil,
            annotations: EntityAnnotations(), realmBase: nil)
        var reader = ProjectionModelReader()
        let model = reader.readModel(
            type, attribute: attribute, qualifiedName: qualifiedName, access: place.access)
        return Reading(
            model: reader.diagnostics.isEmpty ? model : nil, diagnostics: reader.diagnostics)
    }

    private mutating func readModel(
        _ type: TypeDeclaration, attribute: AttributeSyntax?, qualifiedName: String,
        access: EntityModel.Access
    ) -> ProjectionModel? {
        guard let shape = type.shape else {
            report(.kindUnsuitable(name: type.plainName), at: type.keyword)
            return nil
        }
        let isClass = shape != .structure
        let root =
            attribute.flatMap(Self.root(of:))
            ?? (isClass ? Self.root(of: type) : attribute == nil ? Self.alias(in: type) : nil)
        guard let root else {
            let remedy: ProjectionDiagnostic.Remedy =
                isClass ? .superclass : attribute == nil ? .alias : .argument
            report(.rootMissing(name: type.plainName, remedy: remedy), at: type.name)
            return nil
        }
        if let parameters = type.genericParameters {
            report(.generic(name: type.plainName), at: parameters)
        }
        return ProjectionModel(
            qualifiedName: qualifiedName, root: root, isClass: isClass, access: access,
            statesConformance: type.statesProjection,
            properties: properties(
                of: type.memberBlock.members, root: root, isClass: isClass, isConditional: false))
    }

    private mutating func properties(
        of members: MemberBlockItemListSyntax, root: String, isClass: Bool, isConditional: Bool
    ) -> [ProjectionModel.Property] {
        var found: [ProjectionModel.Property] = []
        for member in members {
            if let declaration = member.decl.as(VariableDeclSyntax.self) {
                let (annotations, problems) = CommentAnnotations.property(declaration)
                diagnostics += problems
                for variable in StoredVariable.all(in: declaration, annotations: annotations) {
                    guard let property = property(variable, root: root, isClass: isClass) else {
                        continue
                    }
                    found.append(property)
                    if isConditional {
                        report(.conditional(name: variable.name), at: variable.identifier)
                    }
                }
            } else if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                for clause in condition.clauses {
                    guard case .decls(let inner)? = clause.elements else { continue }
                    found += properties(
                        of: inner, root: root, isClass: isClass, isConditional: true)
                }
            }
        }
        return found
    }

    private mutating func property(
        _ variable: StoredVariable, root: String, isClass: Bool
    ) -> ProjectionModel.Property? {
        let attributes = variable.declaration.attributes
        let mark = attributes.attribute(named: "Projected")
        let isTransient = variable.isTransient || attributes.attribute(named: "Transient") != nil
        if isTransient, mark != nil {
            report(.contradiction(name: variable.name), at: variable.identifier)
        }
        guard mark != nil || !isClass, !isTransient, variable.lazyModifier == nil,
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
        return access.base.flatMap(name(in:))
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
        return clause.arguments.first.flatMap { name(in: $0.argument) }
    }

    /// The type in `typealias Root = Person`.
    private static func alias(in type: TypeDeclaration) -> String? {
        let aliases = type.memberBlock.members.compactMap { $0.decl.as(TypeAliasDeclSyntax.self) }
        let alias = aliases.first { $0.name.text == "Root" }
        return alias.flatMap { name(in: $0.initializer.value) }
    }

    /// The name of an entity's type; nil for what the parser had to fill in, and for what has
    /// attributes, such as those of the declaration behind a name that was left out.
    private static func name(in node: some SyntaxProtocol) -> String? {
        node.hasError || Syntax(node).is(AttributedTypeSyntax.self) ? nil : node.trimmedDescription
    }

    private mutating func report(_ message: ProjectionDiagnostic, at node: some SyntaxProtocol) {
        diagnostics.append(Diagnostic(node: node, message: message))
    }
}

extension TypeDeclaration {
    /// Whether the clause names the protocol that the code is written for.
    fileprivate var statesProjection: Bool {
        inheritance?.inheritedTypes.contains { inherited in
            let name = inherited.type.trimmedDescription
            return ["EntityProjection", "Daybook.EntityProjection"].contains(name)
        } ?? false
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
