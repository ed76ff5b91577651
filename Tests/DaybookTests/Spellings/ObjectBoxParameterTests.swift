import Daybook
import DaybookObjectBox
import DaybookTestSupport
import Foundation
import Testing

/// ObjectBox's setters of parameters, which change a query in place.
@Suite struct ObjectBoxParameterTests {
    private let store: ItemStore

    init() throws { store = try ItemStore() }

    private func ids(_ isTrue: (Item) -> Bool) -> [Id] { store.items.filter(isTrue).map(\.id) }

    private func sizes(_ query: Query<Item>) throws -> Set<Int32> {
        Set(try query.find().map(\.size))
    }

    @Test func `a constant query and its property queries see later parameters`() throws {
        let query = try store.box.query { Item.size == 0 }.build()
        let names = query.property(Item.name)
        let copy = query
        query.setParameter(Item.size, to: 3)
        #expect(try query.findIds().map(\.value) == ids { $0.size == 3 })
        #expect(try names.find() == store.items.filter { $0.size == 3 }.map(\.name))
        #expect(try copy.count() == query.count())
        query.setParameter(Item.size, to: 4)
        #expect(try names.find() == store.items.filter { $0.size == 4 }.map(\.name))
        #expect(query.debugDescription.contains("4"))
    }

    @Test func `parameters of a query do not change other queries`() throws {
        let builder = store.box.query { Item.size == 0 }
        let (one, other) = (try builder.build(), try builder.build())
        one.setParameter(Item.size, to: 3)
        let narrowed = one.and(Item.id > 10)
        let later = try one.setting(Item.size, to: 2)
        one.setParameter(Item.size, to: 4)
        #expect(try sizes(other) == [0])
        #expect(try narrowed.findIds().map(\.value) == ids { $0.size == 3 && $0.id > 10 })
        #expect(try sizes(later) == [2])
        #expect(try one.find(limit: 1).map(\.size) == [4])
        #expect(try sizes(one.build()) == [4])
    }

    @Test func `a value that does not fit is thrown by each run, until one fits`() throws {
        let query = try store.box.query { Item.size == 3 && Item.id > 1 }.build()
        query.setParameters(Item.size, to: [1, 2])
        query.setParameter(Item.id, to: 5)
        for _ in 0..<2 { expectError(.invalidArgument) { _ = try query.find() } }
        expectError(.invalidArgument) { _ = try query.property(Item.name).find() }
        expectError(.invalidArgument) { _ = try query.limit(1).find() }
        expectError(.invalidArgument) { _ = try query.setting(Item.id, to: 1) }
        query.setParameter(Item.size, to: 4)
        #expect(try query.findIds().map(\.value) == ids { $0.size == 4 && $0.id > 5 })
        query.setParameter("nobody", to: 1)
        expectError(.invalidArgument) { _ = try query.count() }
    }

    @Test func `of several conditions on a property the first one has the parameter`() throws {
        let query = try store.box.query { Item.size > 5 && Item.size < 4 }.build()
        query.setParameter(Item.size, to: 1)
        #expect(try sizes(query) == [2, 3])
        expectError(.invalidArgument) { _ = try query.setting(Item.size, to: 1) }
    }

    @Test func `all forms of parameters are set`() throws {
        func query(_ condition: Condition<Item>) throws -> Query<Item> {
            try store.box.query(condition).build()
        }
        let near = try query("near" .= Item.weight.isEqual(to: 9, tolerance: 0))
        let isNear = ids { $0.weight.map { abs($0 - 2) <= 0.6 } ?? false }
        near.setParameter(Item.weight, toEqual: 2, tolerance: 0.6)
        #expect(try near.findIds().map(\.value) == isNear)
        // Two values are the bounds of the range, as in ObjectBox.
        let isInside = ids { $0.weight.map { (0.5...2.3).contains($0) } ?? false }
        near.setParameters(Item.weight, to: 2.3, 0.5)
        #expect(try near.findIds().map(\.value) == isInside)
        near.setParameters("near", to: 3.0, 3.0)
        #expect(try near.findIds().map(\.value) == ids { $0.weight == 3 })
        near.setParameters("near", to: 0.5, 2.3)
        #expect(try near.findIds().map(\.value) == isInside)
        near.setParameters("near", toEqual: 2, tolerance: 0.6)
        #expect(try near.findIds().map(\.value) == isNear)
        let range = try query("range" .= Item.weight.isIn(0...0))
        range.setParameters(Item.weight, to: 4, 1)
        #expect(
            try range.findIds().map(\.value)
                == ids { $0.weight.map { (1...4).contains($0) } ?? false })
        range.setParameters("range", to: 2.0, 2.0)
        #expect(try range.findIds().map(\.value) == ids { $0.weight == 2 })
        let list = try query("list" .= Item.size.isIn([1]))
        list.setParameters(Item.size, to: [2, 3])
        #expect(try sizes(list) == [2, 3])
        list.setParameters("list", to: [1, 2])
        #expect(try sizes(list) == [1, 2])
        let tags = try query(Item.tags.contains("x"))
        tags.setParameter(Item.tags, to: "tag2")
        #expect(try tags.findIds().map(\.value) == ids { $0.tags.contains("tag2") })
        let tagged = try query(Item.tags.any { $0.isIn(["x"]) })
        tagged.setParameters(Item.tags, to: ["tag1"])
        #expect(try tagged.findIds().map(\.value) == ids { $0.tags.contains("tag1") })
        let named = try query("temper" .= Item.temper == .calm)
        named.setParameter("temper", to: Temper.glad)
        #expect(try named.findIds().map(\.value) == ids { $0.temper == .glad })
    }

    @Test func `parameters of relations are ids`() throws {
        let relations = try RelationStore()
        try relations.orders.put([
            Order("pen", customer: Customer("Ada")), Order("ink", customer: Customer("Bob")),
        ])
        let orders = try relations.orders.query { "of" .= Order.customer == 7 }.build()
        orders.setParameter(Order.customer, to: EntityId<Customer>(1))
        #expect(try orders.find().map(\.summary) == ["pen"])
        orders.setParameter("of", to: EntityId<Customer>(2))
        #expect(try orders.find().map(\.summary) == ["ink"])
    }

    @Test func `several threads set different parameters of a query`() async throws {
        let query = try store.box.query {
            "a" .= Item.size == -9 || "b" .= Item.size == -9 || "c" .= Item.size == -9
        }.build()
        await withTaskGroup(of: Void.self) { group in
            for (name, size) in [("a", 1), ("b", 2), ("c", 3)] {
                group.addTask {
                    for other in 0..<200 { query.setParameter(name, to: other) }
                    query.setParameter(name, to: size)
                }
            }
        }
        #expect(try sizes(query) == [1, 2, 3])
    }
}
