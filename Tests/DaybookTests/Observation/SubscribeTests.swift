import DaybookBytes
@testable import Daybook
import DaybookObjectBox
@testable import DaybookQuery
import DaybookRealm
import DaybookTestSupport
import Dispatch
import Foundation
import Testing

@Suite struct SubscribeTests {
    private let store: Store
    private let box: Box<Memo>
    private let queue = DispatchQueue(label: "subscribers")

    init() throws {
        store = try Store(
            directoryPath: "memory:subscribe-\(UUID().uuidString)", entities: Memo.self, Note.self)
        box = store.box()
    }

    private func put(_ text: String) throws { try box.put(Memo(text: text, stars: 1)) }

    @Test func `a box notifies at the beginning, and after each commit that changes its type`()
        async throws
    {
        let events = Events<Int>()
        let observer = box.subscribe(dispatchQueue: queue) { objects, error in
            events.add(error == nil ? objects.count : -1)
        }
        #expect(await events.next() == 0)
        try put("a")
        #expect(await events.next() == 1)
        // Commits to another type, empty commits and failing ones.
        try await store.box(for: Note.self).put(Note(text: "n"))
        try await box.put([Memo]())
        await #expect(throws: Refusal.self) {
            try await store.write {
                try put("never")
                throw Refusal()
            }
        }
        try await store.write {
            try put("b")
            try put("c")
        }
        #expect(await events.next() == 3)
        observer.unsubscribe()
        try put("d")
        let last = Events<Int>()
        let other = box.subscribe(dispatchQueue: queue, flags: []) { last.add(1) }
        try put("e")
        #expect(await last.next() == 1)
        #expect(events.all == [0, 1, 3])
        #expect(other.error == nil && observer.error == nil)
    }

    @Test func `a box delivers each commit once, in order`() async throws {
        let events = Events<Int>()
        let observer = box.subscribe(dispatchQueue: queue, flags: []) { events.add(0) }
        for number in 0..<10 { try put("\(number)") }
        for _ in 0..<10 { #expect(await events.next() == 0) }
        withExtendedLifetime(observer) {}
        #expect(events.all.count == 10)
    }

    @Test func `a subscription ends when it is released`() async throws {
        let events = Events<Int>()
        var observer: DaybookObjectBox.Observer? = box.subscribe(dispatchQueue: queue) {
            events.add(1)
        }
        #expect(await events.next() == 1)
        #expect(observer != nil)
        observer = nil
        try put("a")
        let last = Events<Int>()
        let other = box.subscribe(dispatchQueue: queue, flags: []) { last.add(1) }
        try put("b")
        #expect(await last.next() == 1)
        #expect(events.all == [1])
        withExtendedLifetime(other) {}
    }

    @Test func `handlers without a queue run on the main actor`() async throws {
        let model = await MainModel(box)
        await model.waitForUpdate()
        try put("a")
        while await model.memos.isEmpty { await model.waitForUpdate() }
        #expect(await model.memos.map(\.text) == ["a"])
        #expect(await model.all.map(\.text) == ["a"])
        try await box.put(Memo(text: "five", stars: 5))
        while await model.best.isEmpty { await model.waitForUpdate() }
        #expect(await model.best.map(\.text) == ["five"])
        let counts = await [model.changeCount, model.bestChangeCount]
        #expect(counts.allSatisfy { $0 > 0 })
    }

    @Test func `flags control the initial notification and later ones`() async throws {
        let (once, later) = (Events<Int>(), Events<Int>())
        let observers = [
            box.subscribe(dispatchQueue: queue, flags: [.sendInitial, .dontSubscribe]) {
                once.add(1)
            },
            box.subscribe(dispatchQueue: queue, flags: .dontSubscribe) { once.add(2) },
            box.query { $0.stars == 1 }.subscribe(
                dispatchQueue: queue, flags: [.sendInitial, .dontSubscribe]
            ) { once.add(3) },
            box.subscribe(dispatchQueue: queue, flags: []) { later.add(4) },
        ]
        #expect(await once.next() == 1)
        #expect(await once.next() == 3)
        try put("a")
        #expect(await later.next() == 4)
        #expect(once.all == [1, 3])
        #expect(observers.allSatisfy { $0.error == nil })
    }

    @Test func `a query does not notify while its result is unchanged`() async throws {
        let events = Events<[String]>()
        let query = box.query { $0.stars == 7 }
        let observer = query.subscribe(dispatchQueue: queue) { objects, error in
            events.add(error == nil ? objects.map(\.text) : ["error"])
        }
        #expect(await events.next() == [])
        try put("other")
        try await box.put(Memo(text: "seven", stars: 7))
        #expect(await events.next() == ["seven"])
        #expect(events.all.count == 2)
        withExtendedLifetime(observer) {}
    }

    @Test func `a change set in Realm's form has moves as deletions and insertions`() async throws {
        let events = Events<String>()
        var memo = Memo(text: "a", stars: 1)
        memo.id = try await box.put(memo)
        try put("b")
        let token = box.query { $0.stars == 1 }.ordered(by: \.text).observe(on: queue) { change in
            switch change {
            case .initial(let memos): events.add("initial \(memos.map(\.text))")
            case .update(let memos, let deletions, let insertions, let modifications):
                events.add("\(memos.map(\.text)) \(deletions) \(insertions) \(modifications)")
            case .error: events.add("error")
            }
        }
        #expect(await events.next() == #"initial ["a", "b"]"#)
        memo.text = "c"
        try await box.put(memo)
        #expect(await events.next() == #"["b", "c"] [0] [1] []"#)
        memo.text = "d"
        try await box.put(memo)
        #expect(await events.next() == #"["b", "d"] [] [] [1]"#)
        token.invalidate()
    }

    @Test func `a box reports that the log cannot be read`() async throws {
        let events = Events<DaybookError.Code?>()
        let observer = box.subscribe(dispatchQueue: queue, flags: []) { _, error in
            events.add(error?.code)
        }
        try put("a")
        #expect(await events.next() == .some(nil))
        store.types.liveQueries?.fail(DaybookError(.corruption, "The log is damaged."))
        #expect(await events.next() == .corruption)
        #expect(observer.error?.code == .corruption)
        try put("b")
        let last = Events<Int>()
        let other = box.subscribe(dispatchQueue: queue) { last.add(1) }
        #expect(await last.next() == 1)
        #expect(events.all == [nil, .corruption] && other.error == nil)
    }

    @Test func `an error is the last call, after the pending ones`() async {
        let events = Events<DaybookError.Code?>()
        queue.suspend()
        let calls = HandlerCalls(on: queue, while: { true }) { events.add($0?.code) }
        calls.add()
        calls.fail(DaybookError(.corruption, "The log is damaged."))
        calls.add()
        calls.fail(DaybookError(.closed, "The store is closed."))
        queue.resume()
        #expect(await events.next() == .some(nil))
        #expect(await events.next() == .corruption)
        queue.sync {}
        #expect(events.all == [nil, .corruption])
    }

    /// The handler received `.closed`.
    @Test func `a normal close is no error of a subscription`() async throws {
        var options = StoreOptions()
        options.durability = .manual
        let store = try await Store(
            directoryPath: "memory:subscribe-\(UUID().uuidString)", entities: Memo.self,
            options: options)
        let box = store.box(for: Memo.self)
        let events = Events<DaybookError.Code?>()
        let observer = box.subscribe(dispatchQueue: queue, flags: []) { _, error in
            events.add(error?.code)
        }
        // The close announces the commit when the store accepts no more reads.
        let queries = try #require(store.types.liveQueries)
        _ = store.engine.commitSignal.add { _ in queries.catchUp() }
        try await box.put(Memo(text: "a", stars: 1))
        try await store.close()
        queue.sync {}
        // The call for the commit may read the objects before the store is closed.
        #expect(events.all.allSatisfy { $0 == nil })
        #expect(observer.error == nil)
        #expect(queries.listenerCount == 0)
    }

    /// The handler received `.closed`.
    @Test func `a call that is pending at the close of the store is dropped`() async throws {
        let events = Events<DaybookError.Code?>()
        let observers = [
            box.subscribe(dispatchQueue: queue) { _, error in events.add(error?.code) },
            box.query { $0.stars == 1 }.subscribe(dispatchQueue: queue) { _, error in
                events.add(error?.code)
            },
        ]
        for _ in observers { #expect(await events.next() == .some(nil)) }
        queue.suspend()
        try put("a")
        try #require(store.types.liveQueries).catchUp()
        try await store.close()
        queue.resume()
        queue.sync {}
        #expect(events.all == [nil, nil])
        #expect(observers.allSatisfy { $0.error == nil })
    }

    @Test(.timeLimit(.minutes(30)))
    func `the end of the store releases the handlers`() async throws {
        final class Token: Sendable {
            let gone: Events<Int>
            init(_ gone: Events<Int>) { self.gone = gone }
            deinit { gone.add(1) }
        }
        let gone = Events<Int>()
        let begun = Events<Int>()
        var observers: [DaybookObjectBox.Observer] = []
        for isQuery in [false, true] {
            let token = Token(gone)
            let handler: @Sendable () -> Void = { withExtendedLifetime(token) { begun.add(1) } }
            observers.append(
                isQuery
                    ? box.query { $0.stars == 1 }.subscribe(
                        dispatchQueue: queue, flags: .sendInitial, changeHandler: handler)
                    : box.subscribe(dispatchQueue: queue, changeHandler: handler))
            #expect(await begun.next() == 1)
        }
        try await store.close()
        for _ in observers { #expect(await gone.next() == 1) }
        #expect(observers.allSatisfy { $0.error == nil })
    }

    @Test func `an impossible subscription reports the reason`() async throws {
        let events = Events<DaybookError.Code?>()
        let wrong = box.query(Daybook.Property<Memo, Int>("starz") == 3).subscribe(
            dispatchQueue: queue
        ) {
            _, error in events.add(error?.code)
        }
        #expect(await events.next() == .invalidArgument)
        #expect(wrong.error?.code == .invalidArgument)
        try await store.close()
        let late = box.subscribe(dispatchQueue: queue) { _, error in events.add(error?.code) }
        #expect(await events.next() == .closed)
        #expect(late.error?.code == .closed)
        let lateQuery = box.query { $0.stars == 1 }.subscribe(dispatchQueue: queue) { _, error in
            events.add(error?.code)
        }
        #expect(await events.next() == .closed)
        #expect(lateQuery.error?.code == .closed)
    }
}

/// Assigns results without a queue, as a view model does.
@MainActor private final class MainModel {
    var memos: [Memo] = []
    var all: ContiguousArray<Memo> = []
    var best: [Memo] = []
    var changeCount = 0
    var bestChangeCount = 0
    private var observers: [DaybookObjectBox.Observer] = []
    private let updates = Events<Int>()

    init(_ box: Box<Memo>) {
        observers.append(box.subscribe { self.changeCount += 1 })
        observers.append(box.subscribeContiguous { all, _ in self.all = all })
        let fives = box.query { $0.stars == 5 }
        observers.append(fives.subscribe { self.bestChangeCount += 1 })
        observers.append(
            fives.subscribeContiguous { best, error in
                self.best = error == nil ? Array(best) : []
                self.updates.add(1)
            })
        observers.append(fives.subscribe(flags: .sendInitial) { _, _ in })
        observers.append(
            box.subscribe { memos, error in
                self.memos = error == nil ? memos : []
                self.updates.add(2)
            })
    }

    func waitForUpdate() async { _ = await updates.next() }
}
