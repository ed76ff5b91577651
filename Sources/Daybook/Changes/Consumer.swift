import DaybookBytes
import DaybookEngine
import Synchronization

/// A named consumer of changes. The store keeps its position.
///
/// ```swift
/// let mailer = store.consumer("mailer", of: [Order.self])
/// for try await delivery in mailer {
///     send(delivery.commit)
///     try await mailer.acknowledge(delivery)
/// }
/// ```
///
/// A consumer continues after the last acknowledged delivery, also after a crash. Each commit is
/// delivered at least once: a delivery that was not acknowledged is delivered again. Processing a
/// commit must therefore be idempotent.
///
/// The position is a small file in `consumers/` in the store's directory. It is not part of the
/// history, so writing it wakes no consumer and blocks no writer. A store that was opened read-only
/// can have consumers if its directory is writable. In a store that was restored from a backup, a
/// consumer continues at its position at the time of the backup.
///
/// One iterator at a time can run a consumer. From its first delivery to its end, the iterator
/// holds a lock on the name that also excludes other processes; a second iterator throws `.locked`.
/// The lock is released when the iterator, its task or the process ends, also if the process
/// crashes.
public final class Consumer: AsyncSequence, Sendable {
    /// A delivery.
    public typealias Element = Delivery

    /// The position at which a consumer without a stored position begins.
    public enum Start: Sendable, Hashable {
        /// After the commits that are durable when `store.consumer` is called.
        case now
        /// At the first commit of the store. If a compaction dropped a part of the history, the
        /// `whenTruncated` parameter of `store.consumer` decides whether the iterator throws or
        /// delivers the store's state.
        case beginning
        /// With the whole state of the store, followed by the later commits.
        case state
    }

    /// A commit that is delivered to a consumer.
    public struct Delivery: Sendable {
        /// The commit, or a part of a state.
        public let commit: Commit
        /// Whether more commits were available when this one was delivered.
        public let isCatchingUp: Bool
        /// The number of resets before the delivery. A reset invalidates earlier deliveries: they
        /// can no longer be acknowledged.
        let round: Int
        /// The name of the consumer.
        let consumer: String
    }

    fileprivate struct State {
        /// The position that was last read or written.
        var position: ChangePosition?
        /// Whether `position` was read from the file.
        var isRead = false
        /// The lock of the name while an iterator of this object runs. Nobody else changes the
        /// position during that time.
        var lock: (any FileLock)?
    }

    /// The name under which the store keeps the position.
    public let name: String
    let source: ChangeSource
    private let start: Start
    private let beginning: ChangePosition
    /// Held while the position is read or written. No writer ever waits for it.
    private let state = Mutex(State())
    /// The number of resets.
    private let round = Atomic(0)

    init(_ name: String, _ source: ChangeSource, _ start: Start) {
        self.name = name
        self.source = source
        self.start = start
        beginning = source.types.engine.position
    }

    var engine: Engine { source.types.engine }
    private var consumers: ConsumerStore { ConsumerStore(engine) }

    // MARK: Iterating

    /// Returns an iterator over the deliveries after the acknowledged position.
    public func makeAsyncIterator() -> Iterator { Iterator(consumer: self) }

    /// Returns the change source at the consumer's position, and the current round. A new iterator
    /// takes the lock, and ``endWalk()`` releases it; an iterator that continues after a reset
    /// holds it already.
    func beginWalk(isNew: Bool) throws -> (source: ChangeSource, round: Int) {
        try state.withLock { state in
            try engine.requireOpen()
            if isNew {
                state.lock = try takeLock(&state)
            }
            do {
                var source = source
                if let known = try read(&state) {
                    source.start = .after(known)
                } else {
                    try begin(&state, &source)
                }
                return (source, round.load(ordering: .acquiring))
            } catch {
                if isNew { state.giveBack() }
                throw error
            }
        }
    }

    /// Releases the lock at the end of the iterator that holds it.
    func endWalk() { state.withLock { $0.giveBack() } }

    /// Takes the lock of the name. The position is read again, because a previous owner of the lock
    /// may have changed it.
    private func takeLock(_ state: inout State) throws -> any FileLock {
        let lock = try consumers.lock(name)
        state.isRead = false
        return lock
    }

    /// Changes the position. Takes the lock unless an iterator of this object holds it.
    private func change(_ body: (inout State) throws -> Void) throws {
        try state.withLock { state in
            try engine.requireOpen()
            if state.lock != nil { return try body(&state) }
            let lock = try takeLock(&state)
            defer { lock.release() }
            try body(&state)
        }
    }

