#if Macros
extension EntityCode {
    /// The entity's name, properties and attributes.
    func description(modifiers: String) -> String {
        let head = "\(modifiers)static let entityDescription = Daybook.EntityDescription("
        let name = Self.literal(model.storedName)
        let attributes =
            (model.attributes.map(text) + model.backlinks.map(text)).map { ", " + $0 }.joined()
        guard !model.properties.isEmpty else { return "\(head)\(name), []\(attributes))" }
        let properties = model.properties.map { "    \(text(of: $0))," }
        return """
            \(head)\(name), [
            \(properties.joined(separator: "\n"))
            ]\(attributes))
            """
    }

    private func text(of property: EntityModel.Property) -> String {
        let name = Self.literal(property.storedName)
        let head: String
        switch property.conversion {
        case .converter(_, let stored): head = ".converted(\(name), to: \(stored).self"
        case .encoded: head = ".encoded(\(name)"
        case .nanoseconds: head = ".nanoseconds(\(name)"
        case .fallback, nil:
            // With a key path, the compiler infers a type that the declaration omits or that cannot
            // be named here. A written type is preferred, because it compiles faster.
            let isSeen = !isNested || placement == .declaration || property.hasPlainType
            let type = isSeen ? property.type.map { "\($0).self" } : nil
            let path = "\\\(model.qualifiedName).\(property.storageSpelling)"
            head = ".property(\(name), " + (type ?? path)
        }
        return head + property.attributes.map { ", " + text(of: $0) }.joined() + ")"
    }

    private func text(of attribute: EntityModel.Property.Attribute) -> String {
        switch attribute {
        case .index(let kind): kind.isEmpty ? ".index" : ".index(.\(kind))"
        case .unique(let onConflict):
            onConflict.isEmpty ? ".unique" : ".unique(onConflict: .\(onConflict))"
        case .primaryKey: ".primaryKey"
        case .vector(let arguments): ".vector(\(arguments.joined(separator: ", ")))"
        case .renamed(let names): ".renamed(from: \(Self.literals(names)))"
        case .uid(let number): ".uid(\(number))"
        case .relation(let rules): ".relation(\(rules.arguments.joined(separator: ", ")))"
        case .declared(let name): ".declared(\(Self.literal(name)))"
        }
    }

    private func text(of attribute: EntityModel.Attribute) -> String {
        switch attribute {
        case .assignableIds: ".assignableIds"
        case .primaryKey(let names): ".primaryKey(\(Self.literals(names)))"
        case .index(let names, let kind):
            ".index(\(Self.literals(names))" + (kind.map { ", kind: .\($0)" } ?? "") + ")"
        case .unique(let names, let onConflict):
            ".unique(\(Self.literals(names))"
                + (onConflict.map { ", onConflict: .\($0)" } ?? "") + ")"
        case .renamed(let names): ".renamed(from: \(Self.literals(names)))"
        case .uid(let number): ".uid(\(number))"
        case .expires(let name, let after):
            ".expires(\(Self.literal(name))" + (after.map { ", after: \($0)" } ?? "") + ")"
        case .mapped: ".mapped(\(model.qualifiedName).propertiesMapping())"
        }
    }

    /// The key path lets the compiler find a relation that is not there; the name tells at run time
    /// which one it is.
    private func text(of backlink: EntityModel.Backlink) -> String {
        let path = "\\\(backlink.target).\(backlink.origin.spelledAsMember)"
        let arguments = [Self.literal(backlink.name), path, Self.literal(backlink.origin)]
        return ".backlink(\((arguments + backlink.rules.arguments).joined(separator: ", ")))"
    }

    private static func literals(_ names: [String]) -> String {
        names.map(literal).joined(separator: ", ")
    }
}
#endif
