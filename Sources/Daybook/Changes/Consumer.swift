import DaybookBytes
import DaybookEngine
import Synchronization

/// A consumer of changes that has a name, and whose position the store remembers.
///
/// ```swift
/// let mailer = store.consumer("mailer", of: [Order.self])
/// for try await delivery in mailer {
///     send(delivery.commit)
///     try await mailer.acknowledge(delivery)
/// }
/// ```
///
/// It goes on behind the last delivery that was acknowledged, also after a crash: each commit is
/// delivered at least once, and those that were delivered and not acknowledged are delivered again.
/// So what is done with a commit should do no harm when it is done twice.
///
/// The position is a small file in `consumers/` in the store's directory. It is not part of the
/// history, so it wakes no consumer, and no writer waits for it. A store that was opened read-only
/// may have consumers, too, where the directory may be written. In a store that was restored from a
/// backup a consumer goes on where it was at that time.
///
/// One walk at a time runs a consumer: from its first delivery to its end it holds a lock of the
/// name, also against other processes, and another one throws `.locked`. The lock ends with the
/// iterator, with its task, and with the process, however that dies.
public final class Consumer: AsyncSequence, Sendable {
    /// One delivery.
    public typealias Element = Delivery

    /// Where a consumer begins that the store does not know yet.
    public enum Start: Sendable, Hashable {
        /// With what is committed from the call of `store.consumer` on.
        case now
        /// With the first commit of the store. Where a compaction has dropped some of the history,
        /// that is an error, or the state, as is chosen.
        case beginning
        /// With the store's whole state, and then what follows.
        case state
    }

    /// One commit, on its way to a consumer.
    public struct Delivery: Sendable {
        /// What was committed, or a part of a state.
        public let commit: Commit
        /// Whether there was more behind it when it was delivered.
        public let isCatchingUp: Bool
        /// Deliveries from before a reset are not acknowledged after it.
        let round: Int
        /// To whom it was made.
        let consumer: String
    }

    fileprivate struct State {
        /// The position as it was written or read last.
        var position: ChangePosition?
        /// Whether that is known.
        var isRead = false
        /// The lock of the name, while a walk of this object holds it: nobody else moves the
        /// position then.
        var lock: (any FileLock)?
    }

    /// The name under which the store remembers the position.
    public let name: String
    let source: ChangeSource
    private let start: Start
    private let beginning: ChangePosition
    /// Held while the position is read and written: by nobody whom a writer might wait for.
    private let state = Mutex(State())
    /// Rises with each reset.
    private let round = Atomic(0)

    init(_ name: String, _ source: ChangeSource, _ start: Start) {
        self.name = name
        self.source = source
        self.start = start
        beginning = source.types.engine.position
    }

    var engine: Engine { source.types.engine }
    private var consumers: ConsumerStore { ConsumerStore(engine) }

    // MARK: Following

    /// Walks along the deliveries from the acknowledged position on.
    public func makeAsyncIterator() -> Iterator { Iterator(consumer: self) }

    /// Where to begin: the source of a walk, and the round that it belongs to. A new walk takes the
    /// lock, and ``endWalk()`` gives it back; one that goes on after a reset has it.
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

    /// The walk that holds the lock is over.
    func endWalk() { state.withLock { $0.giveBack() } }

    /// Takes the lock of the name; whoever had it before may have moved the position.
    private func takeLock(_ state: inout State) throws -> any FileLock {
        let lock = try consumers.lock(name)
        state.isRead = false
        return lock
    }

    /// Changes the position: within a walk of this object, or while nobody else is on one.
    private func change(_ body: (inout State) throws -> Void) throws {
        try state.withLock { state in
            try engine.requireOpen()
            if state.lock != nil { return try body(&state) }
            let lock = try takeLock(&state)
            defer { lock.release() }
            try body(&state)
        }
    }

    /// The consumer's first walk.
    private func begin(_ state: inout State, _ source: inout ChangeSource) throws {
        switch start {
        case .now:
            source.start = .after(beginning)
            // Whatever becomes of the first delivery, `now` was then.
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

    /// Whether a walk that began in that round is still to go on. Never waits, for it is asked
    /// where commits are told.
    func isCurrent(_ round: Int) -> Bool { self.round.load(ordering: .acquiring) == round }

    func delivery(_ commit: Commit, _ round: Int) -> Delivery {
        Delivery(
            commit: commit,
            isCatchingUp: !commit.isState && commit.sequence < engine.commitSignal.sequence
                || commit.isState && !commit.isEndOfState,
            round: round, consumer: name)
    }

    // MARK: The position

    /// Notes that a delivery, and all before it, was dealt with: it is not delivered again. Durable
    /// on return.
    ///
    /// One that is behind what was acknowledged already changes nothing, nor does one from before a
    /// reset, or a part of a state that is not the last. Cost: two syncs. Throws `.locked` where
    /// the consumer runs elsewhere, `.invalidArgument` for what was delivered to another one,
    /// `.permissionDenied`, `.outOfSpace`, `.inputOutput`, `.closed`; it may be tried again.
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

    /// Whether an empty delivery is so far from the acknowledged position that whoever began again
    /// there would have much to read for nothing, or find that it is gone.
    func isFarAhead(_ delivery: Delivery) -> Bool {
        let known = state.withLock { $0.position?.sequence ?? 0 }
        return delivery.commit.position.sequence >= known + UInt64(ChangeReader.passedCountMax)
    }

    /// The position behind the last delivery that was acknowledged; nil where there is none yet.
    ///
    /// It is read from its file, save in the object that runs the consumer. Throws
    /// `.invalidArgument` for a name that no consumer can have, `.corruption` for a position that
    /// is damaged, `.historyOfAnotherStore`, `.permissionDenied`, `.closed`.
    public func position() throws -> ChangePosition? { try readPosition() }

    func readPosition() throws -> ChangePosition? {
        try state.withLock { state in
            try engine.requireOpen()
            return try read(&state)
        }
    }

    /// How many commits there are behind the last that was acknowledged, those included that are
    /// nothing to this consumer. Cost and errors as of `position`.
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

    /// Goes on from another position: a walk of this object that is under way does so with its next
    /// delivery. Without a position, the consumer is forgotten and begins as one that is new, save
    /// that `now` stays what it was.
    ///
    /// Durable on return. Throws `.historyOfAnotherStore`, also for a position that the store has
    /// not reached, and as ``acknowledge(_:)`` does.
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
