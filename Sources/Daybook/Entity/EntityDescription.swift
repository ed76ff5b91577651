import DaybookEngine
import DaybookRecords

/// The name, properties and attributes of a type, as declared.
public struct EntityDescription: Sendable {
    /// The name in the store.
    public var name: String
    /// The properties, in the order of their indexes; the id is not among them.
    public var properties: [PropertyDescription]
    /// The attributes of the type, such as indexes over several properties and former names.
    public var attributes: [EntityAttribute]

    /// Creates a description.
    public init(
        _ name: String, _ properties: [PropertyDescription], _ attributes: EntityAttribute...
    ) {
        self.name = name
        self.properties = properties
        self.attributes = attributes
        for case .mapped(let names) in attributes.lazy.map(\.content) { rename(names) }
    }

    /// Whether `put` accepts ids that the store never assigned.
    var hasAssignableIds: Bool { attributes.contains { $0.content == .assignableIds } }

    /// Renames the properties that are keys in `names`. The columns of indexes use the new names.
    private mutating func rename(_ names: [String: String]) {
        for index in properties.indices {
            if let name = names[properties[index].name] { properties[index].name = name }
        }
    }

    /// The indexes in the order of the declaration. Indexes of single properties come first.
    var indexes: [DeclaredIndex] {
        properties.flatMap(\.indexes) + attributes.compactMap { $0.index(renamedBy: columnNames) }
    }

    /// The backlinks, in the order of the declaration.
    var backlinks: [DeclaredBacklink] {
        attributes.compactMap { attribute in
            if case .backlink(let backlink) = attribute.content { backlink } else { nil }
        }
    }

    var columnNames: [String: String] {
        attributes.reduce(into: [:]) { names, attribute in
            if case .mapped(let mapped) = attribute.content { names.merge(mapped) { $1 } }
        }
    }

    func declaration(kind: EntityKind) -> EntityDeclaration {
        var declaration = EntityDeclaration(
            name: name, kind: kind, fields: properties.map { $0.declaration(in: kind) },
            indexes: kind == .object ? indexes.map(\.declaration) : [])
        for attribute in attributes {
            switch attribute.content {
            case .formerNames(let names): declaration.formerNames += names
            case .uid(let number): declaration.attributes["uid"] = String(number)
            default: break
            }
        }
        return declaration
    }
}
