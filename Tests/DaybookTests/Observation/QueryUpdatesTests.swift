@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

extension Memo {
    fileprivate static var nowhere: Property<Memo, Int> { Property("nowhere") }
}

@Suite struct QueryUpdatesTests {
    private let store: Store
    private let box: Box<Memo>

    init() throws {
        store = try Store(
            directoryPath: "memory:updates-\(UUID().uuidString)", entities: Memo.self)
        box = store.box()
    }

    /// Puts objects on this thread, as a blocking caller does.
    private func put(_ memos: [Memo]) throws { try box.put(memos) }

    private func texts(_ update: QueryUpdate<Memo>?) -> [String]? { update?.objects.map(\.text) }

    private func changes(_ update: QueryUpdate<Memo>?) throws -> ChangeSet<Memo> {
        guard case .update(let changes)? = update else { throw Refusal(number: 1) }
        return changes
    }

    @Test func `the result is delivered first, then its changes`() async throws {
        try put(["a", "b", "c"].map { Memo(text: $0, stars: 1) })
        let ids: [Id] = [1, 2, 3]
        var updates = box.query { $0.stars == 1 }.ordered(by: \.text).updates()
            .makeAsyncIterator()
        #expect(texts(try await updates.next()) == ["a", "b", "c"])
        try await store.write {
            try box.remove(ids[0])
            try box.put(Memo(text: "bb", stars: 1))
            guard var last = try box.get(ids[2]) else { throw Refusal(number: 2) }
            last.text = "C"
            try box.put(last)
        }
        let update = try changes(try await updates.next())
        #expect(update.objects.map(\.text) == ["b", "bb", "C"])
        #expect(update.deletions == [0])
        #expect(update.insertions == [1])
        #expect(update.modifications == [2])
        #expect(update.moves.isEmpty)
        var first = try #require(try await box.get(ids[1]))
        first.text = "z"
        try put([first])
        let moved = try changes(try await updates.next())
        #expect(moved.objects.map(\.text) == ["bb", "C", "z"])
        #expect(moved.moves == [ChangeSet<Memo>.Move(from: 0, to: 2)])
        #expect(moved.modifications.isEmpty && moved.deletions.isEmpty)
    }

