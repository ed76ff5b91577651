import DaybookBytes
import DaybookEngine

// Optimistic concurrency: a change applies only if the object is unchanged. No lock is held between
// the read and the write; a second writer gets `.conflict` and the current version.

extension Box {
    /// Returns the sequence of the last commit that changed the object with an id; nil if there is
    /// no object.
    ///
    /// A change of the object's links does not count. The changes of a running transaction have no
    /// sequence yet: inside it, the result is the last commit before it, and 0 for an object that
    /// it inserted. Cost: one tree lookup. Throws `.closed`, `.entityNotRegistered`.
    public func sequence(of id: Id) throws -> UInt64? {
        try engine.scope().lastChange(try binding().entity, id)
    }

    /// Returns the object with an id, and the sequence of the last commit that changed it; nil if
    /// there is no object. Cost and errors as ``get(_:)-(Id)``.
    public func getVersioned(_ id: Id) throws -> Versioned<E>? {
        let binding = try binding()
        guard let row = try engine.row(binding.entity, id) else { return nil }
        return try versioned(row, binding)
    }

    /// Stores an object if it is unchanged. Throws `.conflict` if another commit has changed or
    /// removed it since `sequence`; nothing is changed then.
    ///
    /// - Parameter sequence: the commit at which the caller read the object: the value of
    ///   ``sequence(of:)`` at that time, or any later commit at which the object was read, such as
    ///   ``Store/sequence``. A later commit that changed or removed the object is a conflict. A
    ///   commit that only changed its links is not a conflict, and neither are changes of the
    ///   running transaction itself. An object without an id, whose primary key no object has, is
    ///   inserted.
    /// - Throws: `.conflict`, whose `details` name the object (`"entity"`, `"id"`) and both commits
    ///   (`"expected"`, `"sequence"`); ``conflict(in:)`` returns the other version.
    ///   `.invalidArgument` for a sequence that does not exist yet. Otherwise as an unconditional
    ///   put.
    /// - Complexity: as an unconditional put, and one tree lookup.
    @discardableResult
    public func put(
        _ object: E, ifUnchangedSince sequence: UInt64, mode: PutMode = .put
    ) throws -> Id {
        var object = object
        return try put(&object, PutOptions(mode: mode, unchangedSince: sequence))
    }

    /// Stores a struct if it is unchanged, and sets its id. Throws `.conflict` if another commit
    /// has changed or removed it since `sequence`. Otherwise as `put` of an object of a class.
    @discardableResult
    public func put(
        _ object: inout E, ifUnchangedSince sequence: UInt64, mode: PutMode = .put
    ) throws -> Id {
        try put(&object, PutOptions(mode: mode, unchangedSince: sequence))
    }

    /// Removes the object with an id if it is unchanged. Throws `.conflict` if another commit has
    /// changed or removed it since `sequence`; nothing is changed then. Otherwise as
    /// ``remove(_:)-(Id)``.
    @discardableResult
    public func remove(_ id: Id, ifUnchangedSince sequence: UInt64) throws -> Bool {
        let binding = try binding()
        return try engine.operate { transaction in
            try transaction.changes.requireUnchanged(binding.entity, id, since: sequence)
            return try remove(id)
        }
    }

    /// Removes an object if it is unchanged. As `remove` by id; an object without an id is found by
    /// its primary key.
    @discardableResult
    public func remove(_ object: E, ifUnchangedSince sequence: UInt64) throws -> Bool {
        try remove(try binding().id(of: object, types), ifUnchangedSince: sequence)
    }

    /// Returns the object of a row and the sequence of the commit that wrote it. Rows that the
    /// running transaction wrote have sequence 0; their last commit is looked up.
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

    /// `put` of an object if it is unchanged since `sequence`, without blocking. Throws `.conflict`
    /// otherwise.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: E, ifUnchangedSince sequence: UInt64, mode: PutMode = .put
    ) async throws -> Id {
        try await putAndReturnIDs(
            CollectionOfOne(object), PutOptions(mode: mode, unchangedSince: sequence))[0]
    }

    /// `put` of a struct if it is unchanged since `sequence`, without blocking. Sets its id before
    /// it returns. Throws `.conflict` otherwise.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: inout E, ifUnchangedSince sequence: UInt64, mode: PutMode = .put
    ) async throws -> Id {
        let id = try await put(object, ifUnchangedSince: sequence, mode: mode)
        if object.entityId != id { object.entityId = id }
        return id
    }

    /// `remove` by id if the object is unchanged since `sequence`, without blocking. Throws
    /// `.conflict` otherwise.
    @discardableResult
    public nonisolated(nonsending) func remove(
        _ id: Id, ifUnchangedSince sequence: UInt64
    ) async throws -> Bool {
        try await engine.write { _ in try self.remove(id, ifUnchangedSince: sequence) }
    }

    /// `remove` of an object if it is unchanged since `sequence`, without blocking. Throws
    /// `.conflict` otherwise.
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
