import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import Testing

/// The plans of queries over ten thousand people, and their explanations.
@Suite struct ExplainTests {
    private static let store: PeopleStore? = {
        let store = try? PeopleStore()
        try? store?.fill(10_000)
        return store
    }()

    private func explain(
        _ definition: QueryDefinition, of layout: KeyPath<PeopleStore, EntityLayout> = \.people,
        isRun: Bool = false
    ) throws -> ExplainedQuery {
        let store = try #require(Self.store)
        return try store.engine.query { access in
            try store.runner(definition, of: store[keyPath: layout]).explain(access, isRun: isRun)
        }
    }

    static let plans: [(QueryCondition, String)] = [
        (.always(true), "scan Person, estimated 10000"),
        (.equal("age", .integer(30)), "index equality Person.age, estimated 100"),
        (.greater("age", .integer(98)), "index range Person.age, estimated 100"),
        (
            .range(
                .path("age"), lower: QueryBound(.integer(3), isInclusive: true),
                upper: QueryBound(.integer(4), isInclusive: true)),
            "index range Person.age, estimated 200"
        ),
        (
            .oneOf(.path("age"), [.integer(3), .integer(5)], []),
            "index one of Person.age, estimated 200"
        ),
        (.prefix("name", "name 99"), "index prefix Person.name, estimated 110"),
        (
            .text(.path("name"), .like, .value(.text("name 99*9")), []),
            "filter name like \"name 99*9\"\n  index prefix Person.name, estimated 110"
        ),
        (.equal("email", .text("mail 7")), "index equality Person.email, estimated 1"),
        (
            .and([.equal("city", .text("city 3")), .equal("age", .integer(3))]),
            "index equality Person.city, age, estimated 100"
        ),
        (
            .and([.equal("city", .text("city 3")), .greater("age", .integer(82))]),
            "index range Person.city, age, estimated 100"
        ),
        (
            .or([.equal("age", .integer(3)), .equal("email", .text("mail 9"))]),
            "union, estimated 101\n  index equality Person.age, estimated 100\n"
                + "  index equality Person.email, estimated 1"
        ),
        (
            .and([.equal("age", .integer(3)), .equal("price", .decimal("3.5"))]),
            "filter price == 3.5\n  index equality Person.age, estimated 100"
        ),
        (
            .equal("price", .decimal("3.5")),
            "filter price == 3.5\n  scan Person, estimated 10000"
        ),
        (
            .not(.not(.equal("age", .integer(3)))),
            "index equality Person.age, estimated 100"
        ),
        (
            .not(.or([.greater("age", .integer(0)), .less("age", .integer(0))])),
            "index range Person.age, estimated 100"
        ),
        (
            .compare(.property(.ownId), .equal, .value(.integer(17)), []),
            "ids of Person, estimated 1"
        ),
        (.always(false), "nothing, estimated 0"),
    ]

    @Test(arguments: plans.indices)
    func `the planner chooses the cheapest plan for a condition`(place: Int) throws {
        let (condition, plan) = Self.plans[place]
        #expect(try explain(QueryDefinition(condition)).description == plan)
    }

    @Test
    func `a condition on linked objects becomes a join that starts with the few matching ones`()
        throws
    {
        let condition = QueryCondition.compare(
            .path("employer", "name"), .equal, .value(.text("company 3")), [])
        let plan = try explain(QueryDefinition(condition), isRun: true)
        #expect(
            plan.description
                == "join Person.employer, estimated 1000, found 1000\n"
                + "  index equality Company.name, estimated 1, found 1")
    }

    @Test func `an order with a limit scans an index and stops`() throws {
        var definition = QueryDefinition(.less("price", .decimal("3")))
        var order = QueryOrder(.expression(.path("age")))
        order.isDescending = true
        definition.orders = [order]
        definition.limit = 10
        let plan = try explain(definition, isRun: true)
        #expect(
            plan.root.text == "limit 10" && plan.root.steps.first?.text == "filter price < 3")
        let walk = try #require(plan.root.steps.first?.steps.first)
        #expect(walk.text == "index order Person.age" && walk.index == "age")
        #expect(try #require(walk.actual) < 400)
        #expect(plan.root.actual == 10)
    }

    @Test func `an order without an index sorts all results`() throws {
        var definition = QueryDefinition(.equal("age", .integer(30)))
        definition.orders = [QueryOrder(.expression(.path("price")))]
        definition.offset = 5
        definition.limit = 10
        #expect(
            try explain(definition).description
                == "limit 10\n  offset 5\n    sort by price\n"
                + "      index equality Person.age, estimated 100")
    }

    @Test func `an explanation shows actual counts next to the estimates`() throws {
        let condition = QueryCondition.and([
            .equal("age", .integer(30)), .equal("price", .decimal("3.5")),
        ])
        let plan = try explain(QueryDefinition(condition), isRun: true)
        #expect(plan.root.steps.first?.estimate == 100)
        let found = try #require(plan.root.actual)
        #expect(found > 0 && found < 100)
    }
}
