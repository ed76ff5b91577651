package import DaybookBytes
import Dispatch
import Synchronization

/// Delivers the events of one store to its observers.
///
/// ``post(_:)`` may be called with any lock held: it only appends to a list. A queue of its own
/// calls the observers. The first event is that of ``begin(_:)``, the last one that of ``end()``.
package final class EventDelivery: Sendable {
    fileprivate enum Phase {
        case opening, open, ended
    }

    fileprivate struct State {
        var observers: [StoreObserver]
        var phase = Phase.opening
        var waiting: [StoreEvent] = []
        var droppedCount = 0
        var isScheduled = false
        /// The last reported error of each task that has not succeeded since.
        var failures: [StoreEvent.Task: String] = [:]
        /// The consumers that were reported as slow and have not caught up since.
        var slowConsumers: Set<String> = []
    }

    /// The number of waiting events from which measurements are dropped; twice as many for others.
    static let waitingCountMax = 8_192

    package let limits: SlowLimits
    /// Whether an observer measures.
    package let isMeasuring: Bool
    private let liveAdvances = Atomic(0)
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "daybook.events", qos: .utility)
    /// A value on each such queue.
    private static let isOnQueue = DispatchSpecificKey<Bool>()

    /// Returns nil without observers.
    package init?(_ observers: [StoreObserver], _ limits: SlowLimits) {
        guard !observers.isEmpty else { return nil }
        self.limits = limits
        isMeasuring = observers.contains(where: \.isMeasuring)
        state = Mutex(State(observers: observers))
        queue.setSpecific(key: Self.isOnQueue, value: true)
    }

    /// The start of a measurement.
    package var now: ContinuousClock.Instant { .now }

    /// Whether a duration reaches a limit.
    package func isSlow(_ duration: Duration, _ limit: Duration?) -> Bool {
        limit.map { duration >= $0 } ?? false
    }

    /// The number of updates of live queries.
    package var liveAdvanceCount: Int { liveAdvances.load(ordering: .relaxed) }

    /// Counts an update of a live query.
    package func noteLiveAdvance() { liveAdvances.wrappingAdd(1, ordering: .relaxed) }

    // MARK: Posting

    /// Adds an event to the list that the observers receive. Does nothing after ``end()``.
    package func post(_ event: StoreEvent) {
        guard isMeasuring || !event.isMeasurement else { return }
        let countMax = Self.waitingCountMax * (event.isMeasurement ? 1 : 2)
        let isFirst = state.withLock { state in
            guard state.phase != .ended else { return false }
            guard state.waiting.count < countMax else {
                state.droppedCount += 1
                return false
            }
            state.waiting.append(event)
            return state.schedules()
        }
        if isFirst { schedule() }
    }

    /// Posts the error of a task, unless it is the last one of the same task. Nil means that the
    /// task has succeeded.
    package func postFailure(_ failure: DaybookError?, of task: StoreEvent.Task) {
        let text = failure.map { "\($0.code.rawValue): \($0.message)" }
        let isKnown = state.withLock { state in
            let last = state.failures[task]
            state.failures[task] = text
            return last == text
        }
        if !isKnown, let failure { post(.backgroundFailed(task, failure)) }
    }

    /// Posts the consumers that have become slow, with the numbers of commits that each has not
    /// acknowledged.
    package func postSlowConsumers(_ lags: [String: UInt64]) {
        guard let limit = limits.consumerLag else { return }
        let slow = lags.filter { $0.value >= limit }
        let known = state.withLock { state in
            defer { state.slowConsumers = Set(slow.keys) }
            return state.slowConsumers
        }
        for (name, lag) in slow.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
            post(.slowConsumer(name: name, commitCount: lag))
        }
    }

    // MARK: Delivery

    /// Begins the delivery, with `first` before all events that were posted until now.
    package func begin(_ first: StoreEvent) {
        let isFirst = state.withLock { state in
            guard state.phase == .opening else { return false }
            state.phase = .open
            state.waiting.insert(first, at: 0)
            return state.schedules()
        }
        if isFirst { schedule() }
    }

    /// Ends the delivery with ``StoreEvent/closed``, and waits until the observers have received
    /// all events, unless an observer of any store makes this call. Without ``begin(_:)``, because
    /// the opening failed, no event is delivered.
    package func end() {
        let isFirst = state.withLock { state in
            guard state.phase == .open else {
                if state.phase == .opening { state.waiting = [] }
                state.phase = .ended
                return false
            }
            state.appendDropped()
            state.waiting.append(.closed)
            let isFirst = state.schedules()
            state.phase = .ended
            return isFirst
        }
        if isFirst { schedule() }
        if DispatchQueue.getSpecific(key: Self.isOnQueue) == nil { queue.sync {} }
    }

    private func schedule() {
        queue.async { self.deliver() }
    }

    private func deliver() {
        while true {
            let (observers, events) = state.withLock { $0.takeWaiting() }
            for event in events {
                for observer in observers where observer.isMeasuring || !event.isMeasurement {
                    observer.handle(event)
                }
            }
            // The observers of a closed store are released here, outside the lock.
            if events.isEmpty { return }
        }
    }
}

extension EventDelivery.State {
    /// Whether the caller must schedule the delivery.
    fileprivate mutating func schedules() -> Bool {
        guard phase == .open, !isScheduled else { return false }
        isScheduled = true
        return true
    }

    /// Appends the number of events that were dropped since the last one, if there are any.
    fileprivate mutating func appendDropped() {
        guard droppedCount > 0 else { return }
        waiting.append(.eventsDropped(count: droppedCount))
        droppedCount = 0
    }

    /// Takes the waiting events. Without any, ends the scheduled delivery, and after the end of the
    /// store takes the observers away.
    fileprivate mutating func takeWaiting() -> ([StoreObserver], [StoreEvent]) {
        appendDropped()
        let events = waiting
        waiting = []
        let receivers = observers
        if events.isEmpty {
            isScheduled = false
            if phase == .ended { observers = [] }
        }
        return (receivers, events)
    }
}
