import DaybookBytes
import DaybookEngine

/// The number of rows to read ahead in one batch.
private let pieceCount = 256

/// The objects of one entity in one version of a store; see ``StoreView``. Every call throws
/// `.entityNotRegistered` if the store was not opened with the type, and `.closed` after the store
/// was closed.
public struct ViewBox<E: Entity>: Sendable {
    let types: StoreTypes

    init(_ types: StoreTypes) {
        self.types = types[E.self].map { types.owned(by: $0) } ?? types
    }

    private func opened() throws -> (EntityBinding, ReadView) {
        let binding = try types.binding(of: E.self)
        guard types.engine.isOpen, let view = types.view else { throw StoreTypes.closed }
        return (binding, view)
    }

    /// Returns the object with an id, or nil. Throws `.corruption` for damaged bytes.
    public func get(_ id: Id) throws -> E? {
        let (binding, view) = try opened()
        return try view.row(binding.entity, id).map { try binding.decode($0, as: E.self, types) }
    }

    /// Returns the object with a typed id, or nil. As `get` with a plain id.
    @_disfavoredOverload
    public func get(_ id: EntityId<E>) throws -> E? { try get(id.value) }

    /// Returns the objects with these ids, in the order of the ids, without missing ones.
    public func get(_ ids: some Collection<Id>) throws -> [E] {
        let (binding, _) = try opened()
        return try types.scope().rows(binding.entity, Array(ids)).map {
            try binding.decode($0, as: E.self, types)
        }
    }

    /// Returns all objects, in the order of their ids.
    public func all() throws -> [E] {
        var objects: [E] = []
        objects.reserveCapacity(try count())
        try forEach { objects.append($0) }
        return objects
    }

    /// Calls `body` with each object, one at a time in the order of ids. Throws the error of
    /// `body`.
    public func forEach(_ body: (E) throws -> Void) throws {
        let (binding, view) = try opened()
        var scan = view.scan(binding.entity)
        while let row = try scan.next() {
            try body(try binding.decode(row, as: E.self, types))
        }
    }

    /// Returns the number of objects. Cost: O(1).
    public func count() throws -> Int {
        let (binding, view) = try opened()
        return try view.count(binding.entity)
    }

    /// Returns whether there are no objects.
    public func isEmpty() throws -> Bool { try count() == 0 }

    /// Returns whether there is an object with the id. Cost: one tree lookup.
    public func contains(_ id: Id) throws -> Bool {
        let (binding, view) = try opened()
        return try view.contains(binding.entity, id)
    }
}

// The asynchronous overloads. Objects are decoded in the caller's isolation.

extension ViewBox {
    /// `get` without blocking.
    public nonisolated(nonsending) func get(_ id: Id) async throws -> E? {
        try await get(CollectionOfOne(id)).first
    }

    /// `get` with a typed id, without blocking.
    @_disfavoredOverload
    public nonisolated(nonsending) func get(_ id: EntityId<E>) async throws -> E? {
        try await get(id.value)
    }

    /// `get` of several objects, without blocking.
    public nonisolated(nonsending) func get(_ ids: some Collection<Id>) async throws -> [E] {
        let (binding, _) = try opened()
        let (types, ids) = (types, Array(ids))
        let rows = try await types.engine.readElsewhere {
            try types.scope().rows(binding.entity, ids)
        }
        return try rows.map { try binding.decode($0, as: E.self, types) }
    }

    /// `all` without blocking.
    public nonisolated(nonsending) func all() async throws -> [E] {
        var objects: [E] = []
        try await forEach { objects.append($0) }
        return objects
    }

    /// `forEach` without blocking. Objects are read ahead in batches; `body` runs in the caller's
    /// isolation.
    public nonisolated(nonsending) func forEach(_ body: (E) throws -> Void) async throws {
        let (binding, view) = try opened()
        var next: Id? = 0
        while let start = next {
            let rows = try await types.engine.readElsewhere {
                try view.rows(binding.entity, from: start, limit: pieceCount)
            }
            for row in rows { try body(try binding.decode(row, as: E.self, types)) }
            next = rows.last.map { $0.id + 1 }
        }
    }

    /// `count` without blocking.
    public nonisolated(nonsending) func count() async throws -> Int {
        let (types, box) = (types, self)
        return try await types.engine.readElsewhere { try box.count() }
    }

    /// `isEmpty` without blocking.
    public nonisolated(nonsending) func isEmpty() async throws -> Bool { try await count() == 0 }

    /// `contains` without blocking.
    public nonisolated(nonsending) func contains(_ id: Id) async throws -> Bool {
        let (types, box) = (types, self)
        return try await types.engine.readElsewhere { try box.contains(id) }
    }
}