    @Test func `an update changes the array of the update before, unless the program keeps it`()
        async throws
    {
        try put((0..<1000).map { Memo(text: "memo \($0)", stars: 1) })
        var updates = box.updates().makeAsyncIterator()
        var addresses: Set<Int?> = []
        var kept: [Memo] = []
        for round in 0..<6 {
            try await withUpdate(from: &updates) { objects in
                #expect(objects.count == 1000)
                if round > 0 { #expect(objects[499].stars == round + 1) }
                addresses.insert(address(of: objects))
                if round == 4 { kept = objects }
            }
            var memo = try #require(try await box.get(500))
            memo.stars = round + 2
            try put([memo])
        }
        // One array of the first five updates, and a copy for the last one.
        #expect(addresses.count == 2)
        #expect(kept[499].stars == 5)
    }

    /// Calls `body` with the next result, which is released before this returns.
    private func withUpdate(
        from updates: inout QueryUpdates<Memo>.Iterator, _ body: ([Memo]) -> Void
    ) async throws {
        let update = try #require(try await updates.next())
        body(update.objects)
    }

    private func address(of objects: [Memo]) -> Int? {
        // SAFETY: the address is compared, and never used.
        unsafe objects.withUnsafeBufferPointer { unsafe $0.baseAddress.map { Int(bitPattern: $0) } }
    }

    @Test func `commits that do not change the result are not delivered`() async throws {
        var updates = box.query { $0.stars > 3 }.updates().makeAsyncIterator()
        #expect(texts(try await updates.next()) == [])
        for number in 0..<5 { try put([Memo(text: "\(number)", stars: 2)]) }
        try put([Memo(text: "good", stars: 5)])
        let update = try changes(try await updates.next())
        #expect(update.objects.map(\.text) == ["good"])
        #expect(update.insertions == [0])
    }

    @Test func `a slow loop receives many commits at once`() async throws {
        var updates = box.updates().makeAsyncIterator()
        #expect(texts(try await updates.next()) == [])
        for number in 0..<20 { try put([Memo(text: "\(number)", stars: nil)]) }
        var count = 0
        var result: [Memo] = []
        // Each update leads from the last delivered state to a later one.
        while result.count < 20 {
            let update = try changes(try await updates.next())
            #expect(update.insertions == Array(result.count..<update.objects.count))
            result = update.objects
            count += 1
        }
        #expect(count <= 20)
        #expect(result.map(\.text) == (0..<20).map { "\($0)" })
    }

    @Test func `a loop that runs beside many writers ends with the final state`() async throws {
        let query = box.query { $0.stars > 0 }.ordered(by: \.text)
        let box = box
        let results = try await withThrowingTaskGroup(of: [Memo].self) { group in
            for follower in 0..<3 {
                group.addTask {
                    let query = follower == 2 ? query.limit(100) : query
                    var result: [Memo] = []
                    for try await update in query.updates() {
                        result = update.objects
                        if result.last?.text == "z", result.count == 81 { break }
                    }
                    return result
                }
            }
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<30 {
                        let memo = Memo(text: "\(writer)-\(number)", stars: number % 3)
                        try await box.put(memo)
                    }
                    return []
                }
            }
            group.addTask {
                try await box.put(Memo(text: "z", stars: 1))
                return []
            }
            var results: [[Memo]] = []
            for try await result in group where !result.isEmpty { results.append(result) }
            return results
        }
        let wanted = try await query.find()
        #expect(wanted.count == 81)
        #expect(results == [wanted, wanted, wanted])
    }

    @Test func `a limited query delivers the first objects after any insertions and removals`()
        async throws
    {
        try put((0..<100).map { Memo(text: String(1000 + $0), stars: $0) })
        var updates = box.query().ordered(by: \.text).limit(3).updates()
            .makeAsyncIterator()
        #expect(texts(try await updates.next()) == ["1000", "1001", "1002"])
        try await box.query { $0.stars < 60 }.remove()
        let update = try changes(try await updates.next())
        #expect(update.objects.map(\.text) == ["1060", "1061", "1062"])
        #expect(update.deletions == [0, 1, 2] && update.insertions == [0, 1, 2])
        try put([Memo(text: "0", stars: 0)])
        let next = try changes(try await updates.next())
        #expect(next.objects.map(\.text) == ["0", "1060", "1061"])
        #expect(next.deletions == [2] && next.insertions == [0])
    }

    @Test func `only changes of watched properties are reported as modifications`() async throws {
        var memo = Memo(text: "a", stars: 1)
        memo.id = try await box.put(memo)
        var updates = box.query().watching(\.stars).updates().makeAsyncIterator()
        #expect(texts(try await updates.next()) == ["a"])
        memo.text = "b"
        try put([memo])
        memo.stars = 2
        try put([memo])
        var update = try changes(try await updates.next())
        #expect(update.modifications == [0])
        #expect(update.objects == [memo])
        memo.text = "c"
        try put([memo])
        try put([Memo(text: "d", stars: 0)])
        update = try changes(try await updates.next())
        #expect(update.modifications == [])
        #expect(update.insertions == [1])
    }

    @Test func `updates end with the store, and with the task`() async throws {
        let (box, store) = (box, store)
        var updates = box.updates().makeAsyncIterator()
        _ = try await updates.next()
        let begun = Events<Int>()
        let cancelled = Task {
            var count = 0
            for try await _ in box.updates() {
                count += 1
                begun.add(count)
            }
            return count
        }
        #expect(await begun.next() == 1)
        cancelled.cancel()
        #expect(try await cancelled.value == 1)
        try await store.close()
        #expect(try await updates.next() == nil)
        #expect(try await updates.next() == nil)
        var late = box.updates().makeAsyncIterator()
        let error = await #expect(throws: DaybookError.self) { _ = try await late.next() }
        #expect(error?.code == .closed)
    }

    @Test func `a query may report one's own commits before they are synced`() async throws {
        var options = StoreOptions()
        options.durability = .manual
        let store = try await Store(
            directoryPath: "memory:updates-\(UUID().uuidString)", entities: Memo.self,
            options: options)
        let box = store.box(for: Memo.self)
        let query = box.query { $0.stars > 3 }
        var early = query.includingUnsynced().updates().makeAsyncIterator()
        var late = query.updates().makeAsyncIterator()
        #expect(texts(try await early.next()) == [])
        #expect(texts(try await late.next()) == [])
        for text in ["a", "b"] {
            _ = try await box.put(Memo(text: text, stars: 4))
            #expect(texts(try await early.next())?.last == text)
        }
        try await store.sync()
        #expect(texts(try await late.next()) == ["a", "b"])
        try await store.close()
        #expect(try await early.next() == nil)
    }

    @Test func `an invalid query throws immediately`() async throws {
        let view = try await store.view().box(for: Memo.self)
        let wrong: [QueryUpdates<Memo>] = [
            view.query().updates(),
            box.query(Property<Memo, Int>("starz") == 3).updates(),
            box.query().watching(\.nowhere).updates(),
            box.query().limit(-1).updates(),
        ]
        for updates in wrong {
            let error = await #expect(throws: DaybookError.self) {
                for try await _ in updates { break }
            }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test func `queries over links are notified of changes to linked objects`() async throws {
        let store = try RelationStore()
        let ada = Customer("Ada")
        try await store.orders.put([Order("pen", customer: ada), Order("ink", customer: ada)])
        let query = store.orders.query { $0.customer.name == "Ada" }
        var updates = query.updates().makeAsyncIterator()
        #expect(try await updates.next()?.objects.map(\.summary) == ["pen", "ink"])
        try await store.customers.put(Customer("Bob"))
        ada.name = "Eve"
        try await store.customers.put(ada)
        guard case .update(let update)? = try await updates.next() else {
            Issue.record("nothing was delivered")
            return
        }
        #expect(update.deletions == [0, 1])
        #expect(update.objects.isEmpty)
    }
}
