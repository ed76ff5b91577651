@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

@Suite struct ExchangeableQueryTests {
    private let store: Store
    private let box: Box<Memo>

    init() throws {
        store = try Store(
            directoryPath: "memory:exchange-\(UUID().uuidString)", entities: Memo.self)
        box = store.box()
    }

    private func put(_ memos: [Memo]) throws { try box.put(memos) }

    private func changes(_ update: QueryUpdate<Memo>?) throws -> ChangeSet<Memo> {
        guard case .update(let changes)? = update else { throw Refusal(number: 1) }
        return changes
    }

    @Test func `an exchange yields the difference from the shown result`() async throws {
        try put(["a", "b", "c", "d"].enumerated().map { Memo(text: $1, stars: $0) })
        let search = ExchangeableQuery(box.query().ordered(by: \.text).limit(3))
        var updates = search.updates().makeAsyncIterator()
        #expect(try await updates.next()?.objects.map(\.text) == ["a", "b", "c"])

        search.query = box.query { $0.stars > 0 }.ordered(by: \.text, flags: .descending)
        var change = try changes(try await updates.next())
        #expect(change.objects.map(\.text) == ["d", "c", "b"])
        #expect(change.deletions == [0] && change.insertions == [0])
        #expect(change.moves == [ChangeSet<Memo>.Move(from: 1, to: 2)])
        #expect(change.modifications == [])

        search.query = box.query { $0.stars > 0 }.ordered(by: \.text).offset(1)
        change = try changes(try await updates.next())
        #expect(change.objects.map(\.text) == ["c", "d"])
        #expect(change.deletions == [2] && change.insertions == [])
        #expect(change.moves == [ChangeSet<Memo>.Move(from: 0, to: 1)])

        // An equal result arrives, too, so that the consumer knows that the exchange is over.
        search.query = box.query { $0.stars > 1 }.ordered(by: \.text)
        change = try changes(try await updates.next())
        #expect(change.objects.map(\.text) == ["c", "d"])
        #expect(change.deletions + change.insertions + change.modifications == [])
        #expect(change.moves == [])

        // The sequence follows the new query.
        try put([Memo(text: "bb", stars: 1), Memo(text: "cc", stars: 2)])
        change = try changes(try await updates.next())
        #expect(change.objects.map(\.text) == ["c", "cc", "d"])
        #expect(change.insertions == [1])
    }

    @Test func `a change that was not shown before an exchange is a modification`() async throws {
        try put(["a", "b", "c"].map { Memo(text: $0, stars: 1) })
        let search = ExchangeableQuery(box.query().ordered(by: \.text))
        var updates = search.updates().makeAsyncIterator()
        _ = try await updates.next()
        var memos = try await box.all()
        memos[0].stars = 2
        try put([memos[0]])
        #expect(try changes(try await updates.next()).modifications == [0])
        memos[1].stars = 3
        try put([memos[1], Memo(text: "d", stars: 0)])
        search.query = box.query { $0.stars > 0 }.ordered(by: \.text)
        let change = try changes(try await updates.next())
        #expect(change.modifications == [1])
        #expect(change.objects == memos)
    }

    @Test func `a link that changed before an exchange is a modification`() async throws {
        let store = try RelationStore()
        let (ada, bob) = (Customer("Ada"), Customer("Bob"))
        try await store.customers.put([ada, bob])
        let orders = ["pen", "ink", "cap"].map { Order($0, customer: ada) }
        try await store.orders.put(orders)
        let search = ExchangeableQuery(store.orders.query())
        var updates = search.updates().makeAsyncIterator()
        _ = try await updates.next()
        orders[1].customer = ToOne(bob)
        try await store.orders.put(orders)
        search.query = store.orders.query { $0.summary != "pen" }
        guard case .update(let change)? = try await updates.next() else {
            Issue.record("the exchange yields no change")
            return
        }
        #expect(change.deletions == [0])
        #expect(change.modifications.contains(1))
        #expect(change.objects.map { $0.customer.targetId?.value } == [bob.id, ada.id])
    }

    @Test func `only the result of the last query arrives`() async throws {
        try put((0..<50).map { (number: Int) in Memo(text: "\(number)", stars: number) })
        let search = ExchangeableQuery(box.query { $0.stars < 3 })
        // Exchanged before the first result: the result is the one of the last query.
        search.query = box.query { $0.stars < 5 }
        var updates = search.updates().makeAsyncIterator()
        guard case .initial(let first)? = try await updates.next() else { throw Refusal(number: 2) }
        #expect(first.count == 5)
        try put([Memo(text: "old", stars: 1)])
        for count in 10..<20 {
            search.query = box.query { $0.stars >= 30 && $0.stars < 30 + count }
        }
        let change = try changes(try await updates.next())
        #expect(change.objects.map(\.stars) == (30..<49).map { $0 })
        #expect(change.deletions == [0, 1, 2, 3, 4])
    }

