public import Daybook
import DaybookEvents
import DaybookNATS
import ReplicationSupport
import Synchronization

/// Appends the events of an ``EventStream`` to a store, each event once.
///
/// ```swift
/// let store = try Store(
///     directoryPath: path, entities: [Reading.self] + EventCollector.entities)
/// try await EventCollector(store, from: stream).run()
/// ```
///
/// The store keeps its place in the stream, and the place of each device. An event that the program
/// cannot represent is a `RejectedEvent`; `EventInbox.retryRejected()` appends it after an update
/// of the program.
public final class EventCollector: Sendable {
    /// The types that the store needs in addition to the events.
    public static let entities: [any Storable.Type] = EventInbox.entities + [CollectedStream.self]

    private let store: Store
    private let inbox: EventInbox
    private let transport: any EventTransport
    private let options: EventCollectorOptions
    private let state = Mutex(EventCollectorStatus())

    /// Creates a collector. Reads nothing. Throws `.entityNotRegistered` for a store that was
    /// opened without ``entities``, and `.closed`.
    public convenience init(
        _ store: Store, from stream: EventStream,
        options: EventCollectorOptions = EventCollectorOptions()
    ) throws {
        try self.init(store, from: stream.transport, options: options)
    }

    init(
        _ store: Store, from transport: any EventTransport, options: EventCollectorOptions
    ) throws {
        self.store = store
        inbox = try EventInbox(store)
        _ = try store.box(for: CollectedStream.self).count()
        self.transport = transport
        self.options = options
    }

    /// The state of collecting.
    public var status: EventCollectorStatus { state.withLock { $0 } }

    /// The number of messages that are not collected yet. Throws `NATSError`, and the errors of
    /// reading the store.
    public func lag() async throws -> UInt64 {
        let last = try await transport.state().lastSequence
        let known = try await place()?.sequence ?? 0
        return last > known ? last - known : 0
    }

    /// Collects events until the task is cancelled or the store is closed.
    ///
    /// Failures of the connection and of the servers are repeated, and are in ``status``. Throws
    /// `.eventsMissing`, `.eventStreamReplaced`, `.formatTooNew` for a batch of a newer release,
    /// `NATSError` for a closed connection, and the errors of writes.
    public func run() async throws {
        do {
            try await collect(through: nil)
        } catch let error as DaybookError where error.code == .closed {
            return
        }
    }

    /// Collects the events that the stream has now. Throws as ``run()``.
    public func collectPending() async throws {
        var delay = RetryDelay()
        while true {
            do {
                return try await collect(through: try await transport.state().lastSequence)
            } catch let error as NATSError {
                guard error.code != .closed else { throw error }
                note(error)
                await delay.wait()
                try Task.checkCancellation()
            }
        }
    }

    private func collect(through last: UInt64?) async throws {
        var delay = RetryDelay()
        var reading: EventReading?
        var emptyCount = 0
        while !Task.isCancelled {
            do {
                if reading == nil { reading = try await begin() }
                guard var current = reading else { continue }
                if let last, current.place.sequence >= last {
                    return await current.reader.close()
                }
                let messages = try await current.reader.next()
                // A wait for messages does not notice a closed store.
                _ = try store.sequence
                try await append(messages, &current)
                reading = current
                emptyCount = messages.isEmpty ? emptyCount + 1 : 0
                if last != nil, emptyCount == 2 {
                    // The last messages were removed, or are parts of an incomplete batch.
                    return await current.reader.close()
                }
                delay = RetryDelay()
                state.withLock { $0.failure = nil }
            } catch let error as NATSError {
                guard error.code != .closed else { throw error }
                note(error)
                await reading?.reader.close()
                reading = nil
                await delay.wait()
            } catch {
                await reading?.reader.close()
                throw error
            }
        }
        await reading?.reader.close()
        try Task.checkCancellation()
    }

    private func note(_ error: any Error) { state.withLock { $0.failure = error } }

    /// The reading of the stream between two failures.
    private struct EventReading {
        var place: CollectedStream
        var assembler: EventAssembler
        /// The last message that was read.
        var seen: UInt64
        let reader: any EventReader
        /// The last message that this reading has removed.
        var purged: UInt64 = 0
        var lastPurge = ContinuousClock.now
    }

    private func place() async throws -> CollectedStream? {
        let (store, name) = (store, transport.name)
        return try await Blocking.run {
            try store.box(for: CollectedStream.self).get(key: name)
        }
    }

    private func begin() async throws -> EventReading {
        let state = try await transport.state()
        let known = try await place()
        if let known {
            guard known.creationTime == state.creationTime, known.sequence <= state.lastSequence
            else { throw DaybookError.eventStreamReplaced(known, state) }
        }
        let place =
            known
            ?? CollectedStream(
                name: transport.name, creationTime: state.creationTime, sequence: 0)
        return EventReading(
            place: place, assembler: EventAssembler(after: place.sequence), seen: place.sequence,
            reader: try await transport.reader(after: place.sequence))
    }

    /// Appends the events of messages, and saves the place.
    private func append(
        _ messages: [EventMessage], _ reading: inout EventReading
    ) async throws {
        if !messages.isEmpty {
            let current = reading
            reading = try await Blocking.run { [self] in
                var next = current
                for message in messages { try append(message, &next) }
                guard next.assembler.place > next.place.sequence else { return next }
                next.place.sequence = next.assembler.place
                next.place.entityId = try store.box(for: CollectedStream.self).put(next.place)
                return next
            }
            let sequence = reading.place.sequence
            state.withLock { $0.sequence = sequence }
        }
        try await purge(&reading, isIdle: messages.isEmpty)
    }

    private func append(_ message: EventMessage, _ reading: inout EventReading) throws {
        if message.sequence != reading.seen + 1 {
            // A new collector begins with the first message that there is.
            let isFirst = reading.seen == 0
            guard isFirst || options.acceptsMissingMessages else {
                throw DaybookError.eventsMissing(
                    stream: transport.name, after: reading.seen, first: message.sequence)
            }
            let missing = isFirst ? 0 : message.sequence - reading.seen - 1
            state.withLock { $0.missingMessageCount += missing }
        }
        reading.seen = message.sequence
        switch try reading.assembler.add(message) {
        case .batch(let batch):
            let report = try inbox.append(batch)
            state.withLock { $0.events.add(report) }
        case .foreign: state.withLock { $0.foreignMessageCount += 1 }
        case .incomplete: break
        }
    }

    /// The minimum time between two purges of messages while others arrive.
    private static let purgeInterval = Duration.seconds(10)

    private func purge(_ reading: inout EventReading, isIdle: Bool) async throws {
        guard options.purgesCollected, reading.place.sequence > 0,
            isIdle || reading.lastPurge.duration(to: .now) > Self.purgeInterval
        else { return }
        let (store, sequence) = (store, reading.place.sequence)
        guard sequence > reading.purged else { return }
        try await Blocking.run { try store.sync() }
        try await transport.purge(through: sequence)
        reading.purged = sequence
        reading.lastPurge = .now
    }
}
