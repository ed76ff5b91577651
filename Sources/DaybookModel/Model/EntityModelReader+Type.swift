#if Macros
internal import SwiftSyntax

extension EntityModelReader {
    /// Decides what the type is to the store. Realm's base class is before everything else.
    ///
    /// An attribute writes the one conformance that its name promises: the compiler (Swift 6.3)
    /// fails over a class whose superclass bears a macro that might write others and does not.
    mutating func findKind() {
        var stated = EntityModel.Kind.allCases.filter { type.states($0) || annotations.states($0) }
        if let realm = realmBase?.kind {
            stated.removeAll { $0 == realm }
            stated.insert(realm, at: 0)
        }
        kind = stated.first ?? .entity
        guard stated.count > 1 else { return }
        if let realmBase, let attribute = type.attributes.attribute(named: stated[1].rawValue) {
            let suitable = "@\(kind.rawValue)"
            report(
                .kindOfBase(name: type.plainName, base: realmBase.rawValue, attribute: suitable),
                at: attribute, fixIts: [EntityFixIt.replace(attribute, by: suitable)])
        } else {
            let words = stated.map(\.words)
            report(.kindContradiction(name: type.plainName, kinds: words), at: type.name)
        }
    }

    /// Reports what is wrong with the type, its members left aside.
    mutating func checkType() {
        let name = type.plainName
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

    /// The compiler asks for the conformance, unless the declaration or what it inherits from has
    /// it. A class that is not said to have it and has it inherits from an entity.
    ///
    /// What else may be wrong with such a class follows from it, and is not reported.
    mutating func inheritsFromEntity() -> Bool {
        guard realmBase == nil, let unstated, !unstated.contains(kind.rawValue),
            !type.states(kind),
            type.shape != .structure, let superclass = type.firstInherited
        else { return false }
        report(
            .subclassOfEntity(
                name: type.plainName, superclass: superclass.trimmedDescription,
                conformance: kind.rawValue),
            at: superclass)
        return true
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

    var kindWords: String {
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
    var qualifiedName: String {
        let enclosing = lexicalContext.reversed().compactMap { context in
            context.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
                ?? TypeDeclaration(context)?.name.text
        }
        return (enclosing + [type.name.text]).joined(separator: ".")
    }

    /// The access that the declaration states, or that an extension directly around it states for
    /// it. An `open` type counts as `public`. In another file a type is seen no further than the
    /// types around it.
    var access: EntityModel.Access {
        let enclosing = lexicalContext.first?.as(ExtensionDeclSyntax.self)
        let stated =
            Self.access(in: type.modifiers)
            ?? enclosing.flatMap { Self.access(in: $0.modifiers) } ?? .inherited
        guard placement == .otherFile else { return stated }
        let around = enclosingTypes.map { Self.access(in: $0.modifiers) ?? .inherited }
        if around.contains(.inherited) { return .inherited }
        return around.contains(.package) && stated == .public ? .package : stated
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

extension EntityModel.Kind {
    fileprivate var words: String {
        switch self {
        case .entity: "an entity"
        case .embedded: "embedded"
        case .event: "an event"
        }
    }
}
#endif
