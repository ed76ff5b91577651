import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery

/// A store of people and their companies, at the level of the engine.
final class PeopleStore: Sendable {
    let engine: Engine
    let people: EntityLayout
    let companies: EntityLayout
    let model: QueryModel

    init(
        _ indexes: [IndexDeclaration] = PeopleStore.indexes,
        in fileSystem: any FileSystem = MemoryFileSystem(), frameBytes: Int = 64 << 10,
        durability: Durability = .always
    ) throws {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.log.preallocationStepBytes = 16 << 10
        options.framePayloadBytes = frameBytes
        options.durability = durability
        engine = try Engine.open("/people", fileSystem, access: .write, options: options)
        let layouts = try engine.register([
            EntityDeclaration(
                name: "Company",
                fields: [
                    FieldDeclaration(name: "name", type: .string),
                    FieldDeclaration(name: "size", type: .int64),
                ], indexes: [IndexDeclaration(columns: ["name"])]),
            EntityDeclaration(
                name: "Person",
                fields: [
                    FieldDeclaration(name: "name", type: .string),
                    FieldDeclaration(name: "nick", type: .string, isOptional: true),
                    FieldDeclaration(name: "age", type: .int64),
                    FieldDeclaration(name: "score", type: .double, isOptional: true),
                    FieldDeclaration(name: "city", type: .string),
                    FieldDeclaration(name: "email", type: .string),
                    FieldDeclaration(name: "price", type: .decimal),
                    FieldDeclaration(
                        name: "employer",
                        shape: ValueShape(.toOne, isOptional: true, entityName: "Company")),
                ], indexes: indexes),
        ])
        (companies, people) = (layouts[0], layouts[1])
        var members = Self.members(people)
        let employer = people.fields.first { $0.name == "employer" }?.relation
        members["employer"] = .relation(
            QueryRelation(
                name: "employer", relationID: employer?.relationID, isBackward: false,
                isToOne: true, isList: false, target: companies.entityID))
        var ofCompanies = Self.members(companies)
        ofCompanies["staff"] = .relation(
            QueryRelation(
                name: "staff", relationID: employer?.relationID, isBackward: true, isToOne: false,
                isList: false, target: people.entityID))
        model = QueryModel([
            QueryModel.Entity(name: "Person", entity: people.entityID, members: members),
            QueryModel.Entity(name: "Company", entity: companies.entityID, members: ofCompanies),
        ])
    }

    static let indexes = [
        IndexDeclaration(columns: ["name"]),
        IndexDeclaration(columns: ["nick"]),
        IndexDeclaration(columns: ["age"]),
        IndexDeclaration(columns: ["score"]),
        IndexDeclaration(columns: ["city"], kind: .hash),
        IndexDeclaration(columns: ["email"], isUnique: true),
        IndexDeclaration(columns: ["city", "age"]),
    ]

    private static func members(_ layout: EntityLayout) -> [String: QueryModel.Member] {
        var members: [String: QueryModel.Member] = [:]
        for field in layout.fields where field.relation == nil {
            members[field.name] = .property(
                QueryProperty(
                    name: field.name, propertyID: field.propertyID, entity: layout.entityID,
                    shape: field.shape))
        }
        return members
    }

    @discardableResult
    func put(
        _ layout: EntityLayout, _ values: [String: QueryValue], id: UInt64 = 0,
        in transaction: WriteTransaction
    ) throws -> UInt64 {
        var encoder = RowEncoder(RowLayout(layout))
        for (place, field) in layout.fields.enumerated() {
            guard let value = values[field.name], value != .null else { continue }
            try encoder.set(value: RandomWorld.bytes(value, field.type).span, at: place)
        }
        encoder.finish()
        return try transaction.changes.put(
            layout.entityID, id, layout: layout.layoutID, row: encoder.row
        ).id
    }

    /// Puts ten companies, and people with ages from 0 to 99, evenly distributed. The id of a
    /// person is its number, counted from 1.
    func fill(_ count: Int) throws {
        try engine.write { transaction in
            for number in 0..<10 {
                try put(
                    companies,
                    ["name": .text("company \(number)"), "size": .integer(Int128(number * 100))],
                    in: transaction)
            }
            let relation = people.fields.first { $0.name == "employer" }?.relation?.relationID
            for number in 0..<count {
                let id = try put(people, Self.person(number), in: transaction)
                try transaction.changes.setTarget(relation ?? 0, id, UInt64(number % 10) + 1)
            }
        }
    }

    static func person(_ number: Int) -> [String: QueryValue] {
        [
            "name": .text("name \(number % 1000)"),
            "nick": number % 4 == 0 ? .null : .text("nick \(number % 50)"),
            "age": .integer(Int128(number % 100)),
            "score": number % 3 == 0 ? .null : .number(Double(number) / 2),
            "city": .text("city \(number % 20)"),
            "email": .text("mail \(number)"),
            "price": .decimal("\(number % 7).50"),
        ]
    }

    func runner(
        _ definition: QueryDefinition, of layout: EntityLayout? = nil, hint: PlanHint = .cheapest
    ) throws -> QueryRunner {
        try QueryRunner(
            definition, of: (layout ?? people).entityID, in: model, hint: hint)
    }
}

extension QueryExpression {
    /// Returns the expression for a property path.
    static func path(_ names: String...) -> QueryExpression { .property(PropertyPath(names)) }
}

extension QueryCondition {
    static func equal(_ name: String, _ value: QueryValue) -> QueryCondition {
        .compare(.path(name), .equal, .value(value), [])
    }

    static func less(_ name: String, _ value: QueryValue) -> QueryCondition {
        .compare(.path(name), .less, .value(value), [])
    }

    static func greater(_ name: String, _ value: QueryValue) -> QueryCondition {
        .compare(.path(name), .greater, .value(value), [])
    }

    static func prefix(_ name: String, _ text: String) -> QueryCondition {
        .text(.path(name), .hasPrefix, .value(.text(text)), [])
    }
}
