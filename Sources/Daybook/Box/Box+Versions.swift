import DaybookBytes
import DaybookEngine

// Changes that are made only if nobody else has made one. Nothing is locked while a person thinks:
// whoever comes second is told so, and decides.

extension Box {
    /// The number of the commit that changed the object under an id last; nil where there is none.
    ///
    /// Links to other objects are no part of the object. What a running transaction has done to it
    /// has no number yet: there it is the commit before, and 0 for an object that it inserted.
    /// Cost: a tree walk. Throws `.closed`, `.entityNotRegistered`.
    public func sequence(of id: Id) throws -> UInt64? {
        try engine.scope().lastChange(try binding().entity, id)
    }

    /// The object under an id, and the commit that changed it last; nil where there is none. Cost
    /// and errors as ``get(_:)-(Id)``.
    public func getVersioned(_ id: Id) throws -> Versioned<E>? {
        let binding = try binding()
        guard let row = try engine.row(binding.entity, id) else { return nil }
        return try versioned(row, binding)
    }

    /// Stores an object, unless somebody else has changed it since: then it throws `.conflict`,
    /// with nothing changed.
    ///
    /// - Parameter sequence: a commit as of which the caller knows the object: what
    ///   ``sequence(of:)`` said when it was read, or any later commit that it was read at, such as
    ///   ``Store/sequence``. A commit after it that changed or removed the object is a conflict;
    ///   one that only changed its links is none, and none is what the running transaction itself
    ///   has done to it. An object that has no id yet, and none of its primary key, is simply
    ///   stored.
    /// - Throws: `.conflict`, whose `details` name the object (`"entity"`, `"id"`) and both commits
    ///   (`"expected"`, `"sequence"`); ``conflict(in:)`` gives the other version.
    ///   `.invalidArgument` for a sequence that is not there yet. Else as a put without it.
    /// - Complexity: as a put without it, and a tree walk.
    @discardableResult
    public func put(
        _ object: E, ifUnchangedSince sequence: UInt64, mode: PutMode = .put
    ) throws -> Id {
        var object = object
        return try put(&object, PutOptions(mode: mode, unchangedSince: sequence))
    }

    /// Stores a struct, unless somebody else has changed it since, and sets its id. Else as `put`
    /// of an object of a class.
    @discardableResult
    public func put(
        _ object: inout E, ifUnchangedSince sequence: UInt64, mode: PutMode = .put
    ) throws -> Id {
        try put(&object, PutOptions(mode: mode, unchangedSince: sequence))
    }

    /// Removes the object under an id, unless somebody else has changed or removed it since: then
    /// it throws `.conflict`, with nothing changed. Else as ``remove(_:)-(Id)``.
    @discardableResult
    public func remove(_ id: Id, ifUnchangedSince sequence: UInt64) throws -> Bool {
        let binding = try binding()
        return try engine.operate { transaction in
            try transaction.requireUnchanged(binding.entity, id, since: sequence)
            return try remove(id)
        }
    }

    /// Removes an object, unless somebody else has changed or removed it since. As `remove` of its
    /// id; one that keeps no id is found by its primary key.
    @discardableResult
    public func remove(_ object: E, ifUnchangedSince sequence: UInt64) throws -> Bool {
        try remove(try binding().id(of: object, types), ifUnchangedSince: sequence)
    }

    /// A row and the commit that wrote it. That of a running transaction says none.
    private func versioned(_ row: StoredRow, _ binding: EntityBinding) throws -> Versioned<E> {
        let sequence =
            row.sequence > 0
            ? row.sequence : try engine.scope().lastChange(binding.entity, row.id) ?? 0
        return Versioned(
            object: try binding.decode(row, as: E.self, types), sequence: sequence)
    }
}

extension Box {
    /// `sequence` of an object, without blocking.
    public nonisolated(nonsending) func sequence(of id: Id) async throws -> UInt64? {
        try await engine.readElsewhere { try self.sequence(of: id) }
    }

    /// `getVersioned` without blocking.
    public nonisolated(nonsending) func getVersioned(_ id: Id) async throws -> Versioned<E>? {
        let binding = try binding()
        let row = try await engine.readElsewhere { try self.engine.row(binding.entity, id) }
        return try row.map { try versioned($0, binding) }
    }

    /// `put` of an object that nobody else has changed since, without blocking.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: E, ifUnchangedSince sequence: UInt64, mode: PutMode = .put
    ) async throws -> Id {
        try await putAndReturnIDs(
            CollectionOfOne(object), PutOptions(mode: mode, unchangedSince: sequence))[0]
    }

    /// `put` of a struct that nobody else has changed since, without blocking; it has its id when
    /// this returns.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: inout E, ifUnchangedSince sequence: UInt64, mode: PutMode = .put
    ) async throws -> Id {
        let id = try await put(object, ifUnchangedSince: sequence, mode: mode)
        if object.entityId != id { object.entityId = id }
        return id
    }

    /// `remove` of an object that nobody else has changed since, without blocking.
    @discardableResult
    public nonisolated(nonsending) func remove(
        _ id: Id, ifUnchangedSince sequence: UInt64
    ) async throws -> Bool {
        try await engine.write { _ in try self.remove(id, ifUnchangedSince: sequence) }
    }

    /// `remove` of an object that nobody else has changed since, without blocking.
    @discardableResult
    public nonisolated(nonsending) func remove(
        _ object: E, ifUnchangedSince sequence: UInt64
    ) async throws -> Bool {
        let binding = try binding()
        let encoded = try binding.sought(object, types)
        let id = try await engine.readElsewhere { try binding.id(of: encoded) }
        return try await remove(id, ifUnchangedSince: sequence)
    }
}
