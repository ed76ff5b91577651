import DaybookEngine

extension QueryAccess {
    /// Like ``scanConcurrently(_:ids:inOrder:objectCountMin:_:_:)``, row by row.
    func scanRowsConcurrently<State>(
        _ entity: UInt32, ids: ClosedRange<UInt64> = 0...UInt64.max, inOrder: Bool = true,
        objectCountMin: Int = 50_000, _ makeState: () throws -> State,
        _ body:
            @escaping @Sendable (
                _ state: inout State, _ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64
            ) throws -> Bool
    ) throws -> [State] {
        try scanConcurrently(
            entity, ids: ids, inOrder: inOrder, objectCountMin: objectCountMin, makeState
        ) { state, batch in
            try batch.forEach { row, layout, id in try body(&state, row, layout, id) }
        }
    }
}
