#if Macros
import DaybookModel
import SwiftDiagnostics
import SwiftSyntax

/// Compares backlinks with their relations if the module's files declare both ends. A macro sees
/// only one end, and the compiler detects a missing relation, but not a relation to another entity.
struct BacklinkCheck {
    private struct Use {
        let backlink: EntityModel.Backlink
        let owner: String
        let place: Syntax
        let file: SourceText
    }

    /// The entities by their fully qualified names.
    private var models: [String: EntityModel] = [:]
    private var uses: [Use] = []

    /// Adds an entity and its backlinks.
    mutating func add(
        _ model: EntityModel, of declaration: any DeclGroupSyntax, in file: SourceText
    ) {
        models[model.qualifiedName] = model
        for backlink in model.backlinks {
            let place = declaration.identifier(of: backlink.spelling)
            uses.append(
                Use(
                    backlink: backlink, owner: model.qualifiedName,
                    place: place ?? Syntax(declaration.memberBlock.leftBrace), file: file))
        }
    }

    /// The problems found, in the order in which the backlinks were added.
    var problems: [(diagnostic: Diagnostic, file: SourceText)] {
        uses.compactMap { use in
            problem(of: use).map { (Diagnostic(node: use.place, message: $0), use.file) }
        }
    }

    private func problem(of use: Use) -> GenerationDiagnostic? {
        let backlink = use.backlink
        guard let name = entity(backlink.target, knownIn: use.owner), let other = models[name]
        else { return nil }
        let relations = other.properties.filter { $0.destination != .nowhere }
        guard let relation = relations.first(where: { $0.name == backlink.origin }) else {
            let near = NearestName.find(backlink.origin, among: relations.map(\.name))
            return .relationMissing(
                backlink.name, origin: backlink.origin, of: name, nearest: near)
        }
        guard case .objects(of: let type) = relation.destination,
            let reached = entity(type, knownIn: name), reached != use.owner
        else { return nil }
        return .relationElsewhere(
            backlink.name, relation: "\(name).\(backlink.origin)", to: reached, from: use.owner)
    }

    /// Resolves the name of an entity inside the type `owner`; nil if the type is not in these
    /// files or is no entity.
    private func entity(_ name: String, knownIn owner: String) -> String? {
        var around = owner.split(separator: ".")
        while !around.isEmpty {
            let path = around.joined(separator: ".") + "." + name
            if models[path] != nil { return path }
            around.removeLast()
        }
        return models[name] == nil ? nil : name
    }
}

extension DeclGroupSyntax {
    /// Returns the declared name of a property.
    fileprivate func identifier(of spelling: String) -> Syntax? {
        for member in memberBlock.members {
            let bindings = member.decl.as(VariableDeclSyntax.self)?.bindings
            for binding in bindings ?? [] where binding.pattern.trimmedDescription == spelling {
                return Syntax(binding.pattern)
            }
        }
        return nil
    }
}
#endif
