import DaybookBytes
import DaybookEngine
import Synchronization

/// A walk of a consumer that holds the lock of its name, until it ends or is forgotten.
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
    /// Walks along the deliveries of a consumer.
    public struct Iterator: AsyncIteratorProtocol {
        let consumer: Consumer
        private var feed: ChangeFeed?
        private var round = 0
        private var walk: ConsumerWalk?
        private var isOver = false

        init(consumer: Consumer) { self.consumer = consumer }

        /// The next delivery, waiting for it where there is none yet; nil when the store is closed
        /// or the task was cancelled, which ends the walk. Throws `.locked` where the consumer runs
        /// already, as ``Changes/Iterator/next()`` does, and what reading the position throws.
        public nonisolated(nonsending) mutating func next() async throws -> Delivery? {
            let delivery = try await step()
            if delivery == nil { end() }
            return delivery
        }

        /// The same, but the lock is held until ``end()``.
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
            // Not cancelled half way: the walk holds the lock of the consumer's name.
            let begun = try await Engine.finishElsewhere {
                try consumer.engine.requireOpen()
                let begun = try consumer.beginWalk(isNew: known == nil)
                return (begun, known ?? ConsumerWalk(consumer))
            }
            walk = begun.1
            feed = ChangeFeed(begun.0.source)
            round = begun.0.round
        }

        /// Gives the lock back.
        mutating func end() {
            walk?.end()
            walk = nil
            isOver = true
        }
    }

    /// Gives each delivery to `handler`, and acknowledges it when that returns, until the store is
    /// closed or the task is cancelled.
    ///
    /// While the consumer is catching up the position is written after every `batch` deliveries, so
    /// that as many may come again after a crash; with the last one, and with what comes then, at
    /// once, save where that is empty: then after every 1,000 commits. The handler runs where the
    /// caller does. Throws what it throws, with that delivery not acknowledged and all before it
    /// so, and what following and ``acknowledge(_:)`` throw, `.locked` where the consumer runs
    /// already among it.
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
    /// A consumer of changes whose position the store remembers under the name. See ``Consumer``.
    ///
    /// - Parameters:
    ///   - name: 1 to 100 of the letters a to z, digits, `.`, `-` and `_`.
    ///   - entities: whose changes it is told; none: everything. See
    ///     ``changes(from:of:properties:whenTruncated:)``, also for `properties` and `truncation`.
    ///   - start: where it begins if the store does not know the name.
    ///
    /// Never fails and reads nothing: errors are thrown by what it is used for.
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

    /// The names of the consumers that have a position here, sorted. Throws `.permissionDenied`,
    /// `.inputOutput`, `.closed`.
    public func consumerNames() throws -> [String] {
        try engine.requireOpen()
        return try ConsumerStore(engine).names()
    }

    /// `consumerNames` without blocking.
    public func consumerNames() async throws -> [String] {
        try await engine.readElsewhere { try ConsumerStore(self.engine).names() }
    }
}
