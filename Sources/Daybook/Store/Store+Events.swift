import DaybookBytes
import DaybookEngine

extension Store {
    /// Appends an event to the log.
    ///
    /// - Throws: `.entityNotRegistered`, `.invalidValue` for a property that cannot be stored, and
    ///   the errors of every write. Nothing is changed then.
    /// - Complexity: one record in the log, whatever the number of events. One sync, unless
    ///   concurrent commits share it or the durability does not require one.
    public func append<E: Event>(_ event: E) throws { try append(CollectionOfOne(event)) }

    /// Appends events to the log in one transaction: all of them or none. Throws as `append` of one
    /// event.
    public func append<E: Event>(_ events: some Collection<E>) throws {
        let encoded = try EncodedEvents(events, types)
        guard !encoded.isEmpty else { return }
        try engine.operate { try encoded.append(to: $0) }
    }

    /// `append` without blocking the caller's thread.
    public nonisolated(nonsending) func append<E: Event>(_ event: E) async throws {
        try await append(CollectionOfOne(event))
    }

    /// `append` of several events in one transaction, without blocking the caller's thread.
    public nonisolated(nonsending) func append<E: Event>(
        _ events: some Collection<E>
    ) async throws {
        let encoded = try EncodedEvents(events, types)
        guard !encoded.isEmpty else { return }
        try await engine.write { try encoded.append(to: $0) }
    }
}

/// Events encoded as rows, to append on another thread.
private struct EncodedEvents: Sendable {
    private let entity: UInt32
    private let layout: UInt32
    private var rows: [Range<Int>] = []
    private var bytes: [UInt8] = []

    init<E: Event>(_ events: some Collection<E>, _ types: StoreTypes) throws {
        let binding = try types.binding(of: E.self)
        entity = binding.entity
        layout = binding.layoutID
        var writer = RowWriter(binding.layout, types)
        for event in events {
            writer.begin(replacing: nil)
            try event.encode(into: &writer)
            writer.encoder.finish()
            let start = bytes.count
            bytes += writer.encoder.row.array
            rows.append(start..<bytes.count)
        }
    }

    var isEmpty: Bool { rows.isEmpty }

    func append(to transaction: WriteTransaction) throws(DaybookError) {
        for row in rows {
            _ = try transaction.changes.append(
                entity, layout: layout, row: bytes.span.extracting(row))
        }
    }
}
