public import Daybook
import DaybookEvents
import DaybookNATS
import ReplicationSupport
import Synchronization

/// Appends the events of an ``EventStream`` to a store, each event once.
///
/// ```swift
/// let store = try Store(path: path, entities: [Reading.self] + EventCollector.entities)
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
        let state = try await transport.state()
        let known = max(try await place()?.sequence ?? 0, max(state.firstSequence, 1) - 1)
        return state.lastSequence > known ? state.lastSequence - known : 0
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
                if let last, current.seen >= last, current.assembler.place >= last {
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
        /// The last message through which this reading has removed messages.
        var purged: UInt64 = 0
        var lastPurge = ContinuousClock.now
    }

    private func place() async throws -> CollectedStream? {
        let (store, name) = (store, transport.name)
        return try await Blocking.run {
            try store.box(for: CollectedStream.self).get(key: name)
        }
    }

    /// The state of the stream and the place in it. Throws `.eventStreamReplaced` if they do not
    /// fit each other, also when a server with an old state had time to catch up.
    private func checkedState() async throws -> (EventStreamState, CollectedStream?) {
        var delay = RetryDelay()
        var attemptCount = 0
        while true {
            let known = try await place()
            let state = try await transport.state()
            guard let known else { return (state, nil) }
            if known.creationTime == state.creationTime, known.sequence <= state.lastSequence {
                return (state, known)
            }
            attemptCount += 1
            guard attemptCount < Self.attemptCountMax else {
                throw DaybookError.eventStreamReplaced(known, state)
            }
            await delay.wait()
            try Task.checkCancellation()
        }
    }

    private static let attemptCountMax = 4

    /// Counts messages that were removed before they were read. Throws `.eventsMissing` unless the
    /// program accepts them, or another collector of this store has read them.
    private func noteMissing(after last: UInt64, through end: UInt64) async throws {
        guard end > last else { return }
        let collected = max(last, try await place()?.sequence ?? 0)
        guard end > collected else { return }
        guard options.acceptsMissingMessages else {
            throw DaybookError.eventsMissing(
                stream: transport.name, after: collected, first: end + 1)
        }
        state.withLock { $0.missingMessageCount += end - collected }
    }

    private func begin() async throws -> EventReading {
        let (state, known) = try await checkedState()
        let place =
            known
            ?? CollectedStream(
                name: transport.name, creationTime: state.creationTime, sequence: 0)
        // The messages before the first one were removed.
        let seen = max(place.sequence, max(state.firstSequence, 1) - 1)
        if place.sequence > 0 { try await noteMissing(after: place.sequence, through: seen) }
        return EventReading(
            place: place, assembler: EventAssembler(after: seen), seen: seen,
            reader: try await transport.reader(after: seen))
    }

    /// Appends the events of messages, and saves the place.
    private func append(
        _ messages: [EventMessage], _ reading: inout EventReading
    ) async throws {
        for message in messages {
            try Task.checkCancellation()
            try await append(message, &reading)
        }
        if reading.assembler.place > reading.place.sequence {
            let (store, place) = (store, reading.place)
            let sequence = reading.assembler.place
            reading.place = try await Blocking.run {
                try Self.save(sequence, place, in: store)
            }
            state.withLock { $0.sequence = sequence }
        }
        try await purge(&reading, isIdle: messages.isEmpty)
    }

    /// Saves a place, unless another collector of the store has saved a later one.
    private static func save(
        _ sequence: UInt64, _ place: CollectedStream, in store: Store
    ) throws -> CollectedStream {
        try store.write {
            let box = store.box(for: CollectedStream.self)
            var saved = try box.get(key: place.name) ?? place
            guard sequence > saved.sequence else { return saved }
            saved.sequence = sequence
            saved.entityId = try box.put(saved)
            return saved
        }
    }

    private func append(_ message: EventMessage, _ reading: inout EventReading) async throws {
        guard message.sequence > reading.seen else { return }
        // A new collector begins with the first message that there is.
        if reading.seen > 0 {
            try await noteMissing(after: reading.seen, through: message.sequence - 1)
        }
        reading.seen = message.sequence
        switch try reading.assembler.add(message) {
        case .batch(let batch):
            let inbox = inbox
            let report = try await Blocking.run { try inbox.append(batch) }
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
