public import Daybook
import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookRows
import Synchronization

/// Reads the events of a store in batches, for a store that collects the events of many.
///
/// ```swift
/// let outbox = try EventOutbox(store, of: [Reading.self])
/// var place = outbox.acknowledged
/// var previous: EventPosition?
/// while !Task.isCancelled {
///     let batch = try outbox.next(after: place, previous: previous)
///     if !batch.isEmpty {
///         try await send(batch.bytes)
///         try outbox.acknowledge(batch.end)
///         previous = batch.end
///     }
///     if batch.end == place { await outbox.waitForCommit(after: place) }
///     place = batch.end
/// }
/// ```
///
/// The store keeps the acknowledged place as that of a ``Daybook/Consumer`` with the outbox's name.
/// So a compaction keeps events that were not acknowledged, and with
/// ``Daybook/StoreOptions/entityRetention`` the store drops the others by itself. Acknowledge the
/// end of an empty batch from time to time, too: the place keeps all other history, as well. Create
/// the outbox when the store is opened, before events are appended.
///
/// One outbox of a name can exist at a time, in all processes. The calls may block on the disk; an
/// outbox may be used from any thread.
public final class EventOutbox: Sendable {
    private struct State {
        /// The commit of which a batch contains only a part.
        var rest: HistoryTransaction?
        var lock: (any FileLock)?
    }

    /// The name of a consumer, under which the store keeps the acknowledged place.
    public let name: String
    private let store: Store
    private let entityNames: Set<String>
    /// Held while events are read and places are written.
    private let state: Mutex<State>
    private let place: Mutex<EventPosition>
    private let isOpen = Atomic(true)

    private var engine: Engine { store.engine }

    /// The maximum number of commits that one call reads.
    private static let commitCountMax = 10_000

    /// Creates the outbox of a store for some types of events, and takes the lock of its name. A
    /// new outbox begins before the first event; in a store whose history a compaction has dropped
    /// up to a floor, after the floor.
    ///
    /// Throws `.locked` if the outbox exists already, `.invalidArgument` for a type that the store
    /// does not have, a type with relations and an invalid name, `.corruption` for a damaged
    /// place, `.historyOfAnotherStore`, `.permissionDenied`, `.closed`.
    public init(
        _ store: Store, of types: [any Event.Type], name: String = "event-outbox"
    ) throws {
        self.store = store
        self.name = name
        let engine = store.engine
        try engine.requireOpen()
        entityNames = Set(types.map { $0.entityDescription.name })
        for type in types { try Self.check(type.entityDescription, engine) }
        let consumers = ConsumerStore(engine)
        let lock = try consumers.lock(name)
        do {
            let known = try consumers.position(of: name)
            let begun = ChangePosition(
                store: engine.position.store, sequence: known?.sequence ?? engine.historyFloor)
            // A consumer without a position would not keep its events from a compaction.
            if known == nil { try consumers.write(begun, of: name) }
            state = Mutex(State(lock: lock))
            place = Mutex(.after(begun.sequence))
        } catch {
            lock.release()
            throw error
        }
    }

    private static func check(
        _ description: EntityDescription, _ engine: Engine
    ) throws(DaybookError) {
        _ = try EventForm(description.name, engine.schemas)
        guard let relation = description.properties.first(where: \.isRelation) else { return }
        throw DaybookError(
            .invalidArgument,
            "The event \(description.name) has the relation '\(relation.name)', whose ids identify"
                + " no object in another store. Declare a property with a value that identifies"
                + " the object there.",
            details: ["entity": description.name, "property": relation.name])
    }

    deinit { close() }

    /// Ends the use of the outbox, so that another one of the name may exist. Later calls throw
    /// `.closed`, and waits for commits end.
    public func close() {
        isOpen.store(false, ordering: .releasing)
        engine.commitSignal.wakeAll()
        state.withLock { state in
            state.lock?.release()
            state.lock = nil
        }
    }

    private func requireOpen(_ state: borrowing State) throws(DaybookError) {
        try engine.requireOpen()
        guard state.lock != nil else {
            throw DaybookError(
                .closed, "The outbox '\(name)' is closed. Create another one.",
                details: ["consumer": name])
        }
    }

    /// The identity of the store, a UUID.
    public var storeIdentity: String { engine.log.store.description }

    /// The place that was acknowledged last.
    public var acknowledged: EventPosition { place.withLock { $0 } }

    /// The number of durable commits after the acknowledged place, with events or without.
    public var pendingCommitCount: UInt64 {
        let (last, first) = (engine.commitSignal.sequence, acknowledged.sequence)
        return last >= first ? last - first + 1 : 0
    }

