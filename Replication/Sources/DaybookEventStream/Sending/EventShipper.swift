public import Daybook
public import DaybookEvents
import DaybookNATS
import ReplicationSupport
import Synchronization

/// Sends the events of a store to an ``EventStream``.
///
/// ```swift
/// var options = StoreOptions()
/// options.entityRetention = ["Reading": .last(.seconds(7 * 24 * 3600))]
/// let store = try Store(directory: directory, entities: Reading.self, options: options)
/// let shipper = try EventShipper(store, of: [Reading.self], to: stream)
/// try await shipper.run()
/// ```
///
/// Events that the stream has not stored stay in the store, whatever its retention is, so the
/// device may be offline for any time. A batch that is sent twice is stored or collected once.
/// Create the shipper when the store is opened; see ``EventOutbox``.
public final class EventShipper: Sendable {
    /// The outbox with the acknowledged place. To skip events that cannot be sent, acknowledge a
    /// place after them while the shipper does not run.
    public let outbox: EventOutbox
    private let transport: any EventTransport
    private let options: EventShipperOptions
    private let state = Mutex(EventShipperStatus())
    /// The place after the events that the stream has, as far as it is known.
    private let sentPlace: Mutex<EventPosition>
    private let isRunning = Atomic(false)

    /// Creates a shipper, and takes the lock of its name. Sends nothing. Throws the errors of
    /// `EventOutbox.init(_:of:name:)`.
    public convenience init(
        _ store: Store, of types: [any Event.Type], to stream: EventStream,
        options: EventShipperOptions = EventShipperOptions()
    ) throws {
        try self.init(store, of: types, to: stream.transport, options: options)
    }

    init(
        _ store: Store, of types: [any Event.Type], to transport: any EventTransport,
        options: EventShipperOptions
    ) throws {
        outbox = try EventOutbox(store, of: types, name: options.name)
        self.transport = transport
        self.options = options
        sentPlace = Mutex(outbox.acknowledged)
    }

    /// Ends the use of the shipper, and its ``run()``. Another one may exist then.
    public func close() { outbox.close() }

    /// The state of sending.
    public var status: EventShipperStatus {
        var status = state.withLock { $0 }
        status.pendingCommitCount = outbox.pendingCommitCount
        return status
    }

    /// Sends events until the task is cancelled, or the shipper or the store is closed.
    ///
    /// Failures of the connection and of the servers are repeated, and are in ``status``. Throws
    /// `.locked` if the shipper runs already; `.historyOfAnotherStore` if another copy of the
    /// store's directory has sent events; `.historyTruncated` if a compaction dropped events that
    /// were not sent; `NATSError` for a message that no server accepts and for a closed connection;
    /// and the errors of reading.
    public func run() async throws {
        do {
            try await send(through: nil)
        } catch let error as DaybookError where error.code == .closed {
            return
        }
    }

    /// Sends the events up to now, and returns when the stream has stored all of them: for a task
    /// in the background of an app. If the shipper runs already, waits for it.
    ///
    /// Throws as ``run()``; after a time limit the last failure, or `.interrupted` without one.
    public func sendPending(timeout: Duration = .seconds(30)) async throws {
        let target = EventPosition(
            sequence: outbox.acknowledged.sequence + outbox.pendingCommitCount)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while sentPlace.withLock({ $0 }) < target {
                    do {
                        try await send(through: target)
                    } catch let error as DaybookError where error.code == .locked {
                        try await Task.sleep(for: Self.pollInterval)
                    }
                }
            }
            group.addTask { [self] in
                try await Task.sleep(for: timeout)
                throw state.withLock { $0.failure }
                    ?? DaybookError(
                        .interrupted,
                        "The events were not sent within \(timeout). They stay in the store; try"
                            + " again.")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static let pollInterval = Duration.milliseconds(20)

    /// Sends until the place is reached; nil for endlessly.
    private func send(through target: EventPosition?) async throws {
        guard !isRunning.exchange(true, ordering: .acquiringAndReleasing) else {
            throw DaybookError(.locked, "The shipper '\(options.name)' is running already.")
        }
        defer { isRunning.store(false, ordering: .releasing) }
        var sender = EventSender(outbox, transport) { [self] error in
            state.withLock { $0.failure = error }
        }
        do {
            try await sender.begin()
            try await send(with: &sender, through: target)
        } catch {
            // The stream has these events; otherwise the next shipper finds their end there.
            try? await acknowledge(sender.place)
            throw error
        }
        try await acknowledge(sender.place)
    }

    private func send(
        with sender: inout EventSender, through target: EventPosition?
    ) async throws {
        var lastAcknowledgement = ContinuousClock.now
        while !Task.isCancelled {
            let (outbox, options) = (outbox, options)
            let (place, previous) = (sender.place, sender.previous)
            let batch = try await Blocking.run {
                try outbox.next(
                    after: place, previous: previous, sizeBytesMax: options.batchSizeBytesMax)
            }
            if batch.isEmpty {
                sender.place = batch.end
            } else {
                let isSent = try await sender.send(batch)
                state.withLock { state in
                    if isSent { state.sentEventCount += batch.eventCount }
                    state.failure = nil
                }
            }
            let reached = sender.place
            sentPlace.withLock { $0 = max($0, reached) }
            if let target, reached >= target { return }
            if lastAcknowledgement.duration(to: .now) >= options.acknowledgementInterval {
                try await acknowledge(sender.place)
                lastAcknowledgement = .now
            }
            if batch.isEmpty, batch.end == place { await waitForCommit(after: batch.end) }
        }
        try Task.checkCancellation()
    }

    /// Waits for a commit. If the place is not acknowledged yet, at most for the interval.
    private func waitForCommit(after place: EventPosition) async {
        let limit = place > outbox.acknowledged ? options.acknowledgementInterval : nil
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { [outbox] in
                await outbox.waitForCommit(after: place)
                return true
            }
            if let limit {
                group.addTask {
                    try? await Task.sleep(for: limit)
                    return false
                }
            }
            defer { group.cancelAll() }
            if await group.next() == true, options.gatherInterval > .zero {
                // Events that follow soon share the message.
                try? await Task.sleep(for: options.gatherInterval)
            }
        }
    }

    private func acknowledge(_ place: EventPosition) async throws {
        let outbox = outbox
        try await Blocking.run { try outbox.acknowledge(place) }
    }
}
