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
}
