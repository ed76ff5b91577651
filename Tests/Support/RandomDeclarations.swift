package import DaybookRecords

extension EntityDeclaration {
    /// Returns random declarations of a program that changes them often: few names with many
    /// meanings, and former names and numbers that may contradict each other.
    package static func random(using random: inout some RandomNumberGenerator)
        -> [EntityDeclaration]
    {
        let names = ["a", "b", "c", "d", "e"]
        let chosen = names.shuffled(using: &random).prefix(.random(in: 1...3, using: &random))
        return chosen.map { name in
            let fields = names.shuffled(using: &random).prefix(.random(in: 0...4, using: &random))
                .map { Self.field($0, names, &random) }
            let indexes = fields.filter { field in
                field.type != .embedded && Int.random(in: 0..<3, using: &random) == 0
            }
            return EntityDeclaration(
                name: name.uppercased(), fields: fields,
                indexes: indexes.map { IndexDeclaration(columns: [$0.name]) },
                attributes: uid(&random),
                formerNames: Int.random(in: 0..<6, using: &random) == 0
                    ? [names.randomElement(using: &random)?.uppercased() ?? ""] : [])
        }
    }

    private static func field(
        _ name: String, _ names: [String], _ random: inout some RandomNumberGenerator
    ) -> FieldDeclaration {
        let types: [FieldType] = [.int8, .int16, .string, .bytes]
        var shape = ValueShape(types.randomElement(using: &random) ?? .bool)
        if Int.random(in: 0..<4, using: &random) == 0 {
            shape = ValueShape(
                .embedded, entityName: names.randomElement(using: &random)?.uppercased() ?? "")
        }
        shape.isOptional = .random(using: &random)
        return FieldDeclaration(
            name: name, shape: shape, attributes: uid(&random),
            formerNames: Int.random(in: 0..<6, using: &random) == 0
                ? [names.randomElement(using: &random) ?? ""] : [])
    }

    private static func uid(_ random: inout some RandomNumberGenerator) -> [String: String] {
        let number = Int.random(in: 0...9, using: &random)
        return number < 3 ? ["uid": String(number)] : [:]
    }
}
