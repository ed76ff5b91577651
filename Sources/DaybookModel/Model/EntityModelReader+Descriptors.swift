#if Macros
internal import SwiftSyntax

extension EntityModelReader {
    /// The descriptors of properties in conditions, in the order of the declaration. Comments do
    /// not affect which properties have one, or its type.
    func descriptors(
        _ members: DeclaredMembers, identity: StoredVariable?
    ) -> [EntityModel.Descriptor] {
        guard kind != .event else { return [] }
        return members.variables.compactMap { variable in
            guard variable.mayHaveDescriptor, let access = access(to: variable) else { return nil }
            let content = content(of: variable, identity: identity)
            // Generated files are updated when a comment changes, so they need no such descriptors.
            guard content != .unstored || placement == .declaration else { return nil }
            var descriptor = EntityModel.Descriptor(
                name: variable.name, spelling: variable.identifier.text,
                type: descriptorType(of: variable), access: access, content: content)
            if !variable.isTransient, mayBeLink(variable) {
                descriptor.mayBeLink = true
                descriptor.type = nil
            }
            return descriptor
        }
    }

    private func content(
        of variable: StoredVariable, identity: StoredVariable?
    ) -> EntityModel.Descriptor.Content {
        if variable.isTransient { return .unstored }
        if variable.identifier.id == identity?.identifier.id { return .identity }
        return .stored(variable.annotations.conversion)
    }

    /// In another file, names inside and around a nested type may be unknown.
    private func descriptorType(of variable: StoredVariable) -> String? {
        guard let type = variable.type else { return variable.evidentType }
        // Conditions compare the value, whose type the compiler knows.
        if variable.shownType?.isRealmOptional == true { return nil }
        let isSeen =
            placement == .declaration || !isNested || variable.shownType?.isPlain == true
        guard isSeen, let text = variable.typeText else { return nil }
        let names = type.tokens(viewMode: .sourceAccurate).map(\.tokenKind)
        // In the generated code, `Self` would be another type.
        return names.contains(.keyword(.Self)) ? nil : text
    }

    /// The lower access level of the property and the type. Nil for a private property whose type
    /// may be private to the entity or to an enclosing type, because no other code can name it.
    private func access(to variable: StoredVariable) -> EntityModel.Descriptor.Access? {
        for modifier in variable.declaration.modifiers where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.private): return namesPrivateType(variable) ? nil : .file
            case .keyword(.fileprivate): return .file
            case .keyword(.public), .keyword(.open):
                return EntityModel.Descriptor.Access(rawValue: access.rawValue)
            case .keyword(.package): return access == .inherited ? .inherited : .package
            default: continue
            }
        }
        return .inherited
    }

    private func namesPrivateType(_ variable: StoredVariable) -> Bool {
        if variable.shownType?.isPlain == true { return false }
        guard !isNested, let written = variable.type else { return true }
        let hidden = Set(type.memberBlock.members.compactMap(\.decl.privateName))
        return written.tokens(viewMode: .sourceAccurate).contains { hidden.contains($0.text) }
    }

    private var isNested: Bool { !lexicalContext.isEmpty }
}

extension DeclSyntax {
    /// The name of a private nested type.
    fileprivate var privateName: String? {
        guard let modifiers = asProtocol((any WithModifiersSyntax).self)?.modifiers,
            modifiers.contains(where: { $0.name.tokenKind == .keyword(.private) }),
            !self.is(VariableDeclSyntax.self)
        else { return nil }
        return asProtocol((any NamedDeclSyntax).self)?.name.text
    }
}

extension StoredVariable {
    /// Whether it may have a descriptor, judged by the code without comments.
    fileprivate var mayHaveDescriptor: Bool {
        !isIgnored && isAssigned && lazyModifier == nil
            && weakModifier == nil
            && declaration.attributes.attribute(for: .transient) == nil
    }

    /// The type that follows from the initial value alone: from a literal, or from a call without
    /// arguments, which cannot fail.
    fileprivate var evidentType: String? {
        guard let initialValue, !mayBeWrapped, let shown = ShownType(value: initialValue),
            shown.isPlain, shown.arguments == nil
        else { return nil }
        if let call = initialValue.as(FunctionCallExprSyntax.self) {
            guard call.arguments.isEmpty, call.trailingClosure == nil else { return nil }
        }
        return shown.name
    }
}
#endif
