@testable import Daybook
import DaybookObjectBox
import DaybookTestSupport
import Foundation
import Testing

/// `setting`: queries with other values in their conditions.
@Suite struct QueryParameterTests {
    private func refusal(
        _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: DaybookError.self, sourceLocation: sourceLocation) {
            try body()
        }
        #expect(error?.code == .invalidArgument, sourceLocation: sourceLocation)
    }

    @Test func `a parameter is set by its property`() throws {
        let store = try ItemStore()
        var query = try store.box.query {
            Item.size < 0 && Item.name.startsWith("x") && Item.weight.isIn(0...0)
        }.build()
        query = try query.setting(Item.size, to: 4)
        query = try query.setting(Item.name, to: "A")
        query = try query.setting(Item.weight, to: 4, 1)
        let expected = store.items.filter { item in
            item.size < 4 && item.name.hasPrefix("A")
                && item.weight.map { (1...4).contains($0) } ?? false
        }
        #expect(!expected.isEmpty)
        #expect(try query.find().map(\.id) == expected.map(\.id))
    }

    @Test func `each kind of condition accepts new values`() throws {
        let store = try ItemStore()
        func ids(_ query: Query<Item>) throws -> [Id] { try query.findIds().map(\.value) }
        func ids(_ isTrue: (Item) -> Bool) -> [Id] { store.items.filter(isTrue).map(\.id) }
        var query = store.box.query { $0.size.isIn([1]) }
        query = try query.setting(Item.size, toOneOf: [2, 3])
        #expect(try ids(query) == ids { [2, 3].contains($0.size) })
        query = store.box.query { $0.weight.isEqual(to: 0, tolerance: 0) }
        query = try query.setting(Item.weight, toEqual: 2, tolerance: 0.6)
        #expect(try ids(query) == ids { $0.weight.map { abs($0 - 2) <= 0.6 } ?? false })
        query = store.box.query { $0.level == .low }
        query = try query.setting(Item.level, to: .high)
        #expect(try ids(query) == ids { $0.level == .high })
        query = store.box.query { $0.nick == "x" }
        query = try query.setting(Item.nick, to: nil)
        #expect(try ids(query) == ids { $0.nick == nil })
        query = store.box.query { $0.tags.any { $0.isIn(["x"]) } }
        query = try query.setting(Item.tags, toOneOf: ["tag1"])
        #expect(try ids(query) == ids { $0.tags.contains("tag1") })
        query = store.box.query { $0.tags.contains("x") }
        query = try query.setting(Item.tags, to: "tag2")
        #expect(try ids(query) == ids { $0.tags.contains("tag2") })
        query = store.box.query { $0.color == Color(red: 9, green: 9) }
        query = try query.setting(Item.color, to: Color(red: 1, green: 7))
        #expect(try ids(query) == ids { $0.color.red == 1 })
        query = store.box.query { $0.name.matches("x") }
        query = try query.setting(Item.name, to: "bob")
        #expect(try ids(query) == ids { $0.name.lowercased() == "bob" })
        query = store.box.query { $0.home.city == "x" }
        query = try query.setting(Item.home.city, to: "Bob")
        #expect(try ids(query) == ids { $0.home.city == "Bob" })
        query = store.box.query { $0.id.isIn([1]) }
        query = try query.setting(Item.id, toOneOf: [5, 6])
        #expect(try ids(query) == [5, 6])
    }

    @Test func `setting one end of a range keeps the other end`() throws {
        let store = try ItemStore()
        var query = store.box.query { $0.size.isIn(0..<1) }
        query = try query.setting(Item.size, to: 5, 3)
        #expect(
            try query.findIds().map(\.value)
                == store.items.filter { (3..<5).contains($0.size) }.map(\.id))
    }

    @Test func `a parameter is set by the name of its condition`() throws {
        let store = try ItemStore()
        func ids(_ isTrue: (Item) -> Bool) -> [Id] { store.items.filter(isTrue).map(\.id) }
        let query = try store.box.query {
            "least" .= Item.size >= 0 && "most" .= Item.size <= 0 || "seen" .= Item.seen == nil
        }.build()
        var set = try query.setting("least", to: 2).setting("most", to: 3)
        let seen = Date(timeIntervalSinceReferenceDate: 3.25)
        set = try set.setting("seen", to: seen)
        #expect(
            try set.findIds().map(\.value) == ids { (2...3).contains($0.size) || $0.seen == seen })
        #expect(try query.findIds().map(\.value) == ids { $0.size == 0 || $0.seen == nil })
        var named = store.box.query { _ in
            "range" .= Item.size.isIn(0..<1) || "list" .= Item.temper.isIn([.calm])
                || "near" .= Item.weight.isEqual(to: 9, tolerance: 0)
        }
        named = try named.setting("range", to: 3, 5)
        named = try named.setting("list", toOneOf: [Temper.glad])
        named = try named.setting("near", toEqual: 3, tolerance: 0)
        #expect(
            try named.findIds().map(\.value)
                == ids { (3..<5).contains($0.size) || $0.temper == .glad || $0.weight == 3 })
    }

    @Test func `parameters of conditions on linked objects can be set`() throws {
        let store = try RelationStore()
        try store.orders.put([
            Order("pen", customer: Customer("Ada")), Order("ink", customer: Customer("Bob")),
        ])
        var direct = try store.orders.query { Order.customer.name == "x" }.build()
        direct = try direct.setting(Order.customer.name, to: "Bob")
        #expect(try direct.find().map(\.summary) == ["ink"])
        var linked = try store.orders.query { Order.customer.link { Customer.name == "x" } }.build()
        linked = try linked.setting(Order.customer.name, to: "Ada")
        #expect(try linked.find().map(\.summary) == ["pen"])
        linked = try linked.setting(Customer.name, to: "Bob")
        #expect(try linked.find().map(\.summary) == ["ink"])
        var relation = try store.orders.query { Order.customer == 7 }.build()
        relation = try relation.setting(Order.customer, to: EntityId<Customer>(1))
        #expect(try relation.find().map(\.summary) == ["pen"])
        var back = try store.customers.query { Customer.orders.summary == "x" }.build()
        back = try back.setting(Customer.orders.summary, to: "ink")
        #expect(try back.find().map(\.name) == ["Bob"])
        let student = Student("Ada")
        student.teachers.append(Teacher("Bob"))
        try store.students.put(student)
        // Both ends have the same name: the type distinguishes them.
        var both = try store.students.query {
            Student.name == "Ada" && Student.teachers.link { Teacher.name == "x" }
        }.build()
        both = try both.setting(Teacher.name, to: "Bob")
        #expect(try both.count() == 1)
    }

    @Test func `a date parameter is rounded like the stored property`() throws {
        let store = try ItemStore()
        let date = Date(timeIntervalSinceReferenceDate: 7.000_000_25)
        var item = store.items[0]
        (item.made, item.seen) = (date, date)
        try store.box.put(item)
        var coarse = store.box.query("at" .= Item.made == .now)
        coarse = try coarse.setting("at", to: date.addingTimeInterval(0.000_1))
        #expect(try coarse.findIds().map(\.value) == [item.id])
        var query = store.box.query("at" .= Item.seen == .now)
        query = try query.setting("at", to: date)
        #expect(try query.findIds().map(\.value) == [item.id])
        query = try query.setting("at", to: date.addingTimeInterval(0.000_1))
        #expect(try query.count() == 0)
    }

    @Test func `a wrong name, count or type of a parameter is refused and changes nothing`() throws
    {
        let store = try ItemStore()
        let query = try store.box.query {
            Item.size == 3 && "name" .= Item.name == "Ada" && Item.weight.isIn(0...9)
        }.build()
        let before = try query.findIds()
        refusal { _ = try query.setting(Item.nick, to: "x") }
        refusal { _ = try query.setting("nobody", to: 1) }
        refusal { _ = try query.setting("name", to: 1) }
        refusal { _ = try query.setting("name", toOneOf: ["a"]) }
        refusal { _ = try query.setting(Item.size, to: 1, 2) }
        refusal { _ = try query.setting(Item.size, toOneOf: [1]) }
        refusal { _ = try query.setting(Item.size, toEqual: 1, tolerance: 0) }
        refusal { _ = try query.setting(Item.weight, to: 1) }
        refusal { _ = try query.setting(Item.tags.count, to: 1) }
        #expect(try query.findIds() == before)
        let twice = store.box.query { $0.size > 1 && $0.size < 5 }
        refusal { _ = try twice.setting(Item.size, to: 1) }
        let compound = store.box.query { _ in ("both" .= (Item.size > 1 && Item.id < 5)) }
        refusal { _ = try compound.setting("both", to: 1) }
        let notes = Daybook.Property<Item, [Unkept]>(encoded: "note")
        let encoded = store.box.query(notes == [Unkept()])
        refusal { _ = try encoded.setting(notes, to: Unkept()) }
        refusal { _ = try encoded.setting(notes, toOneOf: [Unkept()] as [Unkept]) }
        let listed = store.box.query(notes.isIn([[Unkept()]]))
        refusal { _ = try listed.setting(notes, toOneOf: [Unkept()]) }
        let other = store.box.query { $0.size == 1 }
        let error = #expect(throws: DaybookError.self) {
            _ = try other.setting(Customer.name, to: "x")
        }
        #expect(error?.code == .entityNotRegistered)
    }

    @Test func `a query runs concurrently with different parameters`() async throws {
        let store = try ItemStore()
        let query = try store.box.query { Item.size == 0 }.build()
        let counts = try await withThrowingTaskGroup(of: (Int32, Int).self) { group in
            for size in Int32(-5)..<7 {
                group.addTask {
                    let own = try query.setting(Item.size, to: size)
                    return (size, try await own.count())
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let expected = Dictionary(grouping: store.items, by: \.size).mapValues(\.count)
        #expect(counts == expected)
    }
}

/// A value that can only be stored as a part of another one.
private struct Unkept: Codable {}
