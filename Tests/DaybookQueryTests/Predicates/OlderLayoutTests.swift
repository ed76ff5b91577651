import DaybookBytes
import DaybookRecords
@testable import DaybookQuery
import Testing

/// Rows that were written with an older declaration of the entity.
@Suite struct OlderLayoutTests {
    private static func declarations(isNew: Bool) -> [EntityDeclaration] {
        func field(_ name: String, _ shape: ValueShape, _ former: [String] = []) -> FieldDeclaration
        {
            FieldDeclaration(name: name, shape: shape, formerNames: isNew ? former : [])
        }
        let place = ValueShape(.embedded, entityName: "Place")
        var fields = [
            field(isNew ? "count" : "number", ValueShape(isNew ? .int64 : .int8), ["number"]),
            field("unsigned", ValueShape(isNew ? .int32 : .uint16, isOptional: true)),
            field("ratio", ValueShape(isNew ? .double : .float)),
            field("time", ValueShape(isNew ? .dateNano : .date)),
            field("list", ValueShape(.list, element: ValueShape(isNew ? .int64 : .int16))),
            field("home", place),
        ]
        if isNew {
            // Also reverses the order of the properties.
            fields.reverse()
            fields += [
                field("note", ValueShape(.string)),
                field("remark", ValueShape(.string, isOptional: true)),
                field("price", ValueShape(.decimal)), field("key", ValueShape(.uuid)),
                field("marks", ValueShape(.set, element: ValueShape(.string))),
                field("other", place),
            ]
        }
        var inner = [FieldDeclaration(name: "floor", type: isNew ? .int32 : .int8)]
        if isNew { inner.insert(FieldDeclaration(name: "door", type: .string), at: 0) }
        return [
            EntityDeclaration(name: "Place", kind: .embedded, fields: inner),
            EntityDeclaration(name: "House", fields: fields),
        ]
    }

    /// Returns a store with a row of the old layout and a row of the new layout with the same
    /// values.
    private func fixture() throws -> QueryFixture {
        let fixture = try QueryFixture(Self.declarations(isNew: false), backlinks: [:])
        func values(_ number: String, _ ratio: Double) -> [String: FixtureValue] {
            [
                number: .value(.integer(-5)), "unsigned": .value(.integer(60_000)),
                "ratio": .value(.number(ratio)), "time": .value(.moment(-3_000_000)),
                "list": .list([.value(.integer(-300)), .value(.integer(7))]),
                "home": .embedded(["floor": .value(.integer(-2))]),
            ]
        }
        try fixture.put("House", values("number", 0.25))
        try fixture.register(Self.declarations(isNew: true))
        try fixture.put("House", values("count", 0.25))
        return fixture
    }

    private func path(_ steps: String...) -> QueryExpression { .property(PropertyPath(steps)) }

    private func compare(
        _ one: QueryExpression, _ comparison: QueryComparison, _ value: QueryValue
    ) -> QueryCondition { .compare(one, comparison, .value(value), []) }

    private func conditions() -> [(QueryCondition, isTrue: Bool)] {
        [
            (compare(path("count"), .equal, .integer(-5)), true),
            (compare(path("count"), .less, .integer(1_000)), true),
            (compare(path("count"), .greater, .integer(-1_000)), true),
            (compare(path("count"), .less, .integer(-1_000)), false),
            (.oneOf(path("count"), [.integer(300), .integer(-5)], []), true),
            (.oneOf(path("count"), [.integer(300), .integer(251)], []), false),
            (compare(path("unsigned"), .equal, .integer(60_000)), true),
            (compare(path("unsigned"), .less, .integer(0)), false),
            (compare(path("ratio"), .less, .number(0.3)), true),
            (compare(path("ratio"), .equal, .number(0.25)), true),
            (compare(path("time"), .equal, .moment(-3_000_000)), true),
            (compare(path("time"), .less, .moment(-2_999_999)), true),
            (.compare(path("count"), .less, path("unsigned"), []), true),
            (
                compare(.aggregate(.sum, PropertyPath(["list"]), of: nil), .equal, .integer(-293)),
                true
            ),
            (
                .elements(PropertyPath(["list"]), .any, compare(.element, .equal, .integer(-300))),
                true
            ),
            (compare(path("home", "floor"), .equal, .integer(-2)), true),
            (compare(path("home", "floor"), .greater, .integer(-100_000)), true),
            (compare(path("home", "door"), .equal, .text("")), true),
            // A property that neither row has.
            (compare(path("note"), .equal, .text("")), true),
            (.isNull(path("remark")), true), (.isNull(path("note")), false),
            (compare(path("price"), .equal, .integer(0)), true),
            (compare(path("key"), .equal, .uuid([UInt8](repeating: 0, count: 16))), true),
            (
                compare(.aggregate(.count, PropertyPath(["marks"]), of: nil), .equal, .integer(0)),
                true
            ),
            (.elements(PropertyPath(["marks"]), .all, .always(false)), true),
            (compare(path("other", "floor"), .equal, .integer(0)), true),
            (compare(path("other", "door"), .equal, .text("")), true),
        ]
    }

