import DaybookBytes
import DaybookEngine
import Synchronization

/// Owns the lock of a consumer's name; releases it at the end of the iteration or when deallocated.
final class ConsumerWalk: Sendable {
    private let consumer: Consumer
    private let isOver = Atomic(false)

    init(_ consumer: Consumer) { self.consumer = consumer }

    deinit { end() }

    func end() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        consumer.endWalk()
    }
}

extension Consumer {
    /// Iterates over the deliveries of a consumer.
    public struct Iterator: AsyncIteratorProtocol {
        let consumer: Consumer
        private var feed: ChangeFeed?
        private var round = 0
        private var walk: ConsumerWalk?
        private var isOver = false

        init(consumer: Consumer) { self.consumer = consumer }

        /// Returns the next delivery, suspending until there is one. Returns nil, and ends the
        /// iteration, when the store is closed or the task is cancelled.
        ///
        /// Throws `.locked` if the consumer runs already, the errors of
        /// ``Changes/Iterator/next()``, and the errors of reading the position.
        public nonisolated(nonsending) mutating func next() async throws -> Delivery? {
            let delivery = try await step()
            if delivery == nil { end() }
            return delivery
        }

        /// `next` without releasing the lock: it is held until ``end()``.
        nonisolated(nonsending) mutating func step() async throws -> Delivery? {
            while !isOver, !Task.isCancelled {
                if feed == nil || !consumer.isCurrent(round) { try await begin() }
                let (consumer, round) = (consumer, round)
                guard
                    let commit = try await feed?.next(while: { consumer.isCurrent(round) })
                else {
                    if consumer.isCurrent(round) { return nil }
                    continue
                }
                guard consumer.isCurrent(round) else { continue }
                return consumer.delivery(Commit(commit, consumer.source.types), round)
            }
            return nil
        }

        private nonisolated(nonsending) mutating func begin() async throws {
            let (consumer, known) = (consumer, walk)
            // Not interrupted by cancellation, because the iterator holds the lock of the
            // consumer's name.
            let begun = try await Engine.finishElsewhere {
                try consumer.engine.requireOpen()
                let begun = try consumer.beginWalk(isNew: known == nil)
                return (begun, known ?? ConsumerWalk(consumer))
            }
            walk = begun.1
            feed = ChangeFeed(begun.0.source)
            round = begun.0.round
        }

        /// Releases the lock.
        mutating func end() {
            walk?.end()
            walk = nil
            isOver = true
        }
    }

    /// Calls `handler` for each delivery, and acknowledges the delivery when the handler returns.
    /// Returns when the store is closed or the task is cancelled.
    ///
    /// While the consumer catches up, the position is written after every `batch` deliveries; after
    /// a crash, up to that many deliveries are repeated. Once the consumer has caught up, each
    /// delivery is acknowledged at once, except that deliveries with an empty commit are
    /// acknowledged only after every 1,000 commits. The handler runs in the caller's isolation.
    ///
    /// Throws the errors of `handler`; the failed delivery is not acknowledged, but all deliveries
    /// before it are. Also throws the errors of iterating and of ``acknowledge(_:)``, including
    /// `.locked` if the consumer runs already.
    public nonisolated(nonsending) func run(
        acknowledgingEach batch: Int = 100,
        _ handler: nonisolated(nonsending) (Delivery) async throws -> Void
    ) async throws {
        var last: Delivery?
        var count = 0
        var iterator = makeAsyncIterator()
        defer { iterator.end() }
        do {
            while let delivery = try await iterator.step() {
                try await handler(delivery)
                last = delivery
                count += 1
                let isEmpty = delivery.commit.isEmpty && !delivery.commit.isEndOfState
                let canWait = isEmpty ? !isFarAhead(delivery) : delivery.isCatchingUp
                if count < batch, canWait { continue }
                try await acknowledge(delivery)
                last = nil
                count = 0
            }
        } catch {
            if let last { try? await acknowledge(last) }
            throw error
        }
        if let last, engine.isOpen { try await acknowledge(last) }
    }

    /// `acknowledge` without blocking. It completes also in a cancelled task, because the delivery
    /// was processed.
    public func acknowledge(_ delivery: Delivery) async throws {
        try await Engine.finishElsewhere {
            try self.engine.requireOpen()
            try self.acknowledgeNow(delivery)
        }
    }

    /// `position` without blocking.
    public func position() async throws -> ChangePosition? {
        try await engine.readElsewhere { try self.readPosition() }
    }

    /// `lag` without blocking.
    public func lag() async throws -> UInt64 {
        try await engine.readElsewhere { try self.readLag() }
    }

    /// `reset` without blocking.
    public func reset(to position: ChangePosition? = nil) async throws {
        try await engine.readElsewhere { try self.resetNow(to: position) }
    }
}

extension Store {
    /// A consumer of changes whose position the store keeps under a name. See ``Consumer``.
    ///
    /// Never throws and reads nothing. Errors are thrown by the operations of the consumer.
    ///
    /// - Parameters:
    ///   - name: 1 to 100 of the letters a to z, digits, `.`, `-` and `_`.
    ///   - entities: The types whose changes are delivered; all changes if empty.
    ///   - properties: The names of the properties whose changes are delivered; those of all
    ///     properties if empty. See ``changes(from:of:properties:whenTruncated:)``.
    ///   - start: The position at which the consumer begins if the store has none for the name.
    ///   - truncation: The behavior if a compaction has dropped some of the requested changes.
    public func consumer(
        _ name: String, of entities: [any Storable.Type] = [], properties: Set<String> = [],
        startingFrom start: Consumer.Start = .now,
        whenTruncated truncation: Changes.Truncation = .fails
    ) -> Consumer {
        Consumer(
            name,
            ChangeSource(
                types: types, start: .state, entities: entities, properties: .success(properties),
                truncation: truncation),
            start)
    }

    /// The names of the consumers that have a position in this store, sorted. Throws
    /// `.permissionDenied`, `.inputOutput`, and `.closed`.
    public func consumerNames() throws -> [String] {
        try engine.requireOpen()
        return try ConsumerStore(engine).names()
    }

    /// `consumerNames` without blocking.
    public func consumerNames() async throws -> [String] {
        try await engine.readElsewhere { try ConsumerStore(self.engine).names() }
    }
}
