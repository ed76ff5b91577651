#if Macros
internal import SwiftSyntax

/// A stored name that a `var` or `let` declares.
struct StoredVariable {
    let declaration: VariableDeclSyntax
    let identifier: TokenSyntax
    /// The written type, which may follow a later name of the same `var` (`var x, y: Int`).
    let type: TypeSyntax?
    let initialValue: ExprSyntax?
    /// The annotations of the property.
    var annotations: PropertyAnnotations
    /// Whether it is ignored, because other properties are marked `@Persisted` and it is not.
    var isIgnored = false
    /// Whether it is a constant whose value is a mutable object of DaybookRealm. A read of its
    /// object changes this value.
    var isMutableConstant = false
    /// Whether it is a constant without a value in a struct, which the initializer from a row sets.
    var isInitializedConstant = false

    /// The stored names in `declaration`: all except static and computed ones. Tuple patterns are
    /// excluded; see ``tuplePatterns(in:)``.
    static func all(
        in declaration: VariableDeclSyntax,
        annotations: PropertyAnnotations = PropertyAnnotations()
    ) -> [StoredVariable] {
        guard !declaration.isStatic else { return [] }
        var variables: [StoredVariable] = []
        // From the last name to the first, because a type also applies to the names before it.
        var sharedType: TypeSyntax?
        for binding in declaration.bindings.reversed() {
            let type = binding.typeAnnotation?.type
            if type != nil || binding.initializer != nil { sharedType = nil }
            if let type, binding.initializer == nil { sharedType = type }
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self), binding.isStored
            else { continue }
            let inherited = binding.initializer == nil ? sharedType : nil
            variables.append(
                StoredVariable(
                    declaration: declaration, identifier: pattern.identifier,
                    type: type ?? inherited, initialValue: binding.initializer?.value,
                    annotations: annotations))
        }
        return variables.reversed()
    }

    /// The tuple patterns in `declaration`, each of which stores several values.
    static func tuplePatterns(in declaration: VariableDeclSyntax) -> [TuplePatternSyntax] {
        guard !declaration.isStatic else { return [] }
        return declaration.bindings.compactMap { $0.pattern.as(TuplePatternSyntax.self) }
    }

    /// The name without backticks.
    var name: String { identifier.identifier?.name ?? identifier.text }

    var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

    /// Whether reading an object sets its value.
    var isAssigned: Bool { !isConstant || isMutableConstant || isInitializedConstant }

    var isTransient: Bool { annotations.isTransient }

    var lazyModifier: DeclModifierSyntax? {
        declaration.modifiers.first { $0.name.tokenKind == .keyword(.lazy) }
    }

    /// `weak` or `unowned`.
    var weakModifier: DeclModifierSyntax? {
        declaration.modifiers.first { ["weak", "unowned"].contains($0.name.text) }
    }

    /// Whether the store keeps its value. A constant with a value is the same in every object, so
    /// it is not stored.
    var isKept: Bool {
        !isTransient && !isIgnored && isAssigned && lazyModifier == nil
    }

    /// Whether an initializer may omit it: it has a value, is lazy, or is an optional variable,
    /// which starts as nil (if written with `?` or `!`, as the language defines it).
    var hasDefault: Bool {
        if initialValue != nil || lazyModifier != nil || annotations.isPersisted { return true }
        guard let type, !isConstant else { return false }
        return [.optionalType, .implicitlyUnwrappedOptionalType].contains(type.kind)
    }

    /// Whether an attribute may be a property wrapper with a default: one that is neither Daybook's
    /// nor known to be no wrapper.
    var mayBeWrapped: Bool {
        declaration.attributes.contains { element in
            guard case .attribute(let attribute) = element else { return true }
            let name = attribute.attributeName.trimmedDescription
            return Mark(attribute) == nil
                && !["ObservationIgnored", "ObservationTracked", "MainActor", "objc"].contains(name)
        }
    }
}

extension VariableDeclSyntax {
    fileprivate var isStatic: Bool {
        modifiers.contains {
            $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
        }
    }
}

extension PatternBindingSyntax {
    /// Whether it is stored: observers keep it stored, every other accessor makes it computed.
    fileprivate var isStored: Bool {
        switch accessorBlock?.accessors {
        case nil: true
        case .getter: false
        case .accessors(let accessors):
            accessors.allSatisfy {
                $0.accessorSpecifier.tokenKind == .keyword(.willSet)
                    || $0.accessorSpecifier.tokenKind == .keyword(.didSet)
            }
        }
    }
}
#endif