    /// Returns the next events after a place, as far as they are durable. The batch is empty if
    /// there are none up to its end. Its end may be in the middle of a commit.
    ///
    /// - Parameters:
    ///   - place: the place, such as ``acknowledged`` or the end of the batch before.
    ///   - previous: the end of the batch with events before, if it is known. A receiver that does
    ///     not have that batch notices it.
    ///   - sizeBytesMax: the size of the text after which the batch ends. It contains at least one
    ///     event. The encoded bytes are usually a small part of it.
    /// - Throws: `.historyTruncated` if a compaction dropped events after the place, which needs
    ///   `ignoringConsumers`; `.historyOfAnotherStore` for a place that the store has not reached;
    ///   `.overflow` for an event of more than ``EventBatch/sizeBytesMax``; `.corruption`,
    ///   `.closed`.
    /// - Complexity: a read of the log from near the place. A commit is in memory while its events
    ///   are read.
    public func next(
        after place: EventPosition, previous: EventPosition? = nil, sizeBytesMax: Int = 256 << 10
    ) throws -> EventBatch {
        try state.withLock { state in
            try requireOpen(state)
            let last = engine.commitSignal.sequence
            guard place.sequence <= last else {
                if place > .after(last) { throw ahead(place, last) }
                state.rest = nil
                return try EventBatchWriter(
                    store: storeIdentity, start: place, previous: previous
                ).batch(end: place)
            }
            var reading = OutboxReading(
                EventBatchWriter(store: storeIdentity, start: place, previous: previous),
                entityNames, engine.schemas, place, sizeBytesMax: sizeBytesMax)
            if let rest = state.rest, rest.sequence == place.sequence {
                try reading.read(rest)
            }
            if !reading.isFull { try read(&reading, through: last) }
            state.rest = reading.rest
            return try reading.writer.batch(end: reading.place)
        }
    }

    private func read(
        _ reading: inout OutboxReading, through last: UInt64
    ) throws(DaybookError) {
        guard reading.place.sequence <= last else { return }
        // A compaction keeps the commit at the floor, but not its events.
        guard reading.place.sequence > engine.historyFloor else { throw dropped(reading.place) }
        let first = reading.place.sequence
        let range = HistoryRange(from: .sequence(first), until: .sequence(last))
        var count = 0
        try engine.forEachTransaction(in: range, matching: EventFilter(kinds: [.event])) {
            transaction throws(DaybookError) in
            try reading.read(transaction)
            count += 1
            return !reading.isFull && count < Self.commitCountMax
        }
        // A compaction during the read.
        guard first > engine.historyFloor else { throw dropped(EventPosition(sequence: first)) }
        // Commits that a compaction dropped.
        if !reading.isFull, count < Self.commitCountMax { reading.place = .after(last) }
    }

    /// Acknowledges all events before a place: the store may drop them. Durable on return. Has no
    /// effect for a place before the acknowledged one.
    ///
    /// The store keeps whole commits only, so after a crash, the events of the place's commit are
    /// read again. Cost: two syncs, unless the place is in the same commit. Throws
    /// `.historyOfAnotherStore` for a place that the store has not reached, `.permissionDenied`,
    /// `.outOfSpace`, `.inputOutput`, `.closed`.
    public func acknowledge(_ place: EventPosition) throws {
        try state.withLock { state in
            try requireOpen(state)
            let known = acknowledged
            guard place > known else { return }
            let last = engine.commitSignal.sequence
            guard place <= .after(last) else { throw ahead(place, last) }
            if place.sequence > known.sequence {
                let position = ChangePosition(
                    store: engine.position.store, sequence: place.sequence - 1)
                try ConsumerStore(engine).write(position, of: name)
            }
            self.place.withLock { $0 = place }
        }
    }

    /// Returns the place after events that a compaction dropped although they were not
    /// acknowledged; the place itself if there are none.
    public func skipDropped(after place: EventPosition) -> EventPosition {
        max(place, .after(engine.historyFloor))
    }

    /// Waits until there is a durable commit after a place, the store or the outbox is closed, or
    /// the task is cancelled.
    public func waitForCommit(after place: EventPosition) async {
        await engine.commitSignal.wait(after: max(place.sequence, 1) - 1) { [self] in
            isOpen.load(ordering: .acquiring)
        }
    }

    /// Throws `.historyOfAnotherStore` if this store did not send a batch that the receiver has
    /// from it: another copy of its directory, with the same identity, has sent other events.
    ///
    /// The comparison uses the time of the batch's last commit, if a compaction has not dropped it.
    public func check(_ sent: EventBatchEnd) throws {
        try engine.requireOpen()
        guard sent.lastCommit <= engine.log.lastSequence else { throw isOther(sent) }
        guard sent.lastCommit > engine.historyFloor else { return }
        let range = HistoryRange(
            from: .sequence(sent.lastCommit), until: .sequence(sent.lastCommit))
        var time: Int64?
        try engine.forEachTransaction(in: range) { transaction throws(DaybookError) in
            time = transaction.timeMicroseconds
            return false
        }
        if let time, time != sent.lastCommitMicroseconds { throw isOther(sent) }
    }

    private func isOther(_ sent: EventBatchEnd) -> DaybookError {
        DaybookError(
            .historyOfAnotherStore,
            "Events of the store \(storeIdentity) up to the place \(sent.place) were sent, and they"
                + " are not in \(engine.log.directory): another copy of the directory has sent"
                + " events. Use one copy only, and make others with a backup, whose restored store"
                + " has an identity of its own.",
            details: ["store": storeIdentity, "place": "\(sent.place)"])
    }

    private func dropped(_ place: EventPosition) -> DaybookError {
        DaybookError(
            .historyTruncated,
            "A compaction of \(engine.log.directory) may have dropped events after the place"
                + " \(place). Continue at the acknowledged place, or after it with"
                + " EventOutbox.skipDropped(after:).",
            details: ["place": "\(place)", "historyFloor": String(engine.historyFloor)])
    }

    private func ahead(_ place: EventPosition, _ last: UInt64) -> DaybookError {
        DaybookError(
            .historyOfAnotherStore,
            "The place \(place) is after the last durable commit \(last) of"
                + " \(engine.log.directory). Continue at the acknowledged place.",
            details: ["place": "\(place)", "lastSequence": String(last)])
    }
}
