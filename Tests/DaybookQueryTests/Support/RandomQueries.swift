import DaybookBytes
import DaybookRecords
@testable import DaybookQuery
import DaybookTesting

/// Random conditions and queries over a ``RandomWorld``.
struct RandomQueries {
    let world: RandomWorld
    var generator: SeededGenerator

    init(_ world: RandomWorld, seed: UInt64) {
        self.world = world
        generator = SeededGenerator(seed: seed)
    }

    mutating func query(of layout: EntityLayout) -> QueryDefinition {
        var query = QueryDefinition(condition(of: layout, depth: 3))
        let names = world.properties(of: layout).map(\.name)
        for _ in 0..<(chance(3) ? pick([1, 1, 2]) : 0) {
            var path = PropertyPath([pick(names)])
            if layout.entityID == world.things.entityID, chance(6) {
                path = PropertyPath(["owner", pick(world.properties(of: world.owners)).name])
            } else if chance(12) {
                path = .ownId
            }
            var order = QueryOrder(.expression(.property(path)))
            order.isDescending = chance(2)
            order.isCaseSensitive = chance(2)
            order.areNullsLast = chance(3)
            order.areNullsZero = chance(6)
            query.orders.append(order)
        }
        if chance(8) { query.distinct = [PropertyPath([pick(names)])] }
        if chance(4) { query.offset = pick([0, 1, 3, 50]) }
        if chance(2) { query.limit = pick([0, 1, 2, 5, 20, 100]) }
        return query
    }

    mutating func condition(of layout: EntityLayout, depth: Int) -> QueryCondition {
        if depth > 0 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0, 1, 2: return .and(parts(of: layout, depth))
            case 3, 4: return .or(parts(of: layout, depth))
            case 5: return .not(condition(of: layout, depth: depth - 1))
            case 6: return linked(layout, depth)
            default: break
            }
        }
        switch Int.random(in: 0..<24, using: &generator) {
        case 0: return .always(Bool.random(using: &generator))
        case 1: return .compare(.property(.ownId), comparison(), id(), [])
        case 2:
            return .range(
                .property(.ownId),
                lower: QueryBound(.integer(Int128(pick([1, 5, 20]))), isInclusive: true),
                upper: chance(3) ? nil : QueryBound(.integer(30), isInclusive: false))
        case 3: return .oneOf(.property(.ownId), [.integer(3), .integer(7), .integer(10_000)], [])
        case 4 where layout.entityID == world.things.entityID:
            let field = pick(world.properties(of: world.owners))
            return test(.property(PropertyPath(["owner", field.name])), field)
        default: break
        }
        let field = pick(world.properties(of: layout))
        return test(.property(PropertyPath([field.name])), field)
    }

    private mutating func parts(of layout: EntityLayout, _ depth: Int) -> [QueryCondition] {
        (0..<pick([1, 2, 2, 3])).map { _ in condition(of: layout, depth: depth - 1) }
    }

    private mutating func linked(_ layout: EntityLayout, _ depth: Int) -> QueryCondition {
        let isThing = layout.entityID == world.things.entityID
        let name = isThing ? pick(["owner", "friends", "keepers"]) : pick(["things", "kept"])
        let leadsToThing = isThing ? name == "friends" : true
        return .linked(
            PropertyPath([name]), pick([.any, .any, .all, .none]),
            condition(of: leadsToThing ? world.things : world.owners, depth: depth - 1))
    }

    private mutating func test(_ value: QueryExpression, _ field: Field) -> QueryCondition {
        let options: StringOptions =
            field.type == .string
            ? pick([[], [], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive]]) : []
        switch Int.random(in: 0..<(field.type == .string ? 11 : 6), using: &generator) {
        case 0, 1:
            return .compare(value, comparison(), .value(operand(field)), options)
        case 2:
            return .range(
                value, lower: chance(4) ? nil : QueryBound(solid(field), isInclusive: chance(2)),
                upper: QueryBound(solid(field), isInclusive: chance(2)))
        case 3:
            let values = (0..<pick([0, 1, 2, 4])).map { _ in operand(field) }
            return .oneOf(value, values, options)
        case 4: return .isNull(value)
        case 5: return .compare(value, .equal, .value(operand(field)), options)
        case 6, 7:
            guard case .property(let path) = value else { return .isNull(value) }
            return .matches(
                path, pick(["red", "a*", "red app*", "a b", "apple red", "r* a*", "x"]),
                pick(WordTest.allCases))
        default:
            let patterns = ["", "a", "A", "ab", "a*", "*b", "a?", "?", "Str*e", "ß", "a\\*"]
            return .text(
                value, pick(TextTest.allCases), .value(.text(pick(patterns))), options)
        }
    }

    private mutating func operand(_ field: Field) -> QueryValue {
        field.isOptional && chance(6) ? .null : solid(field)
    }

    private mutating func solid(_ field: Field) -> QueryValue {
        let value =
            field.name == "number"
            ? .integer(Int128(Int.random(in: 0..<80, using: &generator)))
            : RandomWorld.value(of: field.type, &generator)
        // Numbers that the property cannot represent.
        if case .integer = value, chance(8) {
            return pick([.integer(300), .integer(-1), .number(1.5)])
        }
        if case .number = value, chance(8) { return .number(0.1) }
        if case .moment = value, chance(4) { return .moment(500) }
        return value
    }

    private mutating func id() -> QueryExpression {
        .value(.integer(Int128(Int.random(in: 0..<40, using: &generator))))
    }

    private mutating func comparison() -> QueryComparison { pick(QueryComparison.allCases) }
    private mutating func chance(_ oneIn: Int) -> Bool {
        Int.random(in: 0..<oneIn, using: &generator) == 0
    }
    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }
}
