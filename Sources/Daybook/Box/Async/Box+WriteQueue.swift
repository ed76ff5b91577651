import DaybookBytes
import DaybookEngine

// Writes that the caller does not wait for; ObjectBox's `AsyncBox` is a projection of them.

extension Box {
    /// Encodes objects, reserves ids for the new ones, and returns the ids before the objects are
    /// stored. Sets the ids of objects of classes, also of new objects in relations. A write on the
    /// queue of the store puts the objects later; its errors are events
    /// (``StoreEvent/backgroundFailed(_:_:)``).
    ///
    /// The objects keep the changes of their relations: a later put of the same objects writes the
    /// same links again, without effect.
    ///
    /// - Parameter timeoutSeconds: how long the call waits for a place in the queue, if 4,096
    ///   writes wait.
    /// - Throws: `.interrupted` after the timeout; `.invalidArgument` for a type with a primary
    ///   key, whose objects have no id before they are stored, and for a changed list or map of
    ///   objects; the errors of encoding; `.closed`, `.readOnly`. Nothing is put then.
    package func enqueuePut(
        _ objects: some Collection<E>, mode: PutMode, timeoutSeconds: Double
    ) throws -> [Id] {
        let binding = try binding()
        guard !objects.isEmpty else { return [] }
        let options = PutOptions(mode: mode)
        if binding.hasRelations {
            return try enqueueGraph(objects, options, timeoutSeconds)
        }
        var previous: [StoredRow?] = []
        if binding.keepsUnknownValues {
            previous = try objects.map { try binding.previous(of: try binding.sought($0, types)) }
        }
        var encoded = try EncodedObjects(objects, binding, types, replacing: previous)
        try encoded.assignIds { try engine.newIds(binding, count: $0) }
        let ready = encoded
        try engine.enqueue(timeoutSeconds: timeoutSeconds) { transaction throws(DaybookError) in
            _ = try ready.put(in: transaction, options)
        }
        if E.self is AnyClass {
            for (object, id) in zip(objects, encoded.ids) where object.entityId != id {
                Self.setId(of: object, to: id)
            }
        }
        return encoded.ids
    }

    private func enqueueGraph(
        _ objects: some Collection<E>, _ options: PutOptions, _ timeoutSeconds: Double
    ) throws -> [Id] {
        var puts = GraphBuilder(types)
        let places = try puts.add(roots: objects)
        try puts.encode()
        var (graph, receipts) = puts.finish()
        try graph.requireNoLists()
        for place in graph.nodes.indices where graph.nodes[place].id == 0 {
            graph.nodes[place].id = try engine.newIds(graph.nodes[place].binding, count: 1)
                .lowerBound
        }
        let ready = graph
        try engine.enqueue(timeoutSeconds: timeoutSeconds) { transaction throws(DaybookError) in
            _ = try ready.put(in: transaction, options)
        }
        receipts.setIds(graph.nodes.map(\.id))
        return places.map { graph.nodes[$0].id }
    }

    /// Adds a removal to the queue of the store, and returns before the objects are removed. Ids
    /// without an object are skipped.
    ///
    /// Throws `.closed`, `.readOnly`, and `.interrupted` as
    /// ``enqueuePut(_:mode:timeoutSeconds:)`` does.
    package func enqueueRemove(_ ids: [Id], timeoutSeconds: Double) throws {
        let entity = try binding().entity
        try engine.enqueue(timeoutSeconds: timeoutSeconds) { transaction throws(DaybookError) in
            _ = try transaction.changes.remove(entity, ids)
        }
    }

    /// The ids of objects, for types with a primary key by their keys. Objects that are not stored
    /// are left out.
    package func storedIds(of objects: some Collection<E>) throws -> [Id] {
        let binding = try binding()
        return try objects.map { try binding.id(of: try binding.sought($0, types)) }
            .filter { $0 != 0 }
    }
}

extension Store {
    /// Waits until the writes that were added to the queue before are visible or have failed.
    /// Returns false in a closed store, and without waiting in a write transaction of this thread,
    /// because the queue waits for its end.
    package func waitForQueue() -> Bool { engine.waitForQueue() && engine.isOpen }
}

extension EncodedGraph {
    fileprivate func requireNoLists() throws(DaybookError) {
        for edit in edits {
            guard case .list = edit.change else { continue }
            let name = edit.relation.name
            throw DaybookError(
                .invalidArgument,
                "The list '\(name)' was changed: the positions of its elements are only known after"
                    + " the commit. Put the object with 'put' instead of the queue.",
                details: ["relation": name])
        }
    }
}

extension Engine {
    /// Reserves ids for new objects. Throws `.invalidArgument` for a type with a primary key, and
    /// `.idInvalid` if there are no more ids.
    fileprivate func newIds(
        _ binding: EntityBinding, count: Int
    ) throws(DaybookError) -> Range<Id> {
        guard binding.primaryKey == nil else {
            throw DaybookError(
                .invalidArgument,
                "'\(binding.name)' has a primary key, so its objects get their ids when they are"
                    + " stored. Put them with 'put' instead of the queue.",
                details: ["entity": binding.name])
        }
        let ids = reserveIds(binding.entity, count: count)
        guard ids.count == count else { throw WriteTransaction.idInvalid(ids.upperBound) }
        return ids
    }
}
