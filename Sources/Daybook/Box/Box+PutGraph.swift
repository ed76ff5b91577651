import DaybookBytes
import DaybookEngine

// Objects with relations: a put also stores the new objects in their relations.

extension Box {
    /// Stores objects and the new objects in their relations. Returns the ids of `objects` in
    /// order, and their counts.
    func putGraph(_ objects: [E], _ options: PutOptions) throws -> PutResult {
        var places: [Int] = []
        let outcome = try engine.putGraph(options, types) { puts in
            places = try puts.add(roots: objects)
            try puts.encode()
        }
        return PutResult(ids: places.map { outcome.ids[$0] }, counts: outcome.counts)
    }

    /// The same without blocking. Encodes rows in the caller's isolation, because the objects
    /// belong to it.
    nonisolated(nonsending) func putGraph(
        _ objects: some Collection<E>, _ options: PutOptions, _ previous: [StoredRow?]
    ) async throws -> PutResult {
        var puts = GraphBuilder(types)
        let places = try puts.add(roots: objects)
        // An object of a class may be among the objects twice, but only once in the graph.
        var rows = [StoredRow?](repeating: nil, count: previous.isEmpty ? 0 : objects.count)
        for (place, row) in zip(places, previous) { rows[place] = row }
        try puts.encode(replacing: rows)
        let (graph, receipts) = puts.finish()
        let outcome = try await engine.write { try graph.put(in: $0, options) }
        receipts.settle(outcome)
        return PutResult(ids: places.map { outcome.ids[$0] }, counts: outcome.counts)
    }
}

extension GraphBuilder {
    /// Adds the objects that the caller puts directly, and returns their places in the graph.
    mutating func add<E: Entity>(roots objects: some Collection<E>) throws -> [Int] {
        var places: [Int] = []
        places.reserveCapacity(objects.count)
        for object in objects { places.append(try add(object, isRoot: true)) }
        return places
    }
}
