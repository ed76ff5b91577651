import DaybookBytes
import DaybookRecords
import DaybookQuery
import Testing

/// Totals and groups in query texts.
@Suite struct QueryTextGroupTests {
    private func parse(_ text: String) throws -> TextQuery {
        try TextQuery.parse(text, in: try PackageModel.model())
    }

    private func groups(_ text: String) throws -> TextQuery.Groups {
        guard case .groups(let groups) = try parse(text).output else {
            throw DaybookError(.invalidArgument, "no groups")
        }
        return groups
    }

    private static func path(_ steps: String...) -> QueryExpression {
        .property(PropertyPath(steps))
    }

    private static let count = GroupDefinition.Value(.count)
    private static let size = GroupDefinition.Value(.sum, of: path("size"))

    @Test func `totals of all objects are distinguished from values of each object`() throws {
        guard
            case .totals(let totals) = try parse(
                "Package select count, SUM(size) as bytes, max(released), average(share),"
                    + " sum(share), count(maintainer), min(sum(files.bytes))"
            ).output
        else { return #expect(Bool(false)) }
        let files = QueryExpression.aggregate(
            .sum, PropertyPath(["files"]), of: PropertyPath(["bytes"]))
        #expect(
            totals.map(\.value) == [
                Self.count, Self.size, GroupDefinition.Value(.maximum, of: Self.path("released")),
                GroupDefinition.Value(.average, of: Self.path("share")),
                GroupDefinition.Value(.sum, of: Self.path("share")),
                GroupDefinition.Value(.count, of: Self.path("maintainer", "")),
                GroupDefinition.Value(.minimum, of: files),
            ])
        #expect(totals.map(\.name).prefix(3) == ["count", "bytes", "max(released)"])
        #expect(
            totals.map(\.type) == [.uint64, .int64, .date, .double, .double, .uint64, .int64])
        guard case .columns(let columns) = try parse("Package select sum(files.bytes)").output
        else { return #expect(Bool(false)) }
        #expect(columns.map(\.expression) == [files])
    }

    @Test func `groups have keys, totals, conditions and an order`() throws {
        let query = try parse(
            """
            Package where size > 1 group by section, maintainer.home.city
              select section, maintainer.home.city as city, count, sum(size)
              having count > 10 and not (5 >= sum(size) or min(ratio) = nil)
              order by sum(size) desc nulls last, city, max(size) limit 3 offset 2
            """)
        #expect(
            query.definition
                == QueryDefinition(
                    .compare(Self.path("size"), .greater, .value(.integer(1)), [])))
        guard case .groups(let groups) = query.output else { return #expect(Bool(false)) }
        var expected = GroupDefinition(
            by: [Self.path("section"), Self.path("maintainer", "home", "city")],
            values: [
                Self.count, Self.size, GroupDefinition.Value(.minimum, of: Self.path("ratio")),
                GroupDefinition.Value(.maximum, of: Self.path("size")),
            ])
        expected.having = .and([
            .compare(.value(0), .greater, .integer(10)),
            .not(
                .or([
                    .compare(.value(1), .lessOrEqual, .integer(5)),
                    .compare(.value(2), .equal, .null),
                ])),
        ])
        var first = GroupOrder(.value(1))
        first.isDescending = true
        first.areNullsLast = true
        expected.orders = [first, GroupOrder(.key(1)), GroupOrder(.value(3))]
        expected.limit = 3
        expected.offset = 2
        #expect(groups.definition == expected)
        #expect(groups.columns.map(\.name) == ["section", "city", "count", "sum(size)"])
        #expect(groups.columns.map(\.term) == [.key(0), .key(1), .value(0), .value(1)])
        #expect(groups.columns.map(\.type) == [.string, .string, .uint64, .int64])
    }

    @Test func `groups without selected values show their keys and counts`() throws {
        let groups = try groups("Package group by section, order having sum(size) > 5")
        #expect(groups.columns.map(\.name) == ["section", "order", "count"])
        #expect(groups.columns.map(\.term) == [.key(0), .key(1), .value(1)])
        #expect(groups.definition.values == [Self.size, Self.count])
    }

    @Test func `lists, ranges and nil also apply to groups`() throws {
        func having(_ text: String) throws -> GroupCondition {
            try groups("Package group by section, price having \(text)").definition.having
        }
        #expect(
            try having("section not in ('a', nil)")
                == .not(
                    .or([
                        .compare(.key(0), .equal, .text("a")), .compare(.key(0), .equal, .null),
                    ])))
        #expect(try having("section in ()") == .or([]))
        #expect(try having("section is not nil") == .compare(.key(0), .notEqual, .null))
        #expect(
            try having("price between 1.5 and 0.5")
                == .or([
                    .and([
                        .compare(.key(1), .greaterOrEqual, .decimal("1.5")),
                        .compare(.key(1), .lessOrEqual, .decimal("0.5")),
                    ]),
                    .and([
                        .compare(.key(1), .greaterOrEqual, .decimal("0.5")),
                        .compare(.key(1), .lessOrEqual, .decimal("1.5")),
                    ]),
                ]))
    }
}
