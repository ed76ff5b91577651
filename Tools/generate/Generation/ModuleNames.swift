#if Macros
import SwiftSyntax

/// The names of a module's declarations that decide how the generator interprets its files.
struct ModuleNames {
    /// The top-level types. If one is named `Object`, that name does not mean Realm's class.
    private(set) var types: Set<String> = []
    /// The types with a handwritten conformance, as their extensions spell them.
    private(set) var described: Set<String> = []
    /// The projections with a handwritten conformance, as their extensions spell them.
    private(set) var decoded: Set<String> = []
    /// The classes that are projections, by their unqualified names.
    private(set) var projections: Set<String> = []
    /// The nested types, by their qualified names.
    private var nested: Set<String> = []

    init(_ files: [SourceText]) {
        for statement in files.flatMap(\.syntax.statements) {
            guard let group = statement.item.asProtocol((any DeclGroupSyntax).self) else {
                continue
            }
            if let named = group.asProtocol((any NamedDeclSyntax).self) {
                types.insert(named.name.text)
                if group.isProjection { projections.insert(named.name.text) }
            } else if let part = group.as(ExtensionDeclSyntax.self), part.describesEntity {
                described.insert(part.extendedType.trimmedDescription)
            }
            addTypes(in: group, named: group.ownName)
        }
        for part in files.flatMap(\.syntax.statements).flatMap(\.extensions) where part.decodes {
            decoded.insert(part.extendedType.trimmedDescription)
        }
    }

    private mutating func addTypes(in group: any DeclGroupSyntax, named name: String) {
        for member in group.memberBlock.members {
            guard member.decl.is(TypeAliasDeclSyntax.self) || member.decl.isType,
                let inner = member.decl.asProtocol((any NamedDeclSyntax).self)
            else { continue }
            let path = name + "." + inner.name.text
            nested.insert(path)
            if let group = inner.asProtocol((any DeclGroupSyntax).self) {
                if group.isProjection { projections.insert(inner.name.text) }
                addTypes(in: group, named: path)
            }
        }
    }

    /// Resolves an unqualified name inside the type `owner`. Returns the qualified name if `owner`
    /// or an enclosing type declares the nested type.
    func path(of name: String, knownIn owner: String) -> String? {
        var around = owner.split(separator: ".")
        while !around.isEmpty {
            let path = around.joined(separator: ".") + "." + name
            if nested.contains(path) { return path }
            around.removeLast()
        }
        return nil
    }

    /// Returns the spelling that an extension of the type `owner` needs for code from inside the
    /// type that begins with the name of a type. If an enclosing type of `owner` declares that
    /// type, the extension must qualify the name.
    func spelling(of code: String, in owner: String) -> String {
        let first = code.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        guard !first.isEmpty, !nested.contains("\(owner).\(first)") else { return code }
        var around = owner.split(separator: ".").dropLast()
        while !around.isEmpty {
            let outer = around.joined(separator: ".")
            if nested.contains("\(outer).\(first)") { return "\(outer).\(code)" }
            around.removeLast()
        }
        return code
    }
}

extension CodeBlockItemSyntax {
    /// The extension itself, or the extensions inside `#if`.
    fileprivate var extensions: [ExtensionDeclSyntax] {
        if let one = item.as(ExtensionDeclSyntax.self) { return [one] }
        guard let condition = item.as(IfConfigDeclSyntax.self) else { return [] }
        return condition.clauses.flatMap { clause -> [ExtensionDeclSyntax] in
            guard case .statements(let inner)? = clause.elements else { return [] }
            return inner.flatMap(\.extensions)
        }
    }
}

extension DeclSyntax {
    fileprivate var isType: Bool {
        asProtocol((any DeclGroupSyntax).self) != nil && !self.is(ExtensionDeclSyntax.self)
    }
}

extension DeclGroupSyntax {
    /// The name of the declared or extended type.
    var ownName: String {
        self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
            ?? asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
    }
}

extension DeclGroupSyntax {
    /// Whether the members include the description of an entity.
    var describesEntity: Bool {
        memberBlock.members.contains { member in
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
            return variable.bindings.contains { binding in
                binding.pattern.trimmedDescription == "entityDescription"
            }
        }
    }
}

extension DeclGroupSyntax {
    /// Whether the declaration is a class with the base class of projections.
    fileprivate var isProjection: Bool {
        let base = inheritanceClause?.inheritedTypes.first?.type.trimmedDescription ?? ""
        return self.is(ClassDeclSyntax.self)
            && ["", "Daybook.", "RealmSwift."].contains { base.hasPrefix($0 + "Projection<") }
    }

    /// Whether the members include the function that reads objects.
    var decodes: Bool {
        memberBlock.members.contains { member in
            member.decl.as(FunctionDeclSyntax.self)?.name.text == "decode"
        }
    }
}

extension SyntaxProtocol {
    /// The enclosing declarations of types and extensions, the innermost first.
    var enclosingDeclarations: [Syntax] {
        var found: [Syntax] = []
        var node = parent
        while let outer = node {
            if outer.asProtocol((any DeclGroupSyntax).self) != nil { found.append(outer) }
            node = outer.parent
        }
        return found
    }

    /// Whether an enclosing node is of one of these kinds.
    func stands(in kinds: Set<SyntaxKind>) -> Bool {
        var node = parent
        while let outer = node {
            if kinds.contains(outer.kind) { return true }
            node = outer.parent
        }
        return false
    }
}

extension DeclModifierListSyntax {
    /// The modifier `private` or `fileprivate`, of the declaration itself or of its setter.
    var hiding: DeclModifierSyntax? {
        first { [.keyword(.private), .keyword(.fileprivate)].contains($0.name.tokenKind) }
    }
}
#endif
