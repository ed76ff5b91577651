import DaybookBytes
import DaybookEngine

extension Consumer {
    /// Walks along the deliveries of a consumer.
    public struct Iterator: AsyncIteratorProtocol {
        let consumer: Consumer
        private var feed: ChangeFeed?
        private var round = 0

        init(consumer: Consumer) { self.consumer = consumer }

        /// The next delivery, waiting for it where there is none yet; nil when the store is closed
        /// or the task was cancelled. Throws as ``Changes/Iterator/next()`` does, and what reading
        /// the position throws.
        public nonisolated(nonsending) mutating func next() async throws -> Delivery? {
            while !Task.isCancelled {
                if feed == nil || !consumer.isCurrent(round) {
                    let consumer = consumer
                    let begun = try await consumer.engine.readElsewhere {
                        try consumer.beginWalk()
                    }
                    feed = ChangeFeed(begun.source)
                    round = begun.round
                }
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
    }

    /// Gives each delivery to `handler`, and acknowledges it when that returns, until the store is
    /// closed or the task is cancelled.
    ///
    /// While the consumer is catching up the position is written after every `batch` deliveries, so
    /// that as many may come again after a crash; with the last one, and with what comes then, at
    /// once, save where that is empty. The handler runs where the caller does. Throws what it
    /// throws, with that delivery not acknowledged and all before it so, and what following and
    /// ``acknowledge(_:)`` throw.
    public nonisolated(nonsending) func run(
        acknowledgingEach batch: Int = 100,
        _ handler: nonisolated(nonsending) (Delivery) async throws -> Void
    ) async throws {
        var last: Delivery?
        var count = 0
        do {
            for try await delivery in self {
                try await handler(delivery)
                last = delivery
                count += 1
                let canWait =
                    delivery.isCatchingUp
                    || delivery.commit.isEmpty && !delivery.commit.isEndOfState
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

    /// `acknowledge` without blocking.
    public func acknowledge(_ delivery: Delivery) async throws {
        // Also in a task that is cancelled: what was done was done.
        try await engine.readElsewhere { try self.acknowledgeNow(delivery) }
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
        return try ConsumerShelf(engine).names()
    }

    /// `consumerNames` without blocking.
    public func consumerNames() async throws -> [String] {
        try await engine.readElsewhere { try ConsumerShelf(self.engine).names() }
    }
}
