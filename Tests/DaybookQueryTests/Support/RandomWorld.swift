import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import DaybookTesting
import DaybookTestSupport

/// A store of things and their owners with random properties, indexes, values and links, at the
/// level of the engine.
final class RandomWorld {
    static let types: [FieldType] = [
        .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double,
        .date, .dateNano, .string, .string, .string, .bytes, .uuid, .decimal,
    ]

    let engine: Engine
    let things: EntityLayout
    let owners: EntityLayout
    let model: QueryModel
    private(set) var thingIds: [UInt64] = []
    private(set) var ownerIds: [UInt64] = []
    private var lastNumber: Int128

    init(
        _ fileSystem: MemoryFileSystem, _ declarations: [EntityDeclaration],
        numbersAfter lastNumber: Int128 = 0, _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws {
        self.lastNumber = lastNumber
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.refreshIntervalMilliseconds = 0
        options.log.preallocationStepBytes = 16 << 10
        options.framePayloadBytes = 1024
        change(&options)
        engine = try Engine.open("/things", fileSystem, access: .write, options: options)
        let layouts = try engine.register(declarations)
        owners = layouts[0]
        things = layouts[1]
        model = Self.model(things, owners)
        try engine.forEachRow(things.entityID) { row in
            thingIds.append(row.id)
            return true
        }
        try engine.forEachRow(owners.entityID) { row in
            ownerIds.append(row.id)
            return true
        }
    }

    /// Returns the declarations, owners first. The property `number` is a different one in each
    /// entity of things.
    static func declarations(
        _ generator: inout SeededGenerator, indexShare: Double = 0.6
    ) -> [EntityDeclaration] {
        // Few types per world, so that each type is common in some worlds.
        let types = Array(
            types.shuffled(using: &generator).prefix(Int.random(in: 1...6, using: &generator)))
        func fields(_ prefix: String, _ count: Int) -> [FieldDeclaration] {
            (0..<count).map { place in
                FieldDeclaration(
                    name: "\(prefix)\(place)",
                    type: types.randomElement(using: &generator) ?? .string,
                    isOptional: Bool.random(using: &generator))
            }
        }
        func indexes(_ fields: [FieldDeclaration]) -> [IndexDeclaration] {
            var indexes: [IndexDeclaration] = []
            for field in fields where Double.random(in: 0..<1, using: &generator) < indexShare {
                var kinds: [LayoutIndex.Kind] = [.value, .value, .hash]
                if field.type == .string { kinds += [.folded, .folded, .text] }
                for _ in 0..<(field.type == .string ? 2 : 1) {
                    let kind = kinds.randomElement(using: &generator) ?? .value
                    let index = IndexDeclaration(columns: [field.name], kind: kind)
                    if !indexes.contains(index) { indexes.append(index) }
                }
            }
            if Double.random(in: 0..<1, using: &generator) < indexShare {
                let columns = fields.map(\.name).shuffled(using: &generator).prefix(
                    Int.random(in: 2...3, using: &generator))
                let kind = [LayoutIndex.Kind.value, .value, .hash, .folded].randomElement(
                    using: &generator)
                let hasText = fields.contains { columns.contains($0.name) && $0.type == .string }
                indexes.append(
                    IndexDeclaration(
                        columns: Array(columns),
                        kind: kind == .folded && !hasText ? .value : kind ?? .value))
            }
            return indexes
        }
        let owner = fields("q", 3)
        var thing = fields("p", 5)
        let thingIndexes =
            indexes(thing) + [IndexDeclaration(columns: ["number"], isUnique: true)]
        thing.append(FieldDeclaration(name: "number", type: .int64, isOptional: true))
        for (name, type, target) in [
            ("owner", FieldType.toOne, "Owner"), ("friends", .toMany, "Thing"),
            ("keepers", .objects, "Owner"),
        ] {
            thing.append(
                FieldDeclaration(
                    name: name, shape: ValueShape(type, isOptional: true, entityName: target)))
        }
        return [
            EntityDeclaration(name: "Owner", fields: owner, indexes: indexes(owner)),
            EntityDeclaration(name: "Thing", fields: thing, indexes: thingIndexes),
        ]
    }

    private static func model(_ things: EntityLayout, _ owners: EntityLayout) -> QueryModel {
        func members(_ layout: EntityLayout) -> [String: QueryModel.Member] {
            var members: [String: QueryModel.Member] = ["id": .id]
            for field in layout.fields {
                guard let relation = field.relation else {
                    members[field.name] = .property(
                        QueryProperty(
                            name: field.name, propertyID: field.propertyID,
                            entity: layout.entityID, shape: field.shape))
                    continue
                }
                members[field.name] = .relation(
                    QueryRelation(
                        name: field.name, relationID: relation.relationID, isBackward: false,
                        isToOne: field.type == .toOne, isList: field.type == .objects,
                        target: relation.targetEntityID))
            }
            return members
        }
        var ofOwners = members(owners)
        for (name, field) in [("things", "owner"), ("kept", "keepers")] {
            let relation = things.fields.first { $0.name == field }?.relation?.relationID
            ofOwners[name] = .relation(
                QueryRelation(
                    name: name, relationID: relation, isBackward: true, isToOne: false,
                    isList: field == "keepers", target: things.entityID))
        }
        return QueryModel([
            QueryModel.Entity(name: "Thing", entity: things.entityID, members: members(things)),
            QueryModel.Entity(name: "Owner", entity: owners.entityID, members: ofOwners),
        ])
    }

    func properties(of layout: EntityLayout) -> [Field] {
        layout.fields.filter { $0.relation == nil }
    }

    private func relation(_ name: String) -> UInt32 {
        things.fields.first { $0.name == name }?.relation?.relationID ?? 0
    }

    /// Changes a few objects and links in a running transaction.
    func change(
        _ count: Int, _ generator: inout SeededGenerator, in transaction: WriteTransaction
    ) throws {
        for _ in 0..<count {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: try remove(&generator, in: transaction)
            case 1, 2:
                let id = try put(
                    owners, ownerIds.randomElement(using: &generator), &generator, transaction)
                if !ownerIds.contains(id) { ownerIds.append(id) }
            case 3, 4, 5: try link(&generator, in: transaction)
            default:
                let known =
                    Bool.random(using: &generator)
                    ? thingIds.randomElement(using: &generator) : nil
                let id = try put(things, known, &generator, transaction)
                if !thingIds.contains(id) { thingIds.append(id) }
            }
        }
    }

