import DaybookEngine

extension Store {
    /// Appends an event to the log.
    ///
    /// The event contains the ids of the objects in its relations. Objects that are not stored yet
    /// are put first, in the same transaction. A stored object may be removed before or after that:
    /// the event keeps its id.
    ///
    /// - Throws: `.entityNotRegistered`, `.invalidValue` for a property that cannot be stored, and
    ///   the errors of every write. Nothing is changed then.
    /// - Complexity: one record in the log, whatever the number of events. One sync, unless
    ///   concurrent commits share it or the durability does not require one.
    public func append<E: Event>(_ event: E) throws { try append(CollectionOfOne(event)) }

    /// Appends events to the log in one transaction: all of them or none. Throws as `append` of one
    /// event.
    public func append<E: Event>(_ events: some Collection<E>) throws {
        let (encoded, receipts) = try EncodedEvents.encode(events, types)
        guard !encoded.isEmpty else { return }
        try append(encoded, receipts)
    }

    /// `append` without blocking the caller's thread.
    public nonisolated(nonsending) func append<E: Event>(_ event: E) async throws {
        try await append(CollectionOfOne(event))
    }

    /// `append` of several events in one transaction, without blocking the caller's thread.
    public nonisolated(nonsending) func append<E: Event>(
        _ events: some Collection<E>
    ) async throws {
        let (encoded, receipts) = try EncodedEvents.encode(events, types)
        guard !encoded.isEmpty else { return }
        receipts.settle(try await engine.write { try encoded.append(to: $0) })
    }
}
