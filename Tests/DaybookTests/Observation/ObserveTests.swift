@testable import Daybook
import DaybookObjectBox
import DaybookRealm
import DaybookTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

/// An object that cannot be created from some values.
private struct Brittle: Entity, Equatable {
    var id: Id = 0
    var text: String

    init(_ text: String, id: Id = 0) {
        self.text = text
        self.id = id
    }

    static let entityDescription = EntityDescription("Brittle", [.property("text", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> Brittle {
        let text: String = try row.read(0)
        guard text != "broken" else { throw Refusal(number: 5) }
        return Brittle(text, id: row.id)
    }
    func encode(into row: inout RowWriter) throws { try row.write(text, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// Blocks a queue's thread until it is opened.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }
    func open() { semaphore.signal() }
}

/// Holds a value that is created after its users.
private final class Kept<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)

    var value: Value? { content.withLock { $0 } }
    func keep(_ value: Value?) {
        // Release outside the lock.
        let old = content.withLock { content in
            defer { content = value }
            return content
        }
        withExtendedLifetime(old) {}
    }
}

@Suite struct ObserveTests {
    private let store: Store
    private let box: Box<Brittle>
    private let queue = DispatchQueue(label: "observers")

    init() throws {
        store = try Store(
            directoryPath: "memory:observe-\(UUID().uuidString)", entities: Brittle.self)
        box = store.box()
    }

    @discardableResult
    private func put(_ text: String, id: Id = 0) throws -> Id { try box.put(Brittle(text, id: id)) }

    private func story(_ change: RealmCollectionChange<[Brittle]>) -> String {
        switch change {
        case .initial(let objects): return "initial \(objects.map(\.text))"
        case .update(let objects, let deletions, let insertions, let modifications):
            return "\(objects.map(\.text)) \(deletions) \(insertions) \(modifications)"
        case .error(let error): return "error \(error)"
        }
    }

    @Test func `a box delivers change sets of all its objects`() async throws {
        let events = Events<String>()
        let a = try put("a")
        let token = box.observe(on: queue) { events.add(story($0)) }
        #expect(await events.next() == #"initial ["a"]"#)
        try put("b")
        #expect(await events.next() == #"["a", "b"] [] [1] []"#)
        try put("A", id: a)
        #expect(await events.next() == #"["A", "b"] [] [] [0]"#)
        try await box.remove(a)
        #expect(await events.next() == #"["b"] [0] [] []"#)
        token.invalidate()
        #expect(token.error == nil)
    }

    /// The subscription continued with indexes of a result that was never delivered, and trapped.
    @Test func `a subscription to an object that cannot be created ends with the reason`()
        async throws
    {
        let (early, late) = (Events<String>(), Events<String>())
        let a = try put("a")
        try put("b")
        let lateToken = box.observe(on: queue) { late.add(story($0)) }
        #expect(await late.next() == #"initial ["a", "b"]"#)
        try put("broken", id: a)
        #expect(await late.next() == "error Refusal(number: 5)")
        #expect(lateToken.error?.code == .invalidValue)
        #expect(lateToken.error?.cause as? Refusal == Refusal(number: 5))
        let earlyToken = box.observe(on: queue) { early.add(story($0)) }
        #expect(await early.next() == "error Refusal(number: 5)")
        #expect(earlyToken.error?.code == .invalidValue)
        for number in 0..<5 { try put("\(number)") }
        try await box.removeAll()
        // A later subscriber is called after all of these calls.
        let last = Events<String>()
        let other = box.observe(on: queue) { last.add(story($0)) }
        #expect(await last.next() == "initial []")
        try put("c")
        #expect(await last.next() == #"["c"] [] [0] []"#)
        #expect(early.all.count == 1 && late.all.count == 2)
        #expect(other.error == nil)
    }

    /// Calls arrived in any order, and indexes belonged to another result.
    @Test func `calls are serialized on a concurrent queue`() async throws {
        let concurrent = DispatchQueue(label: "observers", attributes: .concurrent)
        let (results, calls) = (Events<Int>(), Events<Int>())
        let known = Mutex<[String]>([])
        try await confirmation(expectedCount: 0) { isWrong in
            let token = box.observe(on: concurrent) { change in
                known.withLock { known in
                    switch change {
                    case .initial(let objects): known = objects.map(\.text)
                    case .update(let objects, let deletions, let insertions, _):
                        for place in deletions.reversed() { known.remove(at: place) }
                        for place in insertions { known.insert(objects[place].text, at: place) }
                        if known != objects.map(\.text) { isWrong() }
                    case .error: isWrong()
                    }
                    results.add(known.count)
                }
            }
            let isCalled = Mutex(false)
            let observer = box.subscribe(dispatchQueue: concurrent) {
                if isCalled.withLockIfAvailable({ _ in calls.add(1) }) == nil { isWrong() }
            }
            for number in 0..<40 { try put("\(number)") }
            while let count = await results.next(), count < 40 {}
            for _ in 0..<41 { #expect(await calls.next() == 1) }
            withExtendedLifetime((token, observer)) {}
        }
    }

    @Test func `a slow subscriber receives many commits at once`() async throws {
        let (events, gate) = (Events<String>(), Gate())
        let token = box.observe(on: queue) { change in
            events.add(story(change))
            gate.wait()
        }
        #expect(await events.next() == "initial []")
        for number in 0..<20 { try put("\(number)") }
        // All commits are read now, and none is delivered.
        try #require(store.box(for: Brittle.self).types.liveQueries).catchUp()
        gate.open()
        #expect(
            await events.next() == "\((0..<20).map { "\($0)" }) [] \(Array(0..<20)) []")
        gate.open()
        #expect(events.all.count == 2)
        token.invalidate()
    }

    @Test func `a handler may end its subscription, and begin others`() async throws {
        let events = Events<String>()
        let (first, second) = (Kept<DaybookObjectBox.Observer>(), Kept<NotificationToken>())
        let box = box
        let queue = queue
        first.keep(
            box.subscribe(dispatchQueue: queue, flags: []) {
                events.add("first")
                // Releases the last reference to the subscription.
                first.value?.unsubscribe()
                first.keep(nil)
                second.keep(
                    box.observe(on: queue) { change in
                        guard case .update = change else { return events.add("second") }
                        events.add("update")
                        second.value?.invalidate()
                        second.keep(nil)
                    })
            })
        try put("a")
        #expect(await events.next() == "first")
        #expect(await events.next() == "second")
        try put("b")
        #expect(await events.next() == "update")
        try put("c")
        let last = Events<Int>()
        let observer = box.subscribe(dispatchQueue: queue, flags: []) { last.add(1) }
        try put("d")
        #expect(await last.next() == 1)
        #expect(events.all == ["first", "second", "update"])
        withExtendedLifetime(observer) {}
    }

    @Test func `a subscription that ends before its first call is not called`() async throws {
        let events = Events<Int>()
        let gate = Gate()
        queue.async { gate.wait() }
        let observers = [
            box.subscribe(dispatchQueue: queue) { events.add(1) },
            box.subscribe(dispatchQueue: queue, flags: [.sendInitial, .dontSubscribe]) {
                events.add(2)
            },
            box.query().subscribe(dispatchQueue: queue) { events.add(3) },
            box.query(Daybook.Property<Brittle, Int>("nowhere") == 1).subscribe(
                dispatchQueue: queue
            ) {
                _, _ in events.add(4)
            },
        ]
        let token = box.observe(on: queue) { _ in events.add(5) }
        for observer in observers { observer.unsubscribe() }
        token.invalidate()
        let last = Events<Int>()
        let contiguous = box.subscribeContiguous(dispatchQueue: queue) { objects, error in
            last.add(error == nil ? objects.count : -1)
        }
        gate.open()
        #expect(await last.next() == 0)
        try put("a")
        #expect(await last.next() == 1)
        #expect(events.all == [])
        withExtendedLifetime(contiguous) {}
    }

    @Test(.timeLimit(.minutes(30)))
    func `ended subscriptions retain no object`() async throws {
        final class Token: Sendable {
            let gone: Events<Int>
            init(_ gone: Events<Int>) { self.gone = gone }
            deinit { gone.add(1) }
        }
        let queries = try #require(box.types.liveQueries)
        let gone = Events<Int>()
        do {
            let token = Token(gone)
            let events = Events<Int>()
            let observer = box.subscribe(dispatchQueue: queue) {
                withExtendedLifetime(token) { events.add(1) }
            }
            let realmToken = box.observe(on: queue) { _ in
                withExtendedLifetime(token) { events.add(1) }
            }
            for _ in 0..<2 { #expect(await events.next() == 1) }
            try put("a")
            for _ in 0..<2 { #expect(await events.next() == 1) }
            #expect(queries.listenerCount == 2)
            withExtendedLifetime((observer, realmToken)) {}
        }
        // A running call on one of the queues ends soon.
        #expect(await gone.next() == 1)
        #expect(queries.listenerCount == 0)
    }

    @Test func `a query without a subscriber stops`() throws {
        try box.put((0..<10_000).map { Brittle("\($0)") })
        let query = box.query(Daybook.Property<Brittle, String>("text").contains("9"))
        let source = try ResultSource(query) {}
        #expect(try source.begin().count == 3439)
        source.interrupt()
        expectError(.interrupted) { _ = try source.begin() }
    }

    @Test func `updates stop listening when their loop ends or is cancelled`() async throws {
        let queries = try #require(box.types.liveQueries)
        let box = box
        for try await _ in box.updates() { break }
        #expect(queries.listenerCount == 0)
        let begun = Events<Int>()
        let task = Task {
            for try await _ in box.updates() { begun.add(1) }
        }
        #expect(await begun.next() == 1)
        #expect(queries.listenerCount == 1)
        task.cancel()
        try await task.value
        #expect(queries.listenerCount == 0)
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            var updates = box.updates().makeAsyncIterator()
            return try await updates.next() == nil
        }
        late.cancel()
        #expect(try await late.value)
    }
}
