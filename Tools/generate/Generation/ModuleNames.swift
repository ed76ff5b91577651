#if Macros
import SwiftSyntax

/// What the files of a module declare that decides how others are read.
struct ModuleNames {
    /// The types at the top of files: where one is called `Object`, that name is not Realm's.
    private(set) var types: Set<String> = []
    /// The types whose conformance is written by hand, as their extensions name them.
    private(set) var described: Set<String> = []
    /// The projections whose conformance is written by hand, as their extensions name them.
    private(set) var decoded: Set<String> = []
    /// The classes that are projections, without the names of the types around them.
    private(set) var projections: Set<String> = []
    /// The types inside other types, with the names of those before theirs.
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

    /// The whole name of the type that code in the type `owner` knows as `name`, where that type
    /// stands in `owner` or in a type around it.
    func path(of name: String, knownIn owner: String) -> String? {
        var around = owner.split(separator: ".")
        while !around.isEmpty {
            let path = around.joined(separator: ".") + "." + name
            if nested.contains(path) { return path }
            around.removeLast()
        }
        return nil
    }

    /// How an extension of the type `owner` spells code that is written inside the type and begins
    /// with the name of a type. Where that one is declared in a type around `owner`, the extension
    /// does not know it by its short name.
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
    /// The extension that it is, or those inside `#if`.
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
    /// What it declares or extends.
    var ownName: String {
        self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
            ?? asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
    }
}

extension DeclGroupSyntax {
    /// Whether the description of an entity stands among the members.
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
    /// Whether it is a class whose base class is that of projections.
    fileprivate var isProjection: Bool {
        let base = inheritanceClause?.inheritedTypes.first?.type.trimmedDescription ?? ""
        return self.is(ClassDeclSyntax.self)
            && ["", "Daybook.", "RealmSwift."].contains { base.hasPrefix($0 + "Projection<") }
    }

    /// Whether the function that reads objects stands among the members.
    var decodes: Bool {
        memberBlock.members.contains { member in
            member.decl.as(FunctionDeclSyntax.self)?.name.text == "decode"
        }
    }
}

extension SyntaxProtocol {
    /// The declarations of types and extensions around it, the innermost first.
    var enclosingDeclarations: [Syntax] {
        var found: [Syntax] = []
        var node = parent
        while let outer = node {
            if outer.asProtocol((any DeclGroupSyntax).self) != nil { found.append(outer) }
            node = outer.parent
        }
        return found
    }

    /// Whether one of the nodes around it is of one of these kinds.
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
