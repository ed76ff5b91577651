package import DaybookBytes
package import DaybookEngine
import Dispatch
import Synchronization

/// The live queries of a store: finds for each commit those that it can concern, and wakes them.
///
/// The log is read on a thread of its own, so no writer waits for it; whoever listens brings its
/// query up to date when it likes, and holds no more than a note of what to look at until then.
/// What a commit costs depends on what it changes, and on the queries whose keys that meets.
package final class LiveQueries: Sendable {
    /// What a live query has to look at.
    package struct Due: Sendable {
        package let view: ReadView
        /// Nil where that is not known.
        package let touches: CommitTouches?
    }

    private struct Listener {
        let query: QueryRunner
        let wake: @Sendable () -> Void
        var touches = CommitTouches()
        /// Whether what was touched is not known.
        var isLost = false
        /// Why it cannot be told anything more.
        var failure: DaybookError?
        var isDue = false
        /// The version that its result began with: what is told before is of no use to it.
        var start: UInt64?
    }

    /// Who is told of each commit that touches an entity.
    private struct Observer {
        let entity: UInt32
        /// Commits up to this one were there before.
        let start: UInt64
        let tell: @Sendable () -> Void
    }

    private struct State {
        var registry = QueryRegistry()
        var listeners: [Int: Listener] = [:]
        /// Those whose changes are not found by their keys yet, for not all is told since their
        /// start.
        var fresh: Set<Int> = []
        var dueCount = 0
        var observers: [Int: Observer] = [:]
        var nextNumber = 0
        /// The version that those who are due are to be brought to.
        var view: ReadView?
        var commitCount = 0
        var concernedCount = 0

        var isIdle: Bool { listeners.isEmpty && observers.isEmpty }

        /// Holds no version that nobody is to be brought to.
        mutating func countDue(from wasDue: Bool, to isDue: Bool) {
            dueCount += (isDue ? 1 : 0) - (wasDue ? 1 : 0)
            if dueCount == 0 { view = nil }
        }
    }

    /// What only one thread at a time goes on with.
    private struct Reading {
        var reader: ChangeReader?
        /// The version that is being read up to.
        var view: ReadView?
        var marks: CommitMarks?
        var signalNumber: Int?
    }

    private let engine: Engine
    private let queue = DispatchQueue(label: "daybook.live-queries")
    private let state = Mutex(State())
    private let reading = Mutex(Reading())
    private let isScheduled = Atomic(false)
    private let isIdle = Atomic(true)

    package init(_ engine: Engine) { self.engine = engine }

    deinit {
        if let number = reading.withLock({ $0.signalNumber }) {
            engine.commitSignal.remove(number)
        }
    }

    /// How many commits were read, and of how many queries with a commit it was found that they
    /// can be concerned.
    package var counts: (commits: Int, concerned: Int) {
        state.withLock { ($0.commitCount, $0.concernedCount) }
    }

    /// How many listen, to queries and to entities.
    package var listenerCount: Int {
        state.withLock { $0.listeners.count + $0.observers.count }
    }

    /// Begins to listen. `wake` is called on a thread of the listeners' whenever there is
    /// something due that was not before, and at the end; be brief.
    ///
    /// Call ``start(_:at:)`` with the version of the first result, which is taken afterwards.
    /// Throws `.closed`.
    package func add(
        _ query: QueryRunner, _ wake: @escaping @Sendable () -> Void
    ) throws(DaybookError) -> Int {
        try listen { state in
            state.listeners[state.nextNumber] = Listener(query: query, wake: wake)
            state.fresh.insert(state.nextNumber)
            state.registry.insert(query, state.nextNumber, usesKeys: false)
        }
    }

    /// A listener has made its first result of a version.
    package func start(_ number: Int, at sequence: UInt64) {
        state.withLock { $0.listeners[number]?.start = sequence }
    }

    /// Calls `tell` once for each commit from now on that touches objects of an entity, or links
    /// that lead from them, in order. Throws `.closed`.
    package func observe(
        _ entity: UInt32, _ tell: @escaping @Sendable () -> Void
    ) throws(DaybookError) -> Int {
        let start = engine.commitSignal.sequence
        return try listen { state in
            state.observers[state.nextNumber] = Observer(entity: entity, start: start, tell: tell)
        }
    }

    private func listen(_ add: (inout State) -> Void) throws(DaybookError) -> Int {
        // A commit between the beginning of the reading and that of the listening is told late.
        defer { schedule() }
        try engine.requireOpen()
        func take(_ state: inout State) -> Int {
            state.nextNumber += 1
            add(&state)
            return state.nextNumber
        }
        // Where others listen it is being read already, and nobody need wait for the reading: what
        // is read by now was there before.
        let number = state.withLock { state in state.isIdle ? nil : take(&state) }
        if let number { return number }
        return try reading.withLock { reading throws(DaybookError) in
            if reading.reader == nil {
                reading.reader = try ChangeReader(engine, after: engine.commitSignal.sequence)
            }
            if reading.signalNumber == nil {
                reading.signalNumber = engine.commitSignal.add { [weak self] _ in
                    self?.schedule()
                }
            }
            isIdle.store(false, ordering: .sequentiallyConsistent)
            return state.withLock { state in take(&state) }
        }
    }

    /// Ends what ``add(_:_:)`` or ``observe(_:_:)`` began; a call that is under way may still
    /// finish.
    package func remove(_ number: Int) {
        // IMPORTANT: let go of behind the lock, for what a handler holds may ask for it.
        let removed = state.withLock { state in
            let listener = state.listeners.removeValue(forKey: number)
            if let listener {
                state.fresh.remove(number)
                state.registry.remove(listener.query, number)
                state.countDue(from: listener.isDue, to: false)
            }
            return (listener, state.observers.removeValue(forKey: number))
        }
        withExtendedLifetime(removed) {}
    }

    /// Whether the store is closed: nobody will be woken any more.
    package var isEnded: Bool { engine.commitSignal.isEnded }

    /// What a listener has to look at since it asked last; nil where there is nothing. Throws what
    /// made reading on impossible.
    package func take(_ number: Int) throws(DaybookError) -> Due? {
        try state.withLock { state throws(DaybookError) in
            guard var listener = state.listeners[number] else { return nil }
            if let failure = listener.failure { throw failure }
            guard listener.isDue, let view = state.view else { return nil }
            let due = Due(view: view, touches: listener.isLost ? nil : listener.touches)
            listener.touches = CommitTouches()
            (listener.isLost, listener.isDue) = (false, false)
            state.listeners[number] = listener
            state.countDue(from: true, to: false)
            return due
        }
    }

    /// Reads what is there to read, on the running thread.
    package func catchUp() {
        var calls: [@Sendable () -> Void] = []
        reading.withLock { reading in
            do throws(DaybookError) {
                while try readOn(&reading, &calls) {}
            } catch {
                recover(error, &reading, &calls)
            }
        }
        if engine.commitSignal.isEnded {
            calls += state.withLock { state in state.listeners.values.map(\.wake) }
        }
        for call in calls { call() }
    }

    private func schedule() {
        guard !isIdle.load(ordering: .sequentiallyConsistent) else { return }
        guard !isScheduled.exchange(true, ordering: .sequentiallyConsistent) else { return }
        queue.async { [weak self] in
            guard let self else { return }
            isScheduled.store(false, ordering: .sequentiallyConsistent)
            catchUp()
        }
    }

    /// Reads up to the version that is visible now, if all of it is durable; false where there is
    /// no more to read.
    private func readOn(
        _ reading: inout Reading, _ calls: inout [@Sendable () -> Void]
    ) throws(DaybookError) -> Bool {
        guard !state.withLock({ $0.isIdle }), !engine.commitSignal.isEnded else {
            (reading.reader, reading.view, reading.marks) = (nil, nil, nil)
            isIdle.store(true, ordering: .sequentiallyConsistent)
            return false
        }
        guard var reader = reading.reader else {
            try beginAnew(&reading, &calls)
            return true
        }
        if reading.view == nil {
            guard engine.commitSignal.sequence > reader.sequence else { return false }
            let view = try newestView()
            // IMPORTANT: behind the view, so that the first result of whoever is not among them yet
            // is of that version or a later one.
            let registry = state.withLock { state in
                state.registry.prepare()
                return state.registry
            }
            reading.view = view
            reading.marks = CommitMarks(registry, QueryAccess(view, engine.schemas))
        }
        guard let view = reading.view else { return false }
        defer { reading.reader = reader }
        while try reader.sequence < view.sequence {
            guard let commit = try reader.next() else { return false }
            calls += tellings(of: commit)
            try reading.marks?.add(commit)
            state.withLock { $0.commitCount += 1 }
        }
        calls += finish(reading.marks, view, try view.sequence)
        (reading.view, reading.marks) = (nil, nil)
        return true
    }

    private func newestView() throws(DaybookError) -> ReadView {
        do {
            return try engine.view()
        } catch let error as DaybookError {
            throw error
        } catch {
            throw DaybookError(.inputOutput, "The newest version cannot be read: \(error)")
        }
    }

    private func tellings(of commit: CommitChanges) -> [@Sendable () -> Void] {
        state.withLock { state in
            guard !state.observers.isEmpty else { return [] }
            var entities: Set<UInt32> = []
            for change in commit.objects where change.kind != .event {
                entities.insert(change.entity)
            }
            for link in commit.links {
                let relation = engine.schemas.schema.relation(link.relation)
                if let relation { entities.insert(relation.entityID) }
            }
            return state.observers.sorted { $0.key < $1.key }
                .filter { entities.contains($0.value.entity) && $0.value.start < commit.sequence }
                .map(\.value.tell)
        }
    }

    /// A version is reached: whoever is concerned is woken.
    private func finish(
        _ marks: CommitMarks?, _ view: ReadView, _ sequence: UInt64
    ) -> [@Sendable () -> Void] {
        state.withLock { state in
            state.view = view
            var calls: [@Sendable () -> Void] = []
            for (number, touches) in marks?.touches ?? [:] {
                guard let listener = state.listeners[number] else { continue }
                // What its first result has already.
                if let first = listener.start, first >= sequence { continue }
                state.concernedCount += 1
                state.listeners[number]?.touches.formUnion(touches)
                state.listeners[number]?.isDue = true
                state.countDue(from: listener.isDue, to: true)
                if !listener.isDue { calls.append(listener.wake) }
            }
            for number in state.fresh {
                guard let listener = state.listeners[number], let first = listener.start,
                    first <= sequence
                else { continue }
                state.fresh.remove(number)
                state.registry.remove(listener.query, number)
                state.registry.insert(listener.query, number, usesKeys: true)
            }
            if state.dueCount == 0 { state.view = nil }
            return calls
        }
    }

    /// What was touched is not known any more. Where the log cannot be read from here on, either,
    /// it is tried again with the next commit.
    private func recover(
        _ error: DaybookError, _ reading: inout Reading, _ calls: inout [@Sendable () -> Void]
    ) {
        (reading.reader, reading.view, reading.marks) = (nil, nil, nil)
        do throws(DaybookError) {
            try beginAnew(&reading, &calls)
        } catch {
            calls += state.withLock { state in
                for number in state.listeners.keys { state.listeners[number]?.failure = error }
                return state.listeners.values.map(\.wake)
            }
        }
    }

    /// All queries are run again, and followed from here on.
    private func beginAnew(
        _ reading: inout Reading, _ calls: inout [@Sendable () -> Void]
    ) throws(DaybookError) {
        let reader = try ChangeReader(engine, after: engine.commitSignal.sequence)
        let view = try newestView()
        reading.reader = reader
        calls += state.withLock { state in
            state.view = state.listeners.isEmpty ? nil : view
            state.dueCount = state.listeners.count
            for number in state.listeners.keys {
                state.listeners[number]?.isDue = true
                state.listeners[number]?.isLost = true
            }
            return state.listeners.values.map(\.wake) + state.observers.values.map(\.tell)
        }
    }

    /// Runs `body` as if in the midst of reading: for tests.
    func whileReading<Result>(_ body: () throws -> Result) rethrows -> Result {
        try reading.withLock { _ in try body() }
    }

    /// As if what was touched could not be read: for tests.
    func lose() {
        reading.withLock { reading in reading.reader = nil }
        catchUp()
    }
}
