@testable import Daybook
import DaybookObjectBox
import DaybookTestSupport
import Foundation
import Testing

@Suite struct QueryStoreTests {
    @Test func `a query on a closed store is an error`() throws {
        let store = try ItemStore()
        let query = try store.box.query { Item.size > 0 }.build()
        store.store.close()
        expectError(.closed) { _ = try query.find() }
        expectError(.closed) { _ = try query.count() }
        expectError(.closed) { try query.forEach { _ in } }
        expectError(.closed) { _ = try query.remove() }
        expectError(.closed) { _ = try query.property(\.size).sum() }
        expectError(.closed) { _ = try query.groups(by: \.size).find(.count) }
        let other = try ItemStore()
        let seen = try other.store.view().box(for: Item.self).query()
        #expect(try seen.count() == other.items.count)
        try other.close()
        expectError(.closed) { _ = try seen.count() }
    }

    @Test func `a query on a closed store is also an error in async calls`() async throws {
        let store = try ItemStore()
        let query = store.box.query { $0.size > 0 }
        try store.close()
        let error = await #expect(throws: DaybookError.self) { try await query.find() }
        #expect(error?.code == .closed)
    }

    @Test func `a query for a type that the store was opened without is an error`() throws {
        let store = try ItemStore()
        let box = store.store.box(for: Memo.self)
        expectError(.entityNotRegistered) { _ = try box.query { Memo.stars > 1 }.build() }
        expectError(.entityNotRegistered) { _ = try box.query { $0.stars > 1 }.find() }
    }

    @Test func `invalid names and values are errors when the query is built`() throws {
        let store = try ItemStore()
        let wrong: [Condition<Item>] = [
            Daybook.Property<Item, Int>("sise") == 3,
            Daybook.Property<Item, String>("size") == "x",
            Item.weight.isEqual(to: 1, tolerance: -1),
            Item.name.matches(" - "),
            Item.color.stored(as: String.self) == "red",
            Item.size.max == 3,
            Item.tags.count.max == 3,
        ]
        for condition in wrong {
            expectError(.invalidArgument) { _ = try store.box.query(condition).build() }
            expectError(.invalidArgument) { _ = try store.box.query(condition).count() }
            expectError(.invalidArgument) { _ = try store.box.query(!condition).count() }
        }
        let all = store.box.query()
        let unknown = Daybook.Property<Item, Int>("sise")
        expectError(.invalidArgument) { _ = try all.ordered(by: unknown).find() }
        expectError(.invalidArgument) { _ = try all.distinct(by: unknown).find() }
        expectError(.invalidArgument) { _ = try all.property(unknown).find() }
        expectError(.invalidArgument) { _ = try all.groups(by: unknown).find(.count) }
        expectError(.invalidArgument) { _ = try all.sections(by: unknown) }
    }

