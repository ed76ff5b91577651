import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import DaybookTesting
import DaybookTestSupport
import Testing

/// Random queries over rows with older layouts: every plan gives the result of a plain scan. A
/// failure prints its seed.
@Suite struct PlansOverOlderRowsTests {
    /// Returns changed properties: wider types, optional ones made required and the reverse, and
    /// properties that no row has.
    private func changed(
        _ declarations: [EntityDeclaration], _ generator: inout SeededGenerator
    ) -> [EntityDeclaration] {
        var declarations = declarations
        for place in declarations.indices {
            for field in declarations[place].fields.indices {
                var shape = declarations[place].fields[field].shape
                guard !shape.type.isRelation else { continue }
                if Int.random(in: 0..<2, using: &generator) == 0 {
                    shape.type = Self.wider(shape.type)
                }
                if Int.random(in: 0..<4, using: &generator) == 0,
                    declarations[place].fields[field].name != "number"
                {
                    shape.isOptional.toggle()
                }
                declarations[place].fields[field].shape = shape
            }
        }
        return declarations
    }

    private static func wider(_ type: FieldType) -> FieldType {
        switch type {
        case .int8, .uint8: .int16
        case .int16, .uint16: .int32
        case .int32, .uint32: .int64
        case .float: .double
        case .date: .dateNano
        default: type
        }
    }

    /// Returns the declaration without some of its properties, which are added later.
    private func reduced(
        _ declarations: [EntityDeclaration], _ generator: inout SeededGenerator
    ) -> [EntityDeclaration] {
        var declarations = declarations
        for place in declarations.indices {
            let fields = declarations[place].fields.filter { field in
                field.shape.type.isRelation || ["number", "q0"].contains(field.name)
                    || Int.random(in: 0..<4, using: &generator) > 0
            }
            let names = fields.map(\.name)
            declarations[place].fields = fields
            declarations[place].indexes.removeAll { !$0.columns.allSatisfy(names.contains) }
        }
        return declarations
    }

    private func check(
        _ count: Int, _ world: RandomWorld, _ access: QueryAccess, _ seed: UInt64
    ) throws -> Int {
        var queries = RandomQueries(world, seed: seed)
        var indexed = 0
        for number in 0..<count {
            let layout = number % 4 == 3 ? world.owners : world.things
            let definition = queries.query(of: layout)
            func runner(_ hint: PlanHint) throws -> QueryRunner {
                try QueryRunner(definition, of: layout.entityID, in: world.model, hint: hint)
            }
            guard let scan = try? runner(.scan) else { continue }
            let wanted = try scan.ids(access)
            let all = Set((world.things.indexes + world.owners.indexes).map(\.indexID))
            for hint in [PlanHint.cheapest, .indexes(all)] {
                let runner = try runner(hint)
                let plan = try runner.explain(access, isRun: false)
                if !plan.indexes.isEmpty { indexed += 1 }
                let note = "seed \(seed), query \(number): \(definition)\n\(hint)\n\(plan)"
                #expect(try runner.ids(access) == wanted, "\(note)")
                #expect(try runner.count(access) == wanted.count, "\(note)")
            }
            for field in world.properties(of: layout) {
                for aggregate in [QueryAggregate.minimum, .maximum, .count] {
                    let values = try [PlanHint.scan, .indexes(all)].map { hint in
                        let aggregates = try QueryAggregates(
                            QueryRunner(
                                QueryDefinition(), of: layout.entityID, in: world.model,
                                hint: hint), of: .path(field.name))
                        return switch aggregate {
                        case .minimum: try aggregates.minimum(access)
                        case .maximum: try aggregates.maximum(access)
                        default: QueryValue.integer(Int128(try aggregates.count(access)))
                        }
                    }
                    let isSame =
                        values[0].isEqual(to: values[1])
                        || values[0].isNotANumber && values[1].isNotANumber
                    #expect(isSame, "seed \(seed): \(aggregate) of \(field.name): \(values)")
                }
            }
        }
        return indexed
    }

    @Test(arguments: Seeds.first(20 * Seeds.rounds))
    func `every plan gives the same result for rows of older layouts`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let fileSystem = MemoryFileSystem()
        let full = RandomWorld.declarations(&generator)
        var indexed = 0
        var number: Int128 = 0
        for declarations in [reduced(full, &generator), full, changed(full, &generator)] {
            let world = try RandomWorld(fileSystem, declarations, numbersAfter: number)
            number += 1000
            for _ in 0..<2 {
                try world.engine.write { try world.change(40, &generator, in: $0) }
            }
            if Bool.random(using: &generator) { try world.engine.writeSnapshot() }
            while try world.engine.buildIndexSlice(limit: 1000) {}
            try world.engine.query { indexed += try check(20, world, $0, seed) }
            try world.engine.close()
        }
        #expect(indexed > 0, "seed \(seed)")
    }
}
