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
/// history, so it wakes no consumer. A store that was opened read-only may have consumers, too,
/// where the directory may be written. Run a consumer in one process, and in one walk, at a time:
/// two would both be told everything, and the later acknowledgement would count.
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
    }

    private struct State {
        /// Rises with each reset.
        var round = 0
        /// The position as it was written or read last.
        var position: DaybookEngine.ChangePosition?
        /// Whether that is known.
        var isRead = false
    }

    /// The name under which the store remembers the position.
    public let name: String
    let source: ChangeSource
    private let start: Start
    private let beginning: DaybookEngine.ChangePosition
    private let state = Mutex(State())

    init(_ name: String, _ source: ChangeSource, _ start: Start) {
        self.name = name
        self.source = source
        self.start = start
        beginning = source.types.engine.position
    }

    var engine: Engine { source.types.engine }
    private var shelf: ConsumerShelf { ConsumerShelf(engine) }

    // MARK: Following

    /// Walks along the deliveries from the acknowledged position on.
    public func makeAsyncIterator() -> Iterator { Iterator(consumer: self) }

    /// Where to begin: the source of a walk, and the round that it belongs to.
    func beginWalk() throws -> (source: ChangeSource, round: Int) {
        try state.withLock { state in
            var source = source
            if let known = try read(&state) {
                source.start = .after(known)
            } else {
                try begin(&state, &source)
            }
            return (source, state.round)
        }
    }

    /// The consumer's first walk.
    private func begin(_ state: inout State, _ source: inout ChangeSource) throws {
        switch start {
        case .now:
            source.start = .after(beginning)
            // Whatever becomes of the first delivery, `now` was then.
            try shelf.write(beginning, of: name)
            state.position = beginning
        case .beginning:
            source.start = .after(
                DaybookEngine.ChangePosition(store: beginning.store, sequence: 0))
        case .state: source.start = .state
        }
    }

    private func read(_ state: inout State) throws -> DaybookEngine.ChangePosition? {
        try engine.requireOpen()
        if !state.isRead {
            state.position = try shelf.position(of: name)
            state.isRead = true
        }
        return state.position
    }

    /// Whether a walk that began in that round is still to go on.
    func isCurrent(_ round: Int) -> Bool { state.withLock { $0.round == round } }

    func delivery(_ commit: Commit, _ round: Int) -> Delivery {
        Delivery(
            commit: commit,
            isCatchingUp: !commit.isState && commit.sequence < engine.commitSignal.sequence
                || commit.isState && !commit.isEndOfState,
            round: round)
    }

    // MARK: The position

    /// Notes that a delivery, and all before it, was dealt with: it is not delivered again. Durable
    /// on return.
    ///
    /// One that is behind what was acknowledged already changes nothing, nor does one from before a
    /// reset, or a part of a state that is not the last. Cost: two syncs. Throws
    /// `.permissionDenied`, `.outOfSpace`, `.inputOutput`, `.closed`; it may be tried again.
    public func acknowledge(_ delivery: Delivery) throws { try acknowledgeNow(delivery) }

    func acknowledgeNow(_ delivery: Delivery) throws {
        if delivery.commit.isState, !delivery.commit.isEndOfState { return }
        let place = delivery.commit.position.place
        try state.withLock { state in
            let known = try read(&state)
            guard delivery.round == state.round, known?.sequence ?? 0 < place.sequence else {
                return
            }
            try shelf.write(place, of: name)
            state.position = place
        }
    }

    /// The position behind the last delivery that was acknowledged; nil where there is none yet.
    ///
    /// Throws `.invalidArgument` for a name that no consumer can have, `.corruption` for a position
    /// that is damaged, `.historyOfAnotherStore`, `.permissionDenied`, `.closed`.
    public var position: ChangePosition? {
        get throws { try state.withLock { try read(&$0) }.map { ChangePosition($0) } }
    }

    /// How many commits there are behind the last that was acknowledged, those included that are
    /// nothing to this consumer. Throws as ``position`` does.
    public var lag: UInt64 {
        get throws {
            let from: UInt64
            if let known = try position {
                from = known.sequence
            } else {
                from = start == .now ? beginning.sequence : 0
            }
            let last = engine.commitSignal.sequence
            return last > from ? last - from : 0
        }
    }

    /// Goes on from another position: a walk that is under way does so with its next delivery.
    /// Without a position, the consumer is forgotten and begins as one that is new, save that `now`
    /// stays what it was.
    ///
    /// Durable on return. Throws `.historyOfAnotherStore`, and as ``acknowledge(_:)`` does.
    public func reset(to position: ChangePosition? = nil) throws { try resetNow(to: position) }

    func resetNow(to position: ChangePosition?) throws {
        try engine.requireOpen()
        if let position { _ = try engine.sequence(at: position.place) }
        try state.withLock { state in
            if let position {
                try shelf.write(position.place, of: name)
            } else {
                try shelf.remove(name)
            }
            state.position = position?.place
            state.isRead = true
            state.round += 1
        }
        engine.commitSignal.wakeAll()
    }
}
