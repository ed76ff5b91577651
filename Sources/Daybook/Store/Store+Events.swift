import DaybookEngine

extension Store {
    /// Appends an event to the log.
    ///
    /// - Throws: `.entityNotRegistered`, `.invalidValue` for a property that cannot be stored, and
    ///   what every write throws. Nothing is changed then.
    /// - Complexity: one record in the log, whatever the number of events; a sync unless one is
    ///   shared or the durability asks for none.
    public func append<E: Event>(_ event: E) throws { try append(CollectionOfOne(event)) }

    /// Appends events to the log in one transaction: all of them or none. Throws as `append` of one
    /// does.
    public func append<E: Event>(_ events: some Collection<E>) throws {
        let encoded = try EncodedEvents(events, types)
        guard !encoded.isEmpty else { return }
        try engine.operate { try encoded.append(to: $0) }
    }

    /// `append` without blocking.
    public nonisolated(nonsending) func append<E: Event>(_ event: E) async throws {
        try await append(CollectionOfOne(event))
    }

    /// `append` of several events in one transaction, without blocking.
    public nonisolated(nonsending) func append<E: Event>(
        _ events: some Collection<E>
    ) async throws {
        let encoded = try EncodedEvents(events, types)
        guard !encoded.isEmpty else { return }
        try await engine.write { try encoded.append(to: $0) }
    }
}

/// Events as rows, ready to be appended on another thread.
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
            _ = try transaction.append(
                entity, layout: layout, row: bytes.span.extracting(row))
        }
    }
}