    private func remove(
        _ generator: inout SeededGenerator, in transaction: WriteTransaction
    ) throws {
        if Int.random(in: 0..<3, using: &generator) == 0 {
            guard let id = ownerIds.randomElement(using: &generator) else { return }
            _ = try transaction.changes.remove(owners.entityID, id)
            ownerIds.removeAll { $0 == id }
        } else if let id = thingIds.randomElement(using: &generator) {
            _ = try transaction.changes.remove(things.entityID, id)
            thingIds.removeAll { $0 == id }
        }
    }

    private func link(_ generator: inout SeededGenerator, in transaction: WriteTransaction) throws {
        guard let source = thingIds.randomElement(using: &generator),
            let thing = thingIds.randomElement(using: &generator)
        else { return }
        let owner = ownerIds.randomElement(using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0, 1: try transaction.changes.setTarget(relation("owner"), source, owner)
        case 2: _ = try transaction.changes.link(relation("friends"), source, thing)
        case 3: _ = try transaction.changes.unlink(relation("friends"), source, thing)
        default:
            let list = (0..<3).compactMap { _ in ownerIds.randomElement(using: &generator) }
            let base = try transaction.changes.list(relation("keepers"), source).map(\.position)
            _ = try transaction.changes.setList(
                relation("keepers"), source, from: base,
                to: list.map { ListPlacement(position: nil, target: $0) })
        }
    }

    private func put(
        _ layout: EntityLayout, _ id: UInt64?, _ generator: inout SeededGenerator,
        _ transaction: WriteTransaction
    ) throws -> UInt64 {
        var encoder = RowEncoder(RowLayout(layout))
        for (place, field) in layout.fields.enumerated() where field.relation == nil {
            var value = Self.value(of: field, &generator)
            if field.name == "number" {
                lastNumber += 1
                value = lastNumber % 7 == 0 ? .null : .integer(lastNumber)
            }
            if case .null = value {
                try encoder.setNull(place)
            } else {
                try encoder.set(value: Self.bytes(value, field.type).span, at: place)
            }
        }
        encoder.finish()
        return try transaction.changes.put(
            layout.entityID, id ?? 0, layout: layout.layoutID, row: encoder.row
        ).id
    }

    static func bytes(_ value: QueryValue, _ type: FieldType) -> [UInt8] {
        if case .number(let number) = value, number.isNaN {
            let bits = type == .float ? UInt64(Float.nan.bitPattern) : number.bitPattern
            return (0..<(type == .float ? 4 : 8)).map {
                UInt8(truncatingIfNeeded: bits >> UInt64($0 * 8))
            }
        }
        return RowBytes.bytes(of: value, as: type) ?? []
    }

    /// Returns a value for a property, one of few, so that many objects have equal values.
    static func value(of field: Field, _ generator: inout SeededGenerator) -> QueryValue {
        if field.isOptional, Int.random(in: 0..<5, using: &generator) == 0 { return .null }
        return value(of: field.type, &generator)
    }

    static func value(of type: FieldType, _ generator: inout SeededGenerator) -> QueryValue {
        switch type {
        case .bool: return .bool(Bool.random(using: &generator))
        case .int8, .int16, .int32, .int64:
            return .integer([-128, -3, -1, 0, 1, 2, 3, 127].randomElement(using: &generator) ?? 0)
        case .uint8, .uint16, .uint32, .uint64:
            return .integer([0, 1, 2, 3, 200, 255].randomElement(using: &generator) ?? 0)
        case .float, .double:
            return .number(
                [-1.5, -0.0, 0, 0.5, 1, 2, .nan, .infinity, -.infinity]
                    .randomElement(using: &generator) ?? 0)
        case .date, .dateNano:
            return .moment(
                Int128(Int.random(in: -3...3, using: &generator)) * 1_000_000_000)
        case .string:
            return .text(
                [
                    "", "a", "A", "ab", "Ab", "abc", "a\0b", "b", "ä", "Äb", "Straße", "z",
                    "red Apple", "apples, red ones", "RED", "a b ab",
                ]
                .randomElement(using: &generator) ?? "")
        case .bytes:
            return .bytes([[], [0], [0, 1], [1], [255]].randomElement(using: &generator) ?? [])
        case .uuid:
            return .uuid(
                [UInt8](repeating: UInt8.random(in: 0..<4, using: &generator), count: 16))
        case .decimal:
            return .decimal(
                ["0", "1.0", "1.00", "-2.5", "10", "1e2", "100", "0.1"]
                    .randomElement(using: &generator) ?? "0")
        default: return .null
        }
    }
}
