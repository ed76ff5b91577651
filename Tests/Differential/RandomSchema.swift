import Daybook
import DaybookBytes
import DaybookTesting
import Synchronization

/// The properties and indexes of a random entity.
struct RandomSchema: Sendable {
    struct Property: Sendable {
        var name: String
        var kind: Kind
        var isOptional: Bool
    }

    var properties: [Property]
    var indexes: [EntityAttribute]
    /// Whether all strings are ASCII, because SQLite folds only ASCII.
    var isASCII: Bool

    init(using random: inout SeededGenerator) {
        isASCII = Bool.random(using: &random)
        properties = (0..<Int.random(in: 2...5, using: &random)).map { number in
            Property(
                name: "p\(number)", kind: Kind.allCases.randomElement(using: &random) ?? .bool,
                isOptional: Bool.random(using: &random))
        }
        indexes = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let columns = properties.map(\.name).shuffled(using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: indexes.append(.index(columns[0], kind: .hash))
            case 1: indexes.append(.index(columns[0], columns[1]))
            case 2, 3:
                guard let text = properties.first(where: { $0.kind == .text }) else { fallthrough }
                let kinds: [IndexKind] = [.caseInsensitive, .text, .value]
                let kind = kinds.randomElement(using: &random) ?? .value
                indexes.append(.index(text.name, kind: kind))
            default: indexes.append(.index(columns[0]))
            }
        }
    }

    var description: EntityDescription {
        var description = EntityDescription(
            "Thing",
            properties.map { PropertyDescription($0) } + [
                .property("owner", ToOne<Owner>.self), .property("friends", ToMany<Owner>.self),
                .property("tags", [Int64].self),
            ])
        description.attributes = indexes
        return description
    }

    /// The schema of the open store, because the description of an entity does not depend on its
    /// store.
    static let current = Mutex<RandomSchema?>(nil)
}

extension PropertyDescription {
    init(_ property: RandomSchema.Property) {
        func made<Value: PropertyValue>(_ type: Value.Type) -> PropertyDescription {
            property.isOptional
                ? .property(property.name, Value?.self) : .property(property.name, Value.self)
        }
        self = made(property.kind.type)
    }
}

extension RandomSchema {
    /// Whether a string may contain a zero byte, which ends strings in SQLite's functions.
    var mayHaveZeroBytes: Bool { !isASCII }
}
