@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// One object by id, after each commit that changes it.
@Suite struct ObjectValuesTests {
    private let store: Store
    private let box: Box<Memo>

    init() throws {
        store = try Store(directoryPath: "memory:object-\(UUID().uuidString)", entities: Memo.self)
        box = store.box()
    }

    @discardableResult
    private func put(_ text: String, stars: Int? = 1, id: Id = 0) throws -> Id {
        var memo = Memo(text: text, stars: stars)
        memo.id = id
        return try box.put(memo)
    }

    @Test func `the object is delivered first, then after each change`() async throws {
        let id = try put("a")
        var values = box.values(of: id).makeAsyncIterator()
        let first = try #require(try await values.next())
        #expect(first.object?.text == "a")
        #expect(first.changedProperties == [])
        try put("b", id: id)
        let second = try #require(try await values.next())
        #expect(second.object?.text == "b")
        #expect(second.changedProperties == ["text"])
        try put("c", stars: 2, id: id)
        #expect(try await values.next()?.changedProperties == ["text", "stars"])
        var typed = box.values(of: EntityId<Memo>(id)).makeAsyncIterator()
        #expect(try await typed.next()?.object?.text == "c")
    }

    @Test func `commits to other objects are not delivered`() async throws {
        let id = try put("a")
        let other = try put("other")
        let values = box.values(of: id)
        let begun = Events<Int>()
        let task = Task {
            var texts: [String?] = []
            for try await value in values {
                texts.append(value.object?.text)
                begun.add(texts.count)
                if texts.last == "b" { break }
            }
            return texts
        }
        #expect(await begun.next() == 1)
        let queries = try #require(store.types.liveQueries)
        for number in 0..<3 {
            try put("other \(number)", id: other)
            try put("new \(number)")
            queries.catchUp()
        }
        try await box.remove(other)
        try put("b", id: id)
        #expect(try await task.value == ["a", "b"])
    }

    @Test func `a removed object is nil, and delivered when it is put again`() async throws {
        let id = try put("a")
        var values = box.values(of: id).makeAsyncIterator()
        #expect(try await values.next()?.object?.text == "a")
        try await box.remove(id)
        let removed = try #require(try await values.next())
        #expect(removed.object == nil)
        #expect(removed.changedProperties == ["text", "stars"])
        try put("again", stars: nil, id: id)
        let again = try #require(try await values.next())
        #expect(again.object?.text == "again")
        #expect(again.changedProperties == ["text"])
    }

    @Test func `an object may be put after the first element`() async throws {
        let id = try put("a")
        try await box.remove(id)
        var values = box.values(of: id).makeAsyncIterator()
        let first = try #require(try await values.next())
        #expect(first.object == nil && first.changedProperties == [])
        try put("b", id: id)
        #expect(try await values.next()?.object?.text == "b")
    }

    @Test func `commits that a busy consumer misses are combined`() async throws {
        let id = try put("a")
        var values = box.values(of: id).makeAsyncIterator()
        #expect(try await values.next()?.object?.text == "a")
        for number in 0..<10 { try put("\(number)", id: id) }
        try await box.remove(id)
        try put("last", stars: 3, id: id)
        try #require(store.types.liveQueries).catchUp()
        let value = try #require(try await values.next())
        #expect(value.object?.text == "last")
        #expect(value.changedProperties == ["text", "stars"])
        try put("next", stars: 3, id: id)
        #expect(try await values.next()?.changedProperties == ["text"])
    }

    @Test func `a change of the links from an object is delivered`() async throws {
        let store = try RelationStore()
        let (ada, bob) = (Customer("Ada"), Customer("Bob"))
        let order = Order("pen", customer: ada)
        try await store.customers.put(bob)
        try await store.orders.put(order)
        let orderId = order.id
        var values = store.orders.values(of: orderId).makeAsyncIterator()
        #expect(try await values.next()?.object?.customer.target?.name == "Ada")
        order.customer.target = bob
        try await store.orders.put(order)
        let value = try #require(try await values.next())
        #expect(value.object?.customer.target?.name == "Bob")
        #expect(!value.changedProperties.contains("summary"))
    }

    @Test(.timeLimit(.minutes(30)))
    func `values of an object end with the store`() async throws {
        let id = try put("a")
        var values = box.values(of: id).makeAsyncIterator()
        #expect(try await values.next()?.object?.text == "a")
        try await store.close()
        #expect(try await values.next() == nil)
        #expect(try await values.next() == nil)
        var late = box.values(of: id).makeAsyncIterator()
        let error = await #expect(throws: DaybookError.self) { _ = try await late.next() }
        #expect(error?.code == .closed)
    }

    @Test(.timeLimit(.minutes(30)))
    func `values of an object end with their task`() async throws {
        let (id, queries) = (try put("a"), try #require(store.types.liveQueries))
        let (values, begun) = (box.values(of: id), Events<Int>())
        let task = Task {
            var count = 0
            for try await _ in values {
                count += 1
                begun.add(count)
            }
            return count
        }
        #expect(await begun.next() == 1)
        #expect(queries.listenerCount == 1)
        task.cancel()
        #expect(try await task.value == 1)
        #expect(queries.listenerCount == 0)
    }

    @Test func `an object of an unknown entity is an error`() async throws {
        var values = store.box(for: Order.self).values(of: 1).makeAsyncIterator()
        let error = await #expect(throws: DaybookError.self) { _ = try await values.next() }
        #expect(error?.code == .entityNotRegistered)
        #expect(try await values.next() == nil)
    }

    @Test func `an object may be followed before its commits are synced`() async throws {
        var options = StoreOptions()
        options.durability = .manual
        let store = try await Store(
            directoryPath: "memory:object-\(UUID().uuidString)", entities: Memo.self,
            options: options)
        let box = store.box(for: Memo.self)
        var memo = Memo(text: "a", stars: 1)
        memo.id = try await box.put(memo)
        var early = box.values(of: memo.id).includingUnsynced().makeAsyncIterator()
        #expect(try await early.next()?.object?.text == "a")
        memo.text = "b"
        try await box.put(memo)
        #expect(try await early.next()?.object?.text == "b")
    }
}