    @Test func `conditions nest up to the limit, and chains have any length`() throws {
        let store = try ItemStore()
        var chain = Item.size == 100
        for size in Int32(0)..<1000 { chain = chain || Item.size == size % 3 }
        #expect(
            try store.box.query(chain).count() == store.items.count { (0...2).contains($0.size) })
        var front = Item.size == 100
        for size in Int32(0)..<1000 { front = Item.size == size % 3 || front }
        #expect(try store.box.query(front).count() == (try store.box.query(chain).count()))
        var nested = Item.size == 1
        for _ in 0..<100_000 { nested = Item.id > 0 && (Item.id < 0 || !nested) }
        expectError(.invalidArgument) { _ = try store.box.query(nested).count() }
        var flipped = Item.size == 1
        for _ in 0..<100_001 { flipped = !flipped }
        #expect(
            try store.box.query(flipped).count() == store.items.count { $0.size != 1 })
        var node = Daybook.Property<TreeNode, ToOne<TreeNode>?>("parent")
        for _ in 0..<1000 { node = node.parent }
        let trees = try RelationStore()
        expectError(.invalidArgument) { _ = try trees.nodes.query(node.name == "x").find() }
        // Shorter than the limit of the core, but each condition is nested in the previous one.
        var children = Daybook.Property<TreeNode, ToMany<TreeNode>?>("children")
        for _ in 0..<150 { children = children.children }
        expectError(.invalidArgument) { _ = try trees.nodes.query(children.name == "x").find() }
    }

    @Test func `conditions built in a loop are quickly refused or evaluated`() throws {
        let store = try ItemStore()
        var all = Item.id > 0
        for id in Id(100)..<45_000 { all = all && Item.id != id }
        #expect(try store.box.query(all).count() == store.items.count)
        expectError(.invalidArgument) { _ = try store.box.query(all && all && all).count() }
        let doubled = store.box.query((0..<60).reduce(all) { one, _ in one || one })
        expectError(.invalidArgument) { _ = try doubled.setting("none", to: 1) }
        #expect(doubled.debugDescription.count < 1000)
        var front = Item.id == 7
        for id in Id(100)..<5_000 { front = Item.id == id || front }
        #expect(try store.box.query(front).findIds().map(\.value) == [7])
        var narrowed = store.box.query { $0.id > 0 }
        for id in Id(100)..<10_000 { narrowed = narrowed.and(Item.id != id) }
        #expect(try narrowed.count() == store.items.count)
    }

    @Test func `conditions are values that can be reused, also from several threads`() async throws
    {
        let store = try ItemStore()
        let large = Item.size > 3
        let query = store.box.query(large)
        let counts = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<8 {
                group.addTask { try? await store.box.query(large && Item.isOpen == true).count() }
                group.addTask { try? await query.count() }
            }
            return await group.reduce(into: Set<Int?>()) { $0.insert($1) }
        }
        #expect(
            counts == [
                store.items.count { $0.size > 3 && $0.isOpen }, store.items.count { $0.size > 3 },
            ])
        try checkUses(of: large, in: store)
    }

    private func checkUses(of large: Condition<Item>, in store: ItemStore) throws {
        let query = store.box.query(large)
        #expect(try store.box.query(!large).count() == store.items.count { $0.size <= 3 })
        #expect(
            try store.box.query { large || $0.size == 1 }.count()
                == store.items.count { $0.size > 3 || $0.size == 1 })
        #expect(
            try store.box.query { large && $0.isOpen == true || $0.size == 1 }.count()
                == store.items.count { $0.size > 3 && $0.isOpen || $0.size == 1 })
        #expect(
            try store.box.query { large && ($0.isOpen == true || $0.size == 1) }.count()
                == store.items.count { $0.size > 3 && ($0.isOpen || $0.size == 1) })
        #expect(
            try query.and { $0.isOpen == true }.and { $0.size < 6 }.count()
                == store.items.count { $0.size == 5 && $0.isOpen || $0.size == 4 && $0.isOpen })
    }

    @Test func `a query inside a transaction sees uncommitted changes`() throws {
        let store = try ItemStore()
        let query = try store.box.query { Item.name == "new" }.build()
        try store.store.write {
            #expect(try query.count() == 0)
            var item = Item()
            item.name = "new"
            try store.box.put(item)
            #expect(try query.count() == 1)
            #expect(try query.find().map(\.name) == ["new"])
            #expect(try query.property(\.size).count() == 1)
            try store.box.remove(3)
            #expect(
                try store.box.query { $0.id.isIn([2, 3, 4]) }.findIds().map(\.value) == [2, 4])
            #expect(try store.box.query { $0.name == "new" }.remove() == 1)
            #expect(try query.count() == 0)
        }
        #expect(try query.count() == 0)
        #expect(try store.box.contains(3) == false)
    }

    @Test func `a visit in a transaction delivers the current state of each object`() throws {
        let store = try ItemStore()
        for query in [store.box.query(), store.box.query { $0.id > 0 }] {
            var seen: [Id] = []
            #expect(throws: Refusal.self) {
                try store.store.write {
                    try query.visit { item in
                        seen.append(item.id)
                        #expect(item.id != 3 || item.name == "changed")
                        guard item.id == 1 else { return true }
                        var other = item
                        other.name = "changed"
                        (other.id, _) = (3, try store.box.remove(2))
                        try store.box.put(other)
                        other.id = 0
                        try store.box.put(&other)
                        return true
                    }
                    throw Refusal(number: 1)
                }
            }
            #expect(seen == [1] + Array(3...60))
        }
    }

    @Test func `a query in a view finds the objects of its version`() throws {
        let store = try ItemStore()
        let view = try store.store.view()
        let query = view.box(for: Item.self).query { $0.size == 3 }
        let before = try query.findIds()
        try store.box.query { $0.size == 3 }.remove()
        #expect(try store.box.query { $0.size == 3 }.count() == 0)
        #expect(try query.findIds() == before)
        #expect(try query.find().count == before.count)
        #expect(
            try view.box(for: Item.self).query { Item.size == 3 }.build().count() == before.count)
        #expect(try view.box(for: Item.self).query().build().count() == store.items.count)
        let past = try store.store.view(at: .sequence(view.sequence))
        #expect(try past.box(for: Item.self).query { $0.size == 3 }.findIds() == before)
        expectError(.readOnly) { try query.remove() }
    }

    @Test func `a query in a view has async calls`() async throws {
        let store = try ItemStore()
        let view = try await store.store.view()
        let query = view.box(for: Item.self).query { $0.size == 3 }
        let before = try await query.count()
        try await store.box.query { $0.size == 3 }.remove()
        #expect(before > 0)
        #expect(try await query.find().count == before)
        let error = await #expect(throws: DaybookError.self) { try await query.remove() }
        #expect(error?.code == .readOnly)
    }

    @Test func `a view of dropped history is an error`() throws {
        let store = try RelationStore()
        try store.customers.put([Customer("Ada"), Customer("Bob")])
        let old = try store.store.sequence
        try store.customers.query { $0.name == "Ada" }.remove()
        _ = try store.store.engine.compact(.latest, sealsActive: true)
        expectError(.historyTruncated) {
            _ = try store.store.view(at: .sequence(old)).box(for: Customer.self)
                .query { $0.name == "Ada" }.find()
        }
        #expect(try store.customers.query { $0.name > "A" }.find().map(\.name) == ["Bob"])
    }

    @Test func `a read-only store sees the additions of its writer`() throws {
        let directory = TemporaryDirectory()
        let writer = try Store(path: directory.path, entities: [Customer.self, Order.self])
        var options = StoreOptions()
        options.isReadOnly = true
        let reader = try Store(
            path: directory.path, entities: [Customer.self, Order.self], options: options)
        let query = try reader.box(for: Order.self).query { Order.customer.name == "Ada" }.build()
        #expect(try query.count() == 0)
        try writer.box(for: Order.self).put(Order("pen", customer: Customer("Ada")))
        try reader.refresh()
        #expect(try query.find().map(\.summary) == ["pen"])
        expectError(.readOnly) { try query.remove() }
    }

    @Test func `async calls deliver all objects, in any number of pages`()
        async throws
    {
        let store = try ItemStore()
        var more = [Item](repeating: Item(), count: 600)
        try store.insert(&more)
        var seen: [Id] = []
        try await store.box.query().forEach { seen.append($0.id) }
        #expect(seen == Array(1...660))
    }

    @Test func `the async query calls find the same objects`() async throws {
        let store = try ItemStore()
        let query = store.box.query { $0.size > 2 }.ordered(by: \.size)
        let objects = try store.find(query)
        #expect(try await query.find().map(\.id) == objects.map(\.id))
        #expect(try await query.offset(1).limit(2).find().map(\.id) == objects[1...2].map(\.id))
        #expect(try await query.findFirst()?.id == objects.first?.id)
        #expect(try await query.findIds().map(\.value) == objects.map(\.id))
        #expect(try await query.count() == objects.count)
        #expect(try await !query.isEmpty())
        #expect(try await store.box.query { $0.id == 4 }.findUnique()?.id == 4)
        var seen: [Id] = []
        try await query.forEach { seen.append($0.id) }
        #expect(seen == objects.map(\.id))
        seen = []
        try await query.visit {
            seen.append($0.id); return false
        }
        #expect(seen.count == 1)
        #expect(try await query.limit(99).explain(isRun: true).root.actual == objects.count)
        let sizes = query.property(\.size)
        #expect(try await sizes.find() == objects.map(\.size))
        #expect(try await sizes.sum() == objects.reduce(0) { $0 + Int($1.size) })
        #expect(try await sizes.count() == objects.count)
        #expect(try await sizes.min() == 3)
        #expect(try await sizes.max() == 6)
        #expect(try await sizes.average() != nil)
        let groups = try await query.groups(by: \.size).find(.count)
        #expect(groups.map(\.key) == [3, 4, 5, 6])
        let sections = try await query.sections(by: \.size)
        #expect(sections.map(\.key) == [3, 4, 5, 6])
        let made = try await query.sections { "\($0.size)" }
        #expect(made.map(\.key) == ["3", "4", "5", "6"])
        #expect(try await query.remove() == objects.count)
        #expect(try await query.count() == 0)
    }
}

extension ItemStore {
    // The blocking calls, for `async` callers.
    func close() throws { store.close() }
    func insert(_ items: inout [Item]) throws { try box.put(&items) }
    func find(_ query: Query<Item>) throws -> [Item] { try query.find() }
}