    /// Sets the start of a consumer without a stored position.
    private func begin(_ state: inout State, _ source: inout ChangeSource) throws {
        switch start {
        case .now:
            source.start = .after(beginning)
            // Stored now, so that `now` keeps its meaning if the first delivery is not
            // acknowledged.
            try consumers.write(beginning, of: name)
            state.position = beginning
        case .beginning:
            source.start = .after(
                ChangePosition(store: beginning.store, sequence: 0))
        case .state: source.start = .state
        }
    }

    private func read(_ state: inout State) throws -> ChangePosition? {
        if !state.isRead || state.lock == nil {
            state.position = try consumers.position(of: name)
            state.isRead = true
        }
        return state.position
    }

    /// Whether an iterator that began in `round` may continue. Never blocks, because it is called
    /// while commits are signalled.
    func isCurrent(_ round: Int) -> Bool { self.round.load(ordering: .acquiring) == round }

    func delivery(_ commit: Commit, _ round: Int) -> Delivery {
        Delivery(
            commit: commit,
            isCatchingUp: !commit.isState && commit.sequence < engine.commitSignal.sequence
                || commit.isState && !commit.isEndOfState,
            round: round, consumer: name)
    }

    // MARK: Position

    /// Acknowledges a delivery and all deliveries before it: they are not delivered again. Durable
    /// on return.
    ///
    /// Has no effect for a delivery before the acknowledged position, for a delivery from before a
    /// reset, and for a part of a state other than its last part. A failed call may be repeated.
    /// Cost: two syncs.
    ///
    /// Throws `.locked` if another process or object runs the consumer, `.invalidArgument` for a
    /// delivery of another consumer or store, `.permissionDenied`, `.outOfSpace`, `.inputOutput`,
    /// and `.closed`.
    public func acknowledge(_ delivery: Delivery) throws { try acknowledgeNow(delivery) }

    func acknowledgeNow(_ delivery: Delivery) throws {
        let place = delivery.commit.position
        guard delivery.consumer == name, place.store == engine.position.store else {
            throw DaybookError(
                .invalidArgument,
                "It was delivered to the consumer '\(delivery.consumer)' of the store"
                    + " '\(place.store)', and cannot be acknowledged by '\(name)'. Acknowledge it"
                    + " there.",
                details: ["consumer": name, "position": "\(place)"])
        }
        if delivery.commit.isState, !delivery.commit.isEndOfState { return }
        try change { state in
            let known = try read(&state)
            guard isCurrent(delivery.round), known?.sequence ?? 0 < place.sequence else { return }
            try consumers.write(place, of: name)
            state.position = place
        }
    }

    /// Whether an empty delivery is so far beyond the acknowledged position that it should be
    /// acknowledged: otherwise the next iterator would read many irrelevant commits, or a
    /// compaction could drop them.
    func isFarAhead(_ delivery: Delivery) -> Bool {
        let known = state.withLock { $0.position?.sequence ?? 0 }
        return delivery.commit.position.sequence >= known + UInt64(ChangeReader.passedCountMax)
    }

    /// The position after the last acknowledged delivery, or nil if none was acknowledged.
    ///
    /// Reads a file, except in the object that runs the consumer. Throws `.invalidArgument` for an
    /// invalid consumer name, `.corruption` for a damaged position, `.historyOfAnotherStore`,
    /// `.permissionDenied`, and `.closed`.
    public func position() throws -> ChangePosition? { try readPosition() }

    func readPosition() throws -> ChangePosition? {
        try state.withLock { state in
            try engine.requireOpen()
            return try read(&state)
        }
    }

    /// The number of commits after the last acknowledged one, including commits that the consumer
    /// does not receive. Cost and errors as for `position`.
    public func lag() throws -> UInt64 { try readLag() }

    func readLag() throws -> UInt64 {
        let from: UInt64
        if let known = try readPosition() {
            from = known.sequence
        } else {
            from = start == .now ? beginning.sequence : 0
        }
        let last = engine.commitSignal.sequence
        return last > from ? last - from : 0
    }

    /// Continues at another position. A running iterator of this object uses it from its next
    /// delivery on. Without a position, the stored position is removed and the consumer begins like
    /// a new one, except that `now` keeps its original meaning.
    ///
    /// Durable on return. Throws `.historyOfAnotherStore`, also for a position that the store has
    /// not reached, and the errors of ``acknowledge(_:)``.
    public func reset(to position: ChangePosition? = nil) throws { try resetNow(to: position) }

    func resetNow(to position: ChangePosition?) throws {
        try engine.requireOpen()
        if let position { _ = try engine.sequence(at: position) }
        try change { state in
            if let position {
                try consumers.write(position, of: name)
            } else {
                try consumers.remove(name)
            }
            state.position = position
            state.isRead = true
            round.add(1, ordering: .acquiringAndReleasing)
        }
        engine.commitSignal.wakeAll()
    }
}

extension Consumer.State {
    fileprivate mutating func giveBack() {
        lock?.release()
        lock = nil
    }
}
