package import DaybookBytes
package import DaybookEngine
import Dispatch
import Synchronization

/// The live queries of a store. Finds the queries that each commit can affect, and wakes their
/// listeners.
///
/// A dedicated queue reads the log, so no writer waits for it. A listener updates its query
/// whenever it wants; until then, only the set of touched objects is held for it. The cost of a
/// commit depends on its changes and on the number of queries with matching keys.
package final class LiveQueries: Sendable {
    /// The changes that a live query must process.
    package struct Due: Sendable {
        package let view: ReadView
        /// The touched objects and links; nil if they are unknown.
        package let touches: CommitTouches?
    }

    private let engine: Engine
    private let includesUnsynced: Bool
    /// Announces the commits that are reported.
    private let signal: CommitSignal
    private let queue = DispatchQueue(label: "daybook.live-queries")
    /// A value on each such queue.
    private static let isOnQueue = DispatchSpecificKey<Bool>()
    private let state = Mutex(State())
    private let reading = Mutex(Reading())
    private let signalNumber = Mutex<Int?>(nil)
    private let isScheduled = Atomic(false)
    /// Whether a signal may be ignored. If it is true although there is a listener, the reading of
    /// the queue is scheduled.
    private let isIdle = Atomic(true)

    /// - Parameter includesUnsynced: whether commits are reported when they are visible, even if
    ///   they are not durable yet.
    package init(_ engine: Engine, includesUnsynced: Bool = false) {
        self.engine = engine
        self.includesUnsynced = includesUnsynced
        signal = includesUnsynced ? engine.visibleCommitSignal : engine.commitSignal
        queue.setSpecific(key: Self.isOnQueue, value: true)
    }

    deinit {
        if let number = signalNumber.withLock({ $0 }) { signal.remove(number) }
    }

    /// The number of commits read, and how often a query was found to be affected.
    package var counts: (commits: Int, concerned: Int) {
        state.withLock { ($0.commitCount, $0.concernedCount) }
    }

    /// The number of listeners, of queries and of entities.
    package var listenerCount: Int {
        state.withLock { $0.listeners.count + $0.observers.count }
    }

    /// Adds a listener. `wake` is called on a background queue when the listener becomes due, and
    /// when the store closes; it must return quickly.
    ///
    /// Compute the first result after this call, then call ``start(_:at:)`` with its version.
    /// Throws `.closed`.
    ///
    /// - Parameter finish: called by ``finish()`` if the listener is due; may read the store.
    package func add(
        _ query: QueryRunner, finish: @escaping @Sendable () -> Void = {},
        _ wake: @escaping @Sendable () -> Void
    ) throws(DaybookError) -> Int {
        try listen { state in
            state.listeners[state.nextNumber] = Listener(query: query, wake: wake, finish: finish)
            state.fresh.insert(state.nextNumber)
            state.registry.insert(query, state.nextNumber, usesKeys: false)
        }
    }

    /// Records the version of a listener's first result.
    package func start(_ number: Int, at sequence: UInt64) {
        state.withLock { $0.listeners[number]?.start = sequence }
    }

    /// Calls `tell` once for each later commit that touches objects of some entities, or links from
    /// them, in commit order; at last when the store is closed, or when the log cannot be read.
    /// Throws `.closed`.
    ///
    /// - Parameters:
    ///   - entities: nil for all entities.
    ///   - includesTargets: whether the links to the objects count, too.
    ///   - finish: called by ``finish()``; may read the store.
    package func observe(
        _ entities: Set<UInt32>?, includesTargets: Bool = false,
        finish: @escaping @Sendable () -> Void = {},
        _ tell: @escaping @Sendable (LiveObserver.Notice) -> Void
    ) throws(DaybookError) -> Int {
        try observe(
            entities, includesTargets: includesTargets, finish: finish, afterCheck: {}, tell)
    }

    /// Calls `afterCheck` between the check that the store is open and the registration. For tests.
    func observe(
        _ entities: Set<UInt32>?, includesTargets: Bool = false,
        finish: @escaping @Sendable () -> Void = {}, afterCheck: () -> Void,
        _ tell: @escaping @Sendable (LiveObserver.Notice) -> Void
    ) throws(DaybookError) -> Int {
        let start = signal.sequence
        return try listen(afterCheck: afterCheck) { state in
            state.observers[state.nextNumber] = LiveObserver(
                entities: entities, includesTargets: includesTargets, start: start, tell: tell,
                finish: finish)
        }
    }

    /// Registers a listener or an observer. Does not wait for the reader, which may be reading a
    /// long transaction for listeners that left.
    private func listen(
        afterCheck: () -> Void = {}, _ add: (inout State) -> Void
    ) throws(DaybookError) -> Int {
        // Reads the commits between the position of the reader and the registration.
        defer { schedule() }
        try engine.requireOpen()
        afterCheck()
        receiveSignal()
        let number = state.withLock { state in
            // A reader that still reads for earlier listeners has not passed this position.
            if state.isIdle { state.start = signal.sequence }
            state.nextNumber += 1
            add(&state)
            return state.nextNumber
        }
        isIdle.store(false, ordering: .sequentiallyConsistent)
        return number
    }

    private func receiveSignal() {
        signalNumber.withLock { number in
            if number == nil { number = signal.add { [weak self] _ in self?.schedule() } }
        }
    }

    /// Removes the listener or observer that ``add(_:_:)`` or ``observe(_:_:)`` added. A call that
    /// is already running may still finish.
    package func remove(_ number: Int) {
        // IMPORTANT: Release outside the lock; the deinit of a captured object may take the lock.
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

    /// Whether the store is closed. No listener is woken any more.
    package var isEnded: Bool { signal.isEnded }

    /// Returns the changes since the last call for a listener; nil if there are none. Throws the
    /// error that stopped the log reader.
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

    /// Returns the objects and links touched since the last ``take(_:)`` of a listener, and the
    /// version up to which they are known; nil if they are unknown. The listener remains due.
    package func touches(_ number: Int) -> (touches: CommitTouches, sequence: UInt64)? {
        state.withLock { state in
            guard let listener = state.listeners[number], let start = listener.start,
                listener.failure == nil, !listener.isLost
            else { return nil }
            return (listener.touches, max(start, state.readSequence))
        }
    }

    /// Reads all available commits on the current thread.
    package func catchUp() {
        var calls: [@Sendable () -> Void] = []
        reading.withLock { reading in
            do throws(DaybookError) {
                while try readOn(&reading, &calls) {}
            } catch {
                recover(error, &reading, &calls)
            }
        }
        if signal.isEnded {
            calls += state.withLock { state in
                state.listeners.values.map(\.wake) + state.removeObservers(.end)
            }
        }
        for call in calls { call() }
    }

    /// Reports all available commits. The listeners and observers read the data of their last
    /// reports before this returns, because a closed store reads nothing. Call it before closing.
    ///
    /// Does nothing in a call on a queue of live queries, for example if the closure of an observed
    /// value closes the store. Cost: for each due listener, the update of its result.
    package func finish() {
        guard DispatchQueue.getSpecific(key: Self.isOnQueue) == nil,
            !state.withLock({ $0.isIdle })
        else { return }
        queue.sync {
            catchUp()
            let calls = state.withLock { state in
                state.listeners.values.filter(\.isDue).map(\.finish)
                    + state.observers.values.map(\.finish)
            }
            for call in calls { call() }
        }
    }

    private func schedule() {
        // IMPORTANT: After the end, too: a listener that registered while the store was closing
        // must receive the end, although the reader is idle already.
        guard !isIdle.load(ordering: .sequentiallyConsistent) || signal.isEnded else { return }
        guard !isScheduled.exchange(true, ordering: .sequentiallyConsistent) else { return }
        queue.async { [weak self] in
            guard let self else { return }
            isScheduled.store(false, ordering: .sequentiallyConsistent)
            catchUp()
        }
    }

    /// Reads up to the newest visible version, if all of it was announced. Returns false if there
    /// is nothing more to read.
    private func readOn(
        _ reading: inout Reading, _ calls: inout [@Sendable () -> Void]
    ) throws(DaybookError) -> Bool {
        guard !state.withLock({ $0.isIdle }), !signal.isEnded else {
            (reading.reader, reading.view, reading.marks) = (nil, nil, nil)
            isIdle.store(true, ordering: .sequentiallyConsistent)
            return false
        }
        let start = state.withLock { state in state.start.take() }
        // IMPORTANT: Before the signal's sequence is read: a later commit must schedule the reader.
        isIdle.store(false, ordering: .sequentiallyConsistent)
        if reading.reader == nil, let start { reading.reader = try newReader(after: start) }
        guard var reader = reading.reader else {
            try beginAnew(&reading, &calls)
            return true
        }
        if reading.view == nil {
            guard signal.sequence > reader.sequence else { return false }
            let view = try newestView()
            // IMPORTANT: Read the registry after taking the view: the first result of a query that
            // registers later is of this version or a newer one.
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
            // Nobody needs the rest after all listeners have left.
            if state.withLock({ $0.isIdle }) { return true }
            guard let commit = try reader.next() else { return false }
            calls += tellings(of: commit)
            try reading.marks?.add(commit) { state.withLock { $0.listeners.isEmpty } }
            state.withLock { $0.commitCount += 1 }
        }
        calls += finish(reading.marks, view, try view.sequence)
        (reading.view, reading.marks) = (nil, nil)
        return true
    }

    private func newReader(after sequence: UInt64) throws(DaybookError) -> ChangeReader {
        try ChangeReader(
            engine, after: sequence, includesUnsynced: includesUnsynced, hasEvents: false)
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
            let touched = TouchedEntities(commit, engine.schemas.schema)
            return state.tellings(.commit(commit.sequence)) {
                $0.start < commit.sequence && $0.isConcerned(by: touched)
            }
        }
    }

    /// Marks the affected listeners as due at a version. Returns the calls that wake them.
    private func finish(
        _ marks: CommitMarks?, _ view: ReadView, _ sequence: UInt64
    ) -> [@Sendable () -> Void] {
        state.withLock { state in
            state.view = view
            state.readSequence = sequence
            var calls: [@Sendable () -> Void] = []
            for (number, touches) in marks?.touches ?? [:] {
                guard let listener = state.listeners[number] else { continue }
                // The first result includes these changes.
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

    /// Restarts the reader and marks all touched objects as unknown. If the log still cannot be
    /// read, the next commit retries.
    private func recover(
        _ error: DaybookError, _ reading: inout Reading, _ calls: inout [@Sendable () -> Void]
    ) {
        (reading.reader, reading.view, reading.marks) = (nil, nil, nil)
        do throws(DaybookError) {
            try beginAnew(&reading, &calls)
        } catch {
            calls += failures(error)
        }
    }

    /// Passes an error to all listeners, and ends all observers with it. Returns the calls that
    /// notify them.
    private func failures(_ error: DaybookError) -> [@Sendable () -> Void] {
        // A store that is closing rejects reads before the signal ends. That is no failure.
        let notice: LiveObserver.Notice = error.code == .closed ? .end : .failure(error)
        return state.withLock { state in
            for number in state.listeners.keys { state.listeners[number]?.failure = error }
            return state.listeners.values.map(\.wake) + state.removeObservers(notice)
        }
    }

    /// Restarts the reader at the newest version and makes all queries run again.
    private func beginAnew(
        _ reading: inout Reading, _ calls: inout [@Sendable () -> Void]
    ) throws(DaybookError) {
        let reader = try newReader(after: signal.sequence)
        let view = try newestView()
        let sequence = try view.sequence
        reading.reader = reader
        calls += state.withLock { state in
            state.view = state.listeners.isEmpty ? nil : view
            state.readSequence = sequence
            state.dueCount = state.listeners.count
            for number in state.listeners.keys {
                state.listeners[number]?.isDue = true
                state.listeners[number]?.isLost = true
            }
            return state.listeners.values.map(\.wake) + state.tellings(.commit(sequence))
        }
    }

    /// Runs `body` while the reader is locked. For tests.
    func whileReading<Result>(_ body: () throws -> Result) rethrows -> Result {
        try reading.withLock { _ in try body() }
    }

    /// Acts as if the touched objects could not be read. For tests.
    func lose() {
        reading.withLock { reading in reading.reader = nil }
        catchUp()
    }

    /// Acts as if the log could not be read. For tests.
    func fail(_ error: DaybookError) {
        for call in failures(error) { call() }
    }
}
