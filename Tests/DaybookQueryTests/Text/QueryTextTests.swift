import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import Testing

/// The descriptions of queries and conditions.
@Suite struct QueryTextTests {
    static let conditions: [(QueryCondition, String)] = [
        (
            .and([.greater("age", .integer(18)), .prefix("name", "S")]),
            "age > 18 && name hasPrefix \"S\""
        ),
        (
            .or([.and([.equal("a", .bool(true)), .equal("b", .null)]), .always(false)]),
            "(a == true && b == nil) || false"
        ),
        (.not(.isNull(.path("customer", "name"))), "customer.name != nil"),
        (.not(.equal("age", .number(1.5))), "!(age == 1.5)"),
        (
            .range(
                .path("age"), lower: QueryBound(.integer(1), isInclusive: true),
                upper: QueryBound(.integer(9), isInclusive: false)),
            "age >= 1 && age < 9"
        ),
        (
            .oneOf(.path("age"), (1...10).map { .integer($0) }, .caseInsensitive),
            "age in[c] [1, 2, 3, 4, 5, 6, 7, 8, … 2 more]"
        ),
        (.near(.path("x"), 1, tolerance: 0.5), "x near 1.0 ± 0.5"),
        (
            .text(
                .path("name"), .like, .value(.text("a\"\\\n\u{1}")),
                [.caseInsensitive, .diacriticInsensitive]),
            "name like[cd] \"a\\\"\\\\\\n\\u{1}\""
        ),
        (
            .linked(PropertyPath(["orders"]), .all, .compare(.element, .less, .path("x"), [])),
            "orders all (element < x)"
        ),
        (.keys(PropertyPath(["map"]), .none, .always(true)), "map.keys none (true)"),
        (.matches(PropertyPath(["text"]), "big dog*"), "text matches \"big dog*\""),
        (.matches(PropertyPath(["text"]), "a b", .any), "text matches any \"a b\""),
        (.matches(PropertyPath(["text"]), "a b", .phrase), "text matches phrase \"a b\""),
        (.named("age", .equal("age", .integer(1))), "age == 1"),
        (
            .compare(
                .aggregate(.count, PropertyPath(["orders"]), of: nil), .equal,
                .entry(PropertyPath(["map"]), key: "k"), []),
            "orders.count == map[\"k\"]"
        ),
    ]

    @Test(arguments: conditions.indices)
    func `a condition has a readable description`(place: Int) {
        #expect(Self.conditions[place].0.description == Self.conditions[place].1)
    }

    @Test func `values are written in the notation of their types`() {
        let values: [(QueryValue, String)] = [
            (.moment(1_700_000_000_000_000_000), "2023-11-14T22:13:20.000Z"),
            (.moment(1), "1 ns"), (.bytes([0, 255]), "0x00ff"),
            (.uuid([UInt8](repeating: 17, count: 16)), "11111111-1111-1111-1111-111111111111"),
            (.decimal("1.50"), "1.50"), (.stored([1, 2]), "2 bytes"),
            (.text(String(repeating: "x", count: 65)), "\"\(String(repeating: "x", count: 64))…\""),
        ]
        for (value, text) in values { #expect(value.description == text) }
    }

    @Test func `the description of a query starts with the condition and ends with the limit`() {
        var definition = QueryDefinition(.equal("age", .integer(1)))
        var order = QueryOrder(.expression(.path("name")))
        order.isDescending = true
        order.areNullsLast = true
        definition.orders = [order, QueryOrder(.relevance)]
        definition.distinct = [PropertyPath(["city"])]
        definition.offset = 2
        definition.limit = 3
        #expect(
            definition.description
                == "age == 1 order by name desc nulls last, relevance distinct by city offset 2"
                + " limit 3")
    }
}
