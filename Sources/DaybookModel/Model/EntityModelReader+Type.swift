#if Macros
internal import SwiftSyntax

extension EntityModelReader {
    /// Determines the kind of the entity. Realm's base class has priority.
    ///
    /// An attribute generates only the conformance that its name promises: the compiler (Swift 6.3)
    /// fails for a class whose superclass has a macro that declares other conformances and does not
    /// generate them.
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

    /// Reports errors of the type, apart from its members.
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

    /// The compiler requests the conformance unless the declaration or its superclass has it. A
    /// class that has the conformance without stating it inherits from an entity.
    ///
    /// Other errors of such a class follow from that and are not reported.
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

    /// `private` at the top level of a file means visible in the file. A nested private type is
    /// invisible outside its enclosing type, so it cannot be extended.
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

    /// The type's name, prefixed by the enclosing types and extensions.
    var qualifiedName: String {
        let enclosing = lexicalContext.reversed().compactMap { context in
            context.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
                ?? TypeDeclaration(context)?.name.text
        }
        return (enclosing + [type.name.text]).joined(separator: ".")
    }

    /// The access level of the declaration, or of an extension directly around it. `open` counts as
    /// `public`. In another file, the access level is limited by the enclosing types.
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
