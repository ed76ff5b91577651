@testable import Daybook
import DaybookObjectBox
import DaybookTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

/// The last reports to observers of a store that closes.
@Suite struct ClosingTests {
    private let queue = DispatchQueue(label: "closing-tests")

    private func store(_ durability: Durability = .always) throws -> Store {
        var options = StoreOptions()
        options.durability = durability
        return try Store(
            directoryPath: "memory:closing-\(UUID().uuidString)", entities: Memo.self,
            options: options)
    }

    @Test(arguments: [Durability.always, .manual])
    func `the commit before a close is the last update`(durability: Durability) async throws {
        let store = try store(durability)
        let box = store.box(for: Memo.self)
        let id: Id = try await box.put(Memo(text: "a", stars: 1))
        try await store.sync()
        var updates = box.query { $0.stars > 0 }.updates().makeAsyncIterator()
        var objects = box.values(of: id).makeAsyncIterator()
        var counts = store.values(observing: [Memo.self]) { try box.count() }.makeAsyncIterator()
        var same = store.values(observing: [Memo.self]) { try box.count() > 0 }
            .removingDuplicates().makeAsyncIterator()
        #expect(try await updates.next()?.objects.count == 1)
        #expect(try await objects.next()?.object?.text == "a")
        #expect(try await counts.next() == 1)
        #expect(try await same.next() == true)
        var memo = Memo(text: "b", stars: 1)
        memo.id = id
        let changed = memo
        try await store.write {
            try box.put([changed, Memo(text: "c", stars: 2)])
        }
        try await store.close()
        guard case .update(let change)? = try await updates.next() else {
            Issue.record("the last commit is missing")
            return
        }
        #expect(change.objects.map(\.text) == ["b", "c"])
        #expect(change.modifications == [0] && change.insertions == [1])
        #expect(try await objects.next()?.object?.text == "b")
        #expect(try await counts.next() == 2)
        #expect(try await updates.next() == nil)
        #expect(try await objects.next() == nil)
        #expect(try await counts.next() == nil)
        // An equal value is not repeated, at the end neither.
        #expect(try await same.next() == nil)
    }

    @Test(.timeLimit(.minutes(30)))
    func `a subscription receives the commit before a close, then the close`() async throws {
        let store = try store()
        let box = store.box(for: Memo.self)
        let events = [Events<String>(), Events<String>()]
        let observers = [
            box.subscribe(dispatchQueue: queue) { events[0].add("change") },
            box.query { $0.stars == 1 }.subscribe(dispatchQueue: queue) { events[1].add("change") },
        ]
        for (observer, events) in zip(observers, events) {
            observer.whenClosed { events.add("close") }
            #expect(await events.next() == "change")
        }
        try await box.put(Memo(text: "a", stars: 1))
        try await store.close()
        for (observer, events) in zip(observers, events) {
            #expect(await events.next() == "change")
            #expect(await events.next() == "close")
            #expect(observer.error == nil)
            observer.whenClosed { events.add("late") }
            #expect(await events.next() == "late")
        }
        queue.sync {}
        #expect(events.map(\.all.count) == [4, 4])
    }

    @Test(.timeLimit(.minutes(30)))
    func `a subscription that ended before does not receive the close`() async throws {
        let store = try store()
        let box = store.box(for: Memo.self)
        let (early, last) = (Events<Int>(), Events<Int>())
        let ended = box.subscribe(dispatchQueue: queue, flags: []) {}
        ended.whenClosed { early.add(1) }
        ended.unsubscribe()
        ended.whenClosed { early.add(2) }
        let failed = box.query(Daybook.Property<Memo, Int>("starz") == 3)
            .subscribe(dispatchQueue: queue) {}
        failed.whenClosed { early.add(3) }
        let observer = box.subscribe(dispatchQueue: queue, flags: []) {}
        observer.whenClosed { last.add(1) }
        try await store.close()
        #expect(await last.next() == 1)
        queue.sync {}
        #expect(early.all == [])
    }

    @Test(.timeLimit(.minutes(30)))
    func `a value that closes the store again while the store closes is delivered`() async throws {
        let store = try store()
        let box = store.box(for: Memo.self)
        let isClosing = Atomic(false)
        var values = store.values(observing: [Memo.self]) {
            let count = try box.count()
            if isClosing.load(ordering: .relaxed) { store.close() }
            return count
        }.makeAsyncIterator()
        #expect(try await values.next() == 0)
        try await box.put(Memo(text: "a", stars: 1))
        isClosing.store(true, ordering: .relaxed)
        try await store.close()
        #expect(try await values.next() == 1)
        #expect(try await values.next() == nil)
    }

    @Test func `a close inside a transaction is refused, and observers continue`() async throws {
        let store = try store()
        let box = store.box(for: Memo.self)
        var updates = box.updates().makeAsyncIterator()
        _ = try await updates.next()
        try await store.write {
            try box.put(Memo(text: "a", stars: 1))
            store.close()
            #expect(store.maintenanceError?.code == .invalidArgument)
            expectError(.invalidArgument) { try store.closeAndDeleteAllFiles() }
        }
        #expect(try await updates.next()?.objects.count == 1)
        try await store.close()
        #expect(try await updates.next() == nil)
    }
}
