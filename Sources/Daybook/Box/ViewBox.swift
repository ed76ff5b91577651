import DaybookBytes
import DaybookEngine

/// How many rows are read ahead at once.
private let pieceCount = 256

/// The objects of one entity in one version of a store: see ``StoreView``. Every call throws
/// `.entityNotRegistered` for a type that the store was opened without, and `.closed` once the
/// store is closed.
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

    /// The object under an id, or nil. Throws `.corruption` for damaged bytes.
    public func get(_ id: Id) throws -> E? {
        let (binding, view) = try opened()
        return try view.row(binding.entity, id).map { try binding.decode($0, as: E.self, types) }
    }

    /// The object under a typed id, or nil. As `get` with a plain id.
    @_disfavoredOverload
    public func get(_ id: EntityId<E>) throws -> E? { try get(id.value) }

    /// The objects under ids, in the order of the ids, without those that are missing.
    public func get(_ ids: some Collection<Id>) throws -> [E] {
        let (binding, _) = try opened()
        return try types.scope().rows(binding.entity, Array(ids)).map {
            try binding.decode($0, as: E.self, types)
        }
    }

    /// All objects, in the order of their ids.
    public func all() throws -> [E] {
        var objects: [E] = []
        objects.reserveCapacity(try count())
        try forEach { objects.append($0) }
        return objects
    }

    /// Gives each object to `body`, one at a time in the order of ids. Throws what `body` throws.
    public func forEach(_ body: (E) throws -> Void) throws {
        let (binding, view) = try opened()
        var scan = view.scan(binding.entity)
        while let row = try scan.next() {
            try body(try binding.decode(row, as: E.self, types))
        }
    }

    /// How many objects there are. Cost: O(1).
    public func count() throws -> Int {
        let (binding, view) = try opened()
        return try view.count(binding.entity)
    }

    /// Whether there are no objects.
    public func isEmpty() throws -> Bool { try count() == 0 }

    /// Whether an object lives under the id. Cost: a tree walk.
    public func contains(_ id: Id) throws -> Bool {
        let (binding, view) = try opened()
        return try view.contains(binding.entity, id)
    }
}

// The same operations for `async` callers; objects are made where the caller runs.

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

    /// `forEach` without blocking: read ahead in pieces; `body` runs where the caller does.
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
