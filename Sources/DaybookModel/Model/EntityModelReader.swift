#if Macros
package import SwiftDiagnostics
package import SwiftSyntax

/// The location of an entity's generated code.
package enum CodePlacement: Hashable, Sendable {
    /// In the declaration and in an extension of it, like a macro expansion.
    case declaration
    /// Only in an extension, in another file.
    case otherFile
}

/// Reads the declaration of an entity.
///
/// Stored: every instance `var` with storage, observed or not, in the order of the declaration. Not
/// stored: static and computed properties, properties marked `@Transient`, backlinks, and a `let`
/// with a value, which is the same constant in every object. In a struct, a `let` without a value
/// is stored. If a property is `@Persisted`, only such properties are stored. In a class of Realm,
/// a `let` with a collection is stored: its value is an object that a read changes. Any other
/// variable is an error.
package struct EntityModelReader {
    /// The result of reading a declaration.
    package struct Reading {
        /// The model, or nil after an error.
        package let model: EntityModel?
        /// All errors, in the order of detection.
        package let diagnostics: [Diagnostic]
    }

    let type: TypeDeclaration
    let lexicalContext: [Syntax]
    let placement: CodePlacement
    let unstated: Set<String>?
    let annotations: EntityAnnotations
    let realmBase: EntityModel.RealmBase?
    var kind: EntityModel.Kind = .entity
    var diagnostics: [Diagnostic] = []

    /// Reads `declaration`. `lexicalContext` contains the enclosing declarations, innermost first,
    /// as passed to a macro. `unstated` names the protocols of Daybook whose conformance the
    /// compiler requests; nil without a compiler.
    ///
    /// Returns a model if and only if there is no error. Takes time in proportion to the members.
    package static func read(
        _ declaration: some DeclGroupSyntax, within lexicalContext: [Syntax],
        placement: CodePlacement = .declaration, unstated: Set<String>? = nil
    ) -> Reading {
        // A declaration without a name is an extension, to which the compiler attaches no such
        // macro.
        guard let type = TypeDeclaration(declaration) else {
            return Reading(model: nil, diagnostics: [])
        }
        let (annotations, problems) = EntityAnnotations.read(type)
        var reader = EntityModelReader(
            type: type, lexicalContext: lexicalContext, placement: placement, unstated: unstated,
            annotations: annotations, realmBase: RealmAnnotations.base(of: type),
            diagnostics: problems)
        let model = reader.readModel()
        let hasError = reader.diagnostics.contains { $0.diagMessage.severity == .error }
        return Reading(model: hasError ? nil : model, diagnostics: reader.diagnostics)
    }

    /// The kind of `declaration` in any spelling; nil if it is not annotated.
    package static func kind(of declaration: some DeclGroupSyntax) -> EntityModel.Kind? {
        guard let type = TypeDeclaration(declaration) else { return nil }
        let annotations = EntityAnnotations.read(type).0
        return RealmAnnotations.base(of: type)?.kind
            ?? EntityModel.Kind.allCases.first { type.states($0) || annotations.states($0) }
    }

    private mutating func readModel() -> EntityModel? {
        guard let shape = type.shape else {
            let kind = EntityDiagnostic.kindUnsuitable(name: type.plainName, kind: kindWords)
            report(kind, at: type.keyword)
            return nil
        }
        findKind()
        guard !inheritsFromEntity() else { return nil }
        checkType()
        let members = DeclaredMembers(of: type, realmBase: realmBase)
        diagnostics += members.diagnostics
        for (function, column, place) in members.unknownColumns {
            report(
                .functionColumnUnknown(function: function, column: column, name: type.plainName),
                at: place)
        }
        checkVariables(members)
        let style = style(shape)
        if style == .initializer {
            checkDefaults(members)
        } else {
            checkEmptyInitializer(members)
        }
        guard let (identity, variable) = findIdentity(among: members) else { return nil }
        let kept = members.variables.filter {
            $0.isKept && $0.identifier.id != variable?.identifier.id
        }
        for kept in members.variables where !kept.isIgnored {
            checkMarks(kept, isIdentity: kept.identifier.id == variable?.identifier.id)
        }
        checkStoredNames(kept)
        checkPrimaryKeys(kept)
        checkColumns(kept)
        checkExpiry(kept)
        var model = EntityModel(
            name: type.plainName, qualifiedName: qualifiedName, shape: shape, identity: identity)
        model.storedName = annotations.storedName ?? type.plainName
        model.kind = kind
        model.style = style
        model.access = access
        model.declaresEntityId =
            realmBase == .object || members.computesEntityId || variable?.name == "entityId"
        model.statesConformance = type.states(kind)
        model.attributes = entityAttributes(members, kept: kept, identity: variable)
        model.properties = kept.filter { !$0.isBacklink }.map(property)
        for variable in kept where variable.isBacklink {
            if let backlink = backlink(variable) { model.backlinks.append(backlink) }
        }
        if variable?.isConstant == true {
            model.copiedProperties = members.variables.filter {
                $0.identifier.id != variable?.identifier.id && $0.lazyModifier == nil
                    && !($0.isConstant && $0.initialValue != nil)
            }.map(\.identifier.text)
        }
        model.descriptors = descriptors(members, identity: variable)
        model.makesSelf = makesSelf(members, shape: shape)
        if style == .initializer {
            model.emptyInitializer = emptyInitializer(members, shape: shape)
        }
        return model
    }

    private func style(_ shape: EntityModel.Shape) -> EntityModel.DecodingStyle {
        if shape == .structure { return .initializer }
        return placement == .otherFile || realmBase != nil ? .assignment : .initializer
    }

    private mutating func emptyInitializer(
        _ members: DeclaredMembers, shape: EntityModel.Shape
    ) -> EntityModel.EmptyInitializer {
        guard shape != .structure, members.allowEmptyInitializer else {
            checkInitializer(members, shape: shape)
            return .unneeded
        }
        // The syntax tree does not distinguish a superclass from a protocol; this one is known by
        // its name.
        return type.inheritsFromNSObject ? .overriding : .needed
    }

    /// The compiler does not report a missing initializer, because the class gets `init(row:)`.
    private mutating func checkInitializer(_ members: DeclaredMembers, shape: EntityModel.Shape) {
        guard shape != .structure, realmBase == nil, placement != .otherFile,
            !members.uninitialized.isEmpty
        else { return }
        report(
            .initializerMissing(name: type.plainName, properties: members.uninitialized),
            at: type.name)
    }

    /// Realm's base classes have an `init()`, which their subclasses inherit.
    private mutating func checkEmptyInitializer(_ members: DeclaredMembers) {
        let existing = members.emptyInitializer
        guard realmBase == nil, existing == nil, !members.allowEmptyInitializer else { return }
        report(
            .emptyInitializerMissing(name: type.plainName), at: type.name,
            fixIts: [EntityFixIt.addEmptyInitializer(to: type)])
    }

    /// Whether `Self()` creates an object: always except for a class that can be subclassed and
    /// whose `init()` is not required.
    private func makesSelf(_ members: DeclaredMembers, shape: EntityModel.Shape) -> Bool {
        guard shape == .inheritableClass, realmBase == nil else { return true }
        let modifiers = members.emptyInitializer?.modifiers
        return modifiers?.contains { $0.name.text == "required" } == true
    }

    mutating func report(
        _ message: EntityDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = []
    ) {
        diagnostics.append(Diagnostic(node: node, message: message, fixIts: fixIts))
    }
}

extension EntityAnnotations {
    /// Whether an attribute or a comment declares that kind.
    func states(_ kind: EntityModel.Kind) -> Bool {
        switch kind {
        case .entity: isEntity
        case .embedded: isEmbedded
        case .event: isEvent
        }
    }
}
#endif