    @Test func `rows of an older layout are evaluated like those of the newest`() throws {
        let fixture = try fixture()
        for (condition, isTrue) in conditions() {
            #expect(
                try fixture.ids(condition, of: "House") == (isTrue ? [1, 2] : []), "\(condition)")
            #expect(
                try fixture.ids(.not(condition), of: "House") == (isTrue ? [] : [1, 2]),
                "not \(condition)")
        }
        try fixture.engine.close()
    }

    @Test func `rows of each layout are sorted by their values`() throws {
        let fixture = try QueryFixture(Self.declarations(isNew: false), backlinks: [:])
        func put(_ number: String, _ values: ClosedRange<Int128>) throws {
            for value in values {
                try fixture.put(
                    "House",
                    [
                        number: .value(.integer(value * 7 % 5 - 2)),
                        "ratio": .value(.number(Double(value * 7 % 5))),
                        "time": .value(.moment(value * 7 % 5 * 1_000_000)),
                    ])
            }
        }
        try put("number", 1...3)
        try fixture.register(Self.declarations(isNew: true))
        try put("count", 4...5)
        for name in ["count", "ratio", "time"] {
            for isDescending in [false, true] {
                var definition = QueryDefinition()
                definition.orders = [QueryOrder(.expression(path(name)))]
                definition.orders[0].isDescending = isDescending
                let runner = try QueryRunner(
                    definition, of: fixture.number("House"), in: fixture.model)
                let ids = try fixture.engine.query { try runner.ids($0) }
                let wanted: [UInt64] = [5, 3, 1, 4, 2]
                #expect(ids == (isDescending ? wanted.reversed() : wanted), "\(name)")
            }
        }
        try fixture.engine.close()
    }

    @Test func `a date that changed to nanoseconds is limited to their range`() throws {
        for (stored, moment) in [(Int64.max, Int64.max), (.min, .min), (-2, -2_000_000)] {
            let bytes = QueryFixture.bytes(.moment(Int128(stored) * 1_000_000), .date)
            let read = try StoredValue.value(bytes.span, .date, as: .dateNano)
            #expect(read == .moment(Int128(moment)))
            let same = try StoredValue.value(bytes.span, .date, as: .date)
            #expect(same == .moment(Int128(stored) * 1_000_000))
        }
    }

    @Test func `an embedded value of another type is corruption`() throws {
        let fixture = try fixture()
        guard let house = fixture.layouts["House"] else { return }
        var encoder = RowEncoder(RowLayout(house))
        for (place, field) in house.fields.enumerated() where field.name == "home" {
            var writer = ByteWriter(capacity: 64)
            // The number of the layout of houses instead of places.
            EmbeddedValue.write([0].span, layout: house.layoutID, to: &writer)
            try encoder.set(bytes: writer.span, at: place)
        }
        encoder.finish()
        let row = encoder.row.array
        try fixture.engine.write { transaction in
            try transaction.changes.put(
                house.entityID, 0, layout: house.layoutID, row: row.span)
        }
        #expect {
            _ = try fixture.ids(compare(path("home", "floor"), .equal, .integer(1)), of: "House")
        } throws: { DaybookError.Code.corruption ~= $0 }
        try fixture.engine.close()
    }
}