    @Test func `an exchange wakes a waiting loop, and interrupts the query before`() async throws {
        try put([Memo(text: "a", stars: 1), Memo(text: "b", stars: 2)])
        let search = ExchangeableQuery(box.query { $0.stars == 1 })
        let shown = Events<[String]>()
        let loop = Task {
            for try await update in search.updates() { shown.add(update.objects.map(\.text)) }
        }
        #expect(await shown.next() == ["a"])
        search.query = box.query { $0.stars == 2 }
        #expect(await shown.next() == ["b"])
        loop.cancel()
        try await loop.value

        let wakes = Events<Void>()
        let current = try ResultSource(search.query) { wakes.add(()) }
        search.follow(current, search.current.number)
        #expect(try current.begin().count == 1)
        try put([Memo(text: "c", stars: 2)])
        search.query = box.query()
        #expect(await wakes.next() != nil)
        // A source of a query that was exchanged before is interrupted at once.
        let late = try ResultSource(search.query) {}
        search.follow(late, search.current.number - 1)
        expectError(.interrupted) { _ = try late.begin() }
    }

    @Test func `a step that the consumer never received counts at the exchange`() throws {
        try put([Memo(text: "a", stars: 1), Memo(text: "b", stars: 1)])
        let first = try ResultSource(box.query()) {}
        let shown = try first.begin().map(\.id)
        var memo = try #require(try box.get(shown[1]))
        memo.stars = 2
        try put([memo])
        store.types.liveQueries?.catchUp()
        let step = try #require(try first.advance())
        #expect(step.difference.modifications == [1])
        let lost = try ResultSource(box.query().ordered(by: \.text)) {}
        #expect(try lost.begin(insteadOf: first, showing: shown).difference == step.difference)
        first.confirm()
        let next = try ResultSource(box.query().ordered(by: \.text)) {}
        #expect(try next.begin(insteadOf: first, showing: shown).difference.isEmpty)
        // Without the source, all objects that stay may have changed.
        let other = try ResultSource(box.query()) {}
        let unknown = try other.begin(insteadOf: nil, showing: shown)
        #expect(unknown.difference.modifications == [0, 1])
    }

    @Test func `an invalid query ends the updates`() async throws {
        let search = ExchangeableQuery(box.query())
        var updates = search.updates().makeAsyncIterator()
        _ = try await updates.next()
        search.query = box.query(Property<Memo, Int>("starz") == 3)
        let error = await #expect(throws: DaybookError.self) { _ = try await updates.next() }
        #expect(error?.code == .invalidArgument)
        #expect(try await updates.next() == nil)
    }

    @Test func `a query of another store replaces all objects`() async throws {
        try put([Memo(text: "a", stars: 1)])
        let other = try await Store(
            directoryPath: "memory:exchange-\(UUID().uuidString)", entities: Memo.self)
        let others = other.box(for: Memo.self)
        try await others.put(Memo(text: "other", stars: 1))
        let search = ExchangeableQuery(box.query())
        var updates = search.updates().makeAsyncIterator()
        _ = try await updates.next()
        search.query = others.query()
        let change = try changes(try await updates.next())
        #expect(change.deletions == [0] && change.insertions == [0])
        #expect(change.objects.map(\.text) == ["other"])
        try await other.close()
        #expect(try await updates.next() == nil)
    }

    /// Follows the updates until the result has 41 objects and ends with "z". Returns the result;
    /// nil if a change did not apply to exactly the result before.
    private func follow(_ search: ExchangeableQuery<Memo>) async throws -> [Memo]? {
        var updates = search.updates().makeAsyncIterator()
        var shown = try await updates.next()?.objects ?? []
        while shown.last?.text != "z" || shown.count != 41 {
            let change = try changes(try await updates.next())
            let gone = Set(change.deletions)
            let rest = shown.indices.filter { !gone.contains($0) }.map { shown[$0].id }
            let new = Set(change.insertions)
            let kept = change.objects.indices.filter { !new.contains($0) }
            guard Set(kept.map { change.objects[$0].id }) == Set(rest) else { return nil }
            shown = change.objects
        }
        return shown
    }

    private func write(_ search: ExchangeableQuery<Memo>, last: Query<Memo>) async throws {
        for number in 0..<60 {
            try await box.put(Memo(text: "\(number % 7)-\(number)", stars: number % 3))
            if number % 3 == 0 { _ = try await box.query { $0.stars == 0 }.remove() }
            search.query = box.query { $0.stars < number % 3 }.offset(number % 4)
        }
        for number in 0..<20 { try await box.put(Memo(text: "n\(number)", stars: 9)) }
        search.query = last
        try await box.put(Memo(text: "z", stars: 9))
    }

    @Test(.timeLimit(.minutes(30)))
    func `exchanges beside writers end with the result of the last query`() async throws {
        let search = ExchangeableQuery(box.query().ordered(by: \.text).limit(10))
        let last = box.query { $0.stars > 1 }.ordered(by: \.text)
        async let shown = follow(search)
        try await write(search, last: last)
        #expect(try await shown == (try await last.find()))
    }
}
