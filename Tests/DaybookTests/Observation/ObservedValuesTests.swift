@testable import Daybook
import DaybookBytes
@testable import DaybookQuery
import DaybookTestSupport
import Foundation
import Testing

/// Values that a closure computes from the store, after each commit that changes an observed
/// entity.
@Suite struct ObservedValuesTests {
    let store: Store
    let memos: Box<Memo>
    let notes: Box<Note>
    /// The runs of closures.
    let runs = Events<Int>()

    init() throws {
        store = try Store(
            directoryPath: "memory:values-\(UUID().uuidString)", entities: Memo.self, Note.self)
        memos = store.box()
        notes = store.box()
    }

    func put(_ text: String, stars: Int = 1) throws {
        try memos.put(Memo(text: text, stars: stars))
    }

    func putNote(_ text: String) throws { try notes.put(Note(text: text)) }

    /// The numbers of memos and notes, observed in some entities.
    func counts(
        _ entities: [any Entity.Type] = [Memo.self, Note.self]
    ) -> ObservedValues<[Int]> {
        let (memos, notes, runs) = (memos, notes, runs)
        return store.values(observing: entities) {
            runs.add(runs.all.count + 1)
            return [try memos.count(), try notes.query().count()]
        }
    }

    /// Delivers the notices of all commits so far.
    func catchUp() throws { try #require(store.types.liveQueries).catchUp() }

    @Test func `the value is delivered first, then after each change`() async throws {
        try put("a")
        var values = counts().makeAsyncIterator()
        #expect(runs.all == [])
        #expect(try await values.next() == [1, 0])
        try put("b")
        #expect(try await values.next() == [2, 0])
        try putNote("n")
        #expect(try await values.next() == [2, 1])
        #expect(runs.all == [1, 2, 3])
        var others = counts().makeAsyncIterator()
        #expect(try await others.next() == [2, 1])
    }

    @Test func `a commit to another entity computes nothing`() async throws {
        let values = counts([Memo.self])
        let task = Task {
            var found: [[Int]] = []
            for try await value in values {
                found.append(value)
                if value[0] == 2 { break }
            }
            return found
        }
        #expect(await runs.next() == 1)
        for text in ["1", "2", "3"] {
            try putNote(text)
            try catchUp()
        }
        try put("a")
        #expect(await runs.next() == 2)
        try put("b")
        #expect(try await task.value == [[0, 0], [1, 3], [2, 3]])
        #expect(runs.all == [1, 2, 3])
    }

    @Test func `only commits to observed entities are due`() async throws {
        let queries = try #require(store.types.liveQueries)
        let entity = try #require(store.types[Memo.self]).entity
        let wakes = Events<Int>()
        let commits = try ObservedCommits(of: [entity], queries, finish: {}) { wakes.add(1) }
        try putNote("n")
        try put("a")
        #expect(await wakes.next() == 1)
        let sequence = try store.sequence
        #expect(try commits.isDue(after: sequence - 1))
        #expect(try !commits.isDue(after: sequence))
        try putNote("m")
        try catchUp()
        #expect(try !commits.isDue(after: sequence))
        #expect(wakes.all.count == 1)
    }

    @Test func `a transaction with several entities computes one value`() async throws {
        var values = counts().makeAsyncIterator()
        #expect(try await values.next() == [0, 0])
        try await store.write {
            try put("a")
            try put("b")
            try putNote("n")
        }
        #expect(try await values.next() == [2, 1])
        try putNote("m")
        #expect(try await values.next() == [2, 2])
        #expect(runs.all.count == 3)
    }

    @Test func `without entities every commit counts`() async throws {
        var values = counts([]).makeAsyncIterator()
        #expect(try await values.next() == [0, 0])
        try put("a")
        #expect(try await values.next() == [1, 0])
        try putNote("n")
        #expect(try await values.next() == [1, 1])
    }

    @Test func `links from and to objects of an observed entity count`() async throws {
        let store = try RelationStore()
        let (orders, customers) = (store.orders, store.customers)
        let ada = Customer("Ada")
        try await customers.put(ada)
        let adaId = ada.id
        var forward = store.store.values(observing: [Order.self]) {
            try orders.query { $0.customer.name == "Ada" }.count()
        }.makeAsyncIterator()
        var backward = store.store.values(observing: [Customer.self]) {
            try customers.get(adaId)?.orders.map(\.summary)
        }.makeAsyncIterator()
        #expect(try await forward.next() == 0)
        #expect(try await backward.next() == [])
        let pen = Order("pen", customer: ada)
        try await orders.put(pen)
        #expect(try await forward.next() == 1)
        #expect(try await backward.next() == ["pen"])
        pen.customer.target = nil
        try await orders.put(pen)
        #expect(try await forward.next() == 0)
        #expect(try await backward.next() == [])
        let ink = Order("ink", customer: ada)
        try await orders.put(ink)
        #expect(try await backward.next() == ["ink"])
        try await orders.remove(ink)
        #expect(try await backward.next() == [])
    }

    @Test func `a closure may return objects of a class`() async throws {
        let store = try RelationStore()
        let orders = store.orders
        var values = store.store.values(observing: [Order.self]) {
            try orders.query().ordered(by: \.summary).find()
        }.makeAsyncIterator()
        #expect(try await values.next()?.map(\.summary) == [])
        try await orders.put([Order("pen"), Order("ink")])
        #expect(try await values.next()?.map(\.summary) == ["ink", "pen"])
    }

    @Test func `all reads of a value see one version, beside many writers`() async throws {
        let (store, memos, notes, values) = (store, memos, notes, counts())
        let total = 80
        let found = try await withThrowingTaskGroup(of: [[Int]].self) { group in
            group.addTask {
                var found: [[Int]] = []
                for try await value in values {
                    found.append(value)
                    if value[0] == total { break }
                }
                return found
            }
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<total / 4 {
                        try await store.write {
                            try memos.put(Memo(text: "\(writer) \(number)", stars: 1))
                            try notes.put(Note(text: "\(writer) \(number)"))
                        }
                    }
                    return []
                }
            }
            return try await group.reduce(into: [[Int]]()) { $0 += $1 }
        }
        #expect(found.last == [total, total])
        #expect(found.allSatisfy { $0[0] == $0[1] })
        #expect(zip(found, found.dropFirst()).allSatisfy { $0[0] < $1[0] })
    }

    @Test func `a commit between two reads of a value is not visible to the second`() async throws {
        let (memos, notes, runs) = (memos, notes, runs)
        var values = store.values(observing: [Memo.self, Note.self]) {
            runs.add(1)
            let memoCount = try memos.count()
            if runs.all.count == 1 {
                try onThreads(1) { _ in
                    try memos.put(Memo(text: "a", stars: 1))
                    try notes.put(Note(text: "a"))
                }
            }
            return [memoCount, try notes.count(), try notes.query().count()]
        }.makeAsyncIterator()
        #expect(try await values.next() == [0, 0, 0])
        #expect(try await values.next() == [1, 1, 1])
    }

    @Test func `commits that a busy consumer misses are combined`() async throws {
        var values = counts().makeAsyncIterator()
        #expect(try await values.next() == [0, 0])
        for number in 0..<20 { try put("\(number)") }
        try catchUp()
        #expect(try await values.next() == [20, 0])
        try putNote("n")
        #expect(try await values.next() == [20, 1])
        #expect(runs.all == [1, 2, 3])
    }

    @Test func `equal values are removed on request`() async throws {
        let (memos, runs) = (memos, runs)
        let values = store.values(observing: [Memo.self]) {
            runs.add(runs.all.count + 1)
            return try memos.query { $0.stars > 3 }.count()
        }.removingDuplicates()
        let task = Task {
            var found: [Int] = []
            for try await value in values {
                found.append(value)
                if value == 2 { break }
            }
            return found
        }
        #expect(await runs.next() == 1)
        for number in 2...4 {
            try put("low")
            #expect(await runs.next() == number)
        }
        try put("high", stars: 4)
        #expect(await runs.next() == 5)
        try put("low")
        #expect(await runs.next() == 6)
        try put("high", stars: 5)
        #expect(try await task.value == [0, 1, 2])
    }

    /// A store whose commits are synced on request only.
    private func manualStore() throws -> Store {
        var options = StoreOptions()
        options.durability = .manual
        return try Store(
            directoryPath: "memory:values-\(UUID().uuidString)", entities: Memo.self,
            options: options)
    }

    @Test func `values may follow commits before they are synced`() async throws {
        let store = try manualStore()
        let box = store.box(for: Memo.self)
        let values = store.values(observing: [Memo.self]) { try box.count() }
        var early = values.includingUnsynced().makeAsyncIterator()
        var late = values.makeAsyncIterator()
        #expect(try await early.next() == 0)
        #expect(try await late.next() == 0)
        let queries = try #require(store.types.liveQueries)
        let commits = try ObservedCommits(of: nil, queries, finish: {}) {}
        for count in 1...2 {
            try await box.put(Memo(text: "a", stars: 1))
            #expect(try await early.next() == count)
        }
        queries.catchUp()
        #expect(try !commits.isDue(after: 0))
        try await store.sync()
        #expect(try await late.next() == 2)
        try await store.close()
        #expect(try await early.next() == nil)
        #expect(try await late.next() == nil)
    }

    @Test func `a commit that the value contains already computes nothing`() async throws {
        let (store, runs) = (try manualStore(), runs)
        let box = store.box(for: Memo.self)
        try await box.put(Memo(text: "a", stars: 1))
        let values = store.values(observing: [Memo.self]) {
            runs.add(runs.all.count + 1)
            return try box.count()
        }
        let task = Task {
            var found: [Int] = []
            for try await value in values {
                found.append(value)
                if value == 2 { break }
            }
            return found
        }
        // The first value contains the commit, which is reported after the sync.
        #expect(await runs.next() == 1)
        try await store.sync()
        try #require(store.types.liveQueries).catchUp()
        for _ in 0..<1000 { await Task.yield() }
        try await box.put(Memo(text: "b", stars: 1))
        try await store.sync()
        #expect(try await task.value == [1, 2])
        #expect(runs.all == [1, 2])
    }
}
