#if Macros
package import SwiftDiagnostics
package import SwiftSyntax

/// Reads the declaration of an entity.
///
/// What is stored: every instance `var` with storage, observed or not, in the order of the
/// declaration. Not stored: static and computed properties, those marked `@Transient`, and a `let`
/// with a value, which is the same constant in every object. What can be neither is an error.
package struct EntityModelReader {
    /// What came of reading a declaration.
    package struct Reading {
        /// The model, or nil if an error was found.
        package let model: EntityModel?
        /// Everything that is wrong, in the order in which it was found.
        package let diagnostics: [Diagnostic]
    }

    let type: TypeDeclaration
    let lexicalContext: [Syntax]
    var diagnostics: [Diagnostic] = []

    /// Reads `declaration`. `lexicalContext` holds the declarations around it, the innermost first,
    /// as a macro is given them.
    ///
    /// Returns a model exactly if no error was found. Takes time in proportion to the members.
    package static func read(
        _ declaration: some DeclGroupSyntax, within lexicalContext: [Syntax]
    ) -> Reading {
        // Without a name it is an extension, to which the compiler attaches no macro of ours.
        guard let type = TypeDeclaration(declaration) else {
            return Reading(model: nil, diagnostics: [])
        }
        var reader = EntityModelReader(type: type, lexicalContext: lexicalContext)
        let model = reader.readModel()
        let problems = reader.diagnostics
        return Reading(model: problems.isEmpty ? model : nil, diagnostics: problems)
    }

    private init(type: TypeDeclaration, lexicalContext: [Syntax]) {
        self.type = type
        self.lexicalContext = lexicalContext
    }

    private mutating func readModel() -> EntityModel? {
        guard let shape = type.shape else {
            let kind = EntityDiagnostic.kindUnsuitable(name: type.plainName, kind: kindWords)
            report(kind, at: type.keyword)
            return nil
        }
        checkType(shape: shape)
        let members = DeclaredMembers(of: type.memberBlock.members)
        checkVariables(members)
        guard let identity = findIdentity(among: members) else { return nil }
        let properties = members.variables.filter {
            $0.isKept && $0.identifier.id != identity.identifier.id
        }
        return EntityModel(
            name: type.plainName,
            qualifiedName: qualifiedName,
            shape: shape,
            access: access,
            identitySpelling: identity.identifier.text,
            declaresEntityId: members.computesEntityId || identity.name == "entityId",
            properties: properties.map {
                EntityModel.Property(
                    name: $0.name, spelling: $0.identifier.text, type: $0.typeText)
            },
            emptyInitializer: emptyInitializer(members, shape: shape))
    }

    private func emptyInitializer(
        _ members: DeclaredMembers, shape: EntityModel.Shape
    ) -> EntityModel.EmptyInitializer {
        guard shape == .finalClass, members.allowEmptyInitializer else { return .unneeded }
        // Syntax cannot tell a superclass from a protocol; this one is known by its name.
        return type.inheritsFromNSObject ? .overriding : .needed
    }

    mutating func report(
        _ message: EntityDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = []
    ) {
        diagnostics.append(Diagnostic(node: node, message: message, fixIts: fixIts))
    }
}

// MARK: The type

extension EntityModelReader {
    private mutating func checkType(shape: EntityModel.Shape) {
        let name = type.plainName
        if shape == .finalClass, !type.isFinal {
            let fixIt = EntityFixIt.addFinal(to: type)
            report(.notFinal(name: name), at: type.keyword, fixIts: [fixIt])
        }
        if let parameters = type.genericParameters {
            report(.generic(name: name), at: parameters)
        }
        if let enclosing = enclosingTypes.last(where: { $0.genericParameters != nil }) {
            let message = EntityDiagnostic.insideGenericType(
                name: name, enclosing: enclosing.plainName)
            report(message, at: type.name)
        }
        checkPrivateNesting()
        if let attribute = type.attributes.attribute(named: "MainActor") {
            report(
                .isolatedType(name: name), at: attribute,
                fixIts: [EntityFixIt.remove(attribute)])
        }
    }

    /// Private at the top of a file means visible in the file; private in a type does not, and then
    /// nothing outside that type can extend it.
    private mutating func checkPrivateNesting() {
        let chain = [type] + enclosingTypes
        let outermostIsExtension = lexicalContext.last?.is(ExtensionDeclSyntax.self) == true
        for nested in outermostIsExtension ? chain[...] : chain.dropLast() {
            guard let modifier = nested.privateModifier else { continue }
            report(
                .nestedPrivately(name: nested.plainName), at: modifier,
                fixIts: nested.name.id == type.name.id ? [EntityFixIt.widen(modifier)] : [])
        }
    }

    private var kindWords: String {
        switch type.keyword.tokenKind {
        case .keyword(.enum): "an enum"
        case .keyword(.actor): "an actor"
        default: "a \(type.keyword.text)"
        }
    }

    private var enclosingTypes: [TypeDeclaration] {
        lexicalContext.compactMap { TypeDeclaration($0) }
    }

    /// The type's name after the names of the types and extensions around it.
    private var qualifiedName: String {
        let enclosing = lexicalContext.reversed().compactMap { context in
            context.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
                ?? TypeDeclaration(context)?.name.text
        }
        return (enclosing + [type.name.text]).joined(separator: ".")
    }

    /// The access that the declaration states, or that an extension directly around it states for
    /// it. An `open` type was reported already; it counts as `public`.
    private var access: EntityModel.Access {
        if let own = Self.access(in: type.modifiers) { return own }
        let enclosing = lexicalContext.first?.as(ExtensionDeclSyntax.self)
        return enclosing.flatMap { Self.access(in: $0.modifiers) } ?? .inherited
    }

    private static func access(in modifiers: DeclModifierListSyntax) -> EntityModel.Access? {
        for modifier in modifiers where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.public), .keyword(.open): return .public
            case .keyword(.package): return .package
            case .keyword(.internal), .keyword(.fileprivate), .keyword(.private): return .inherited
            default: continue
            }
        }
        return nil
    }
}
#endif
