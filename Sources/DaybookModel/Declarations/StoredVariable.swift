#if Macros
internal import SwiftSyntax

/// One name that a `var` or `let` declares and that holds a value in each object.
struct StoredVariable {
    let declaration: VariableDeclSyntax
    let identifier: TokenSyntax
    /// The written type, which may stand behind a later name of the same `var` (`var x, y: Int`).
    let type: TypeSyntax?
    let initialValue: ExprSyntax?
    /// What is said of it beside that.
    let annotations: PropertyAnnotations
    /// Whether it is left out because others are marked `@Persisted` and it is not.
    var isIgnored = false

    /// The names in `declaration` that hold a value in each object: all but static and computed
    /// ones. Tuple patterns are left out; see ``tuplePatterns(in:)``.
    static func all(
        in declaration: VariableDeclSyntax,
        annotations: PropertyAnnotations = PropertyAnnotations()
    ) -> [StoredVariable] {
        guard !declaration.isStatic else { return [] }
        var variables: [StoredVariable] = []
        // From the last name to the first, because a type also stands for the bare names before it.
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

    /// The tuple patterns in `declaration`, each of which holds several values in each object.
    static func tuplePatterns(in declaration: VariableDeclSyntax) -> [TuplePatternSyntax] {
        guard !declaration.isStatic else { return [] }
        return declaration.bindings.compactMap { $0.pattern.as(TuplePatternSyntax.self) }
    }

    /// The name without backticks.
    var name: String { identifier.identifier?.name ?? identifier.text }

    var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

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
    var isKept: Bool { !isTransient && !isIgnored && !isConstant && lazyModifier == nil }

    /// Whether an initialiser may leave it out: it has a value, is made on demand, or is an
    /// optional variable, which starts as nil (if written with `?` or `!`, as the language has it).
    var hasDefault: Bool {
        if initialValue != nil || lazyModifier != nil || annotations.isPersisted { return true }
        guard let type, !isConstant else { return false }
        return [.optionalType, .implicitlyUnwrappedOptionalType].contains(type.kind)
    }

    /// Whether an attribute may be a property wrapper that gives a default: one that is neither
    /// Daybook's nor known to wrap nothing.
    var mayBeWrapped: Bool {
        declaration.attributes.contains { element in
            guard case .attribute(let attribute) = element else { return true }
            let name = attribute.attributeName.trimmedDescription
            return Mark(attribute) == nil
                && !["ObservationIgnored", "ObservationTracked", "MainActor"].contains(name)
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
    /// Whether it has storage: observers leave it stored, every other accessor computes it.
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
