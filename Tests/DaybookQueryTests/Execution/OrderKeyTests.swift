import DaybookBytes
import DaybookRecords
@testable import DaybookQuery
import DaybookTestSupport
import Testing

/// The bytes of order keys sort in the requested order.
@Suite struct OrderKeyTests {
    /// Returns -1, 0 or 1 according to the documented order, in a simple implementation.
    private func plain(
        _ one: QueryValue, _ other: QueryValue, _ order: BoundOrder, _ zero: QueryValue
    ) -> Int {
        let one = one == .null && order.areNullsZero ? zero : one
        let other = other == .null && order.areNullsZero ? zero : other
        if one == .null || other == .null {
            if one == other { return 0 }
            return (one == .null) == order.areNullsLast ? 1 : -1
        }
        let isOneNumber = one.order(to: one) == .equal
        let isOtherNumber = other.order(to: other) == .equal
        var result = 0
        if !isOneNumber || !isOtherNumber {
            result = isOneNumber == isOtherNumber ? 0 : isOneNumber ? -1 : 1
        } else {
            let options: StringOptions = order.isCaseSensitive ? [] : .caseInsensitive
            switch one.folded(options).order(to: other.folded(options)) {
            case .before: result = -1
            case .behind: result = 1
            case .equal, .apart: result = 0
            }
        }
        return order.isDescending ? -result : result
    }

    private func sign(_ one: [UInt8], _ other: [UInt8]) -> Int {
        one.lexicographicallyPrecedes(other) ? -1 : other.lexicographicallyPrecedes(one) ? 1 : 0
    }

    @Test(arguments: QueryFixture.valueTypes, 0..<16)
    func `keys sort like their values`(type: FieldType, flags: Int) throws {
        let fixture = try QueryFixture()
        var random = RandomConditions(seed: UInt64(type.rawValue) * 16 + UInt64(flags))
        let name = QueryFixture.name(type, isOptional: true)
        var values: [UInt64: QueryValue] = [:]
        try fixture.engine.write { _ in
            for _ in 0..<25 {
                var value = random.chance(6) ? QueryValue.null : random.value(type)
                if type == .decimal, random.chance(5) {
                    value = .decimal(
                        random.pick(["NaN", "-1e30", "1e-30", "-0.001", "0.10", "-0.0", "1e30"]))
                }
                values[try fixture.put("Thing", [name: .value(value)])] = value
            }
        }
        var query = QueryOrder(.expression(.property(PropertyPath([name]))))
        query.isDescending = flags & 1 != 0
        query.isCaseSensitive = flags & 2 != 0
        query.areNullsLast = flags & 4 != 0
        query.areNullsZero = flags & 8 != 0
        let expression = try ConditionResolver(fixture.model).resolve(
            .property(PropertyPath([name])), of: fixture.number("Thing"))
        let order = BoundOrder(.expression(expression), query)
        let keys = try self.keys([order], fixture)
        let zero = ValueShape(type).zero
        for (id, one) in values {
            for (otherId, other) in values {
                #expect(
                    sign(keys[id] ?? [], keys[otherId] ?? [])
                        == plain(one, other, order, zero), "\(one) \(other) \(order)")
            }
        }
        try fixture.engine.close()
    }

    private func keys(_ orders: [BoundOrder], _ fixture: QueryFixture) throws -> [UInt64: [UInt8]] {
        try fixture.engine.query { access in
            let keys = OrderKeys(orders, access)
            var found: [UInt64: [UInt8]] = [:]
            try access.scan(fixture.number("Thing")) { row, layout, id in
                var key: [UInt8] = []
                try keys.append(row, layout: layout, id: id, to: &key)
                found[id] = key
                return true
            }
            return found
        }
    }

    @Test func `keys of several orders sort by the first difference, also across links`() throws {
        let fixture = try QueryFixture()
        func text(_ text: String) -> [String: FixtureValue] { ["string": .value(.text(text))] }
        let a = try fixture.put("Thing", text("a"))
        let b = try fixture.put("Thing", text("ab"))
        let first = try fixture.put("Thing", text("x"), links: ["owner": [b]])
        let second = try fixture.put("Thing", text("z"), links: ["owner": [a]])
        let third = try fixture.put("Thing", text("y"), links: ["owner": [a], "friends": [a, b]])
        let resolver = ConditionResolver(fixture.model)
        func order(_ expression: QueryExpression, isDescending: Bool = false) throws -> BoundOrder {
            var order = QueryOrder(.expression(expression))
            order.isDescending = isDescending
            let bound = try resolver.resolve(expression, of: fixture.number("Thing"))
            return BoundOrder(.expression(bound), order)
        }
        func sorted(_ orders: [BoundOrder]) throws -> [UInt64] {
            try keys(orders, fixture).sorted {
                $0.value == $1.value
                    ? $0.key < $1.key : $0.value.lexicographicallyPrecedes($1.value)
            }.map(\.key)
        }
        let owner = QueryExpression.property(PropertyPath(["owner", "string"]))
        let own = QueryExpression.property(PropertyPath(["string"]))
        #expect(
            try sorted([order(owner), order(own, isDescending: true)])
                == [b, a, second, third, first])
        #expect(
            try sorted([order(owner, isDescending: true), order(own)])
                == [a, b, first, third, second])
        let friends = QueryExpression.aggregate(.count, PropertyPath(["friends"]), of: nil)
        #expect(try sorted([order(friends, isDescending: true)]) == [third, a, b, first, second])
        try fixture.engine.close()
    }
}
