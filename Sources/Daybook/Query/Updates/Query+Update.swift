import DaybookBytes
import DaybookEngine

extension Query {
    /// Changes properties of the objects in one transaction, without loading the objects, and
    /// returns the number of objects that changed. An object whose values stay the same is not
    /// written.
    ///
    /// ```swift
    /// let count = try notes.query { $0.isPinned == true }.update {
    ///     $0.stars += 1
    ///     $0.title = "★ " + $0.title
    ///     $0.reminder = nil
    /// }
    /// ```
    ///
    /// Members of embedded values are set as properties are, at any depth:
    /// `$0.address.city = "Ulm"`.
    /// If an optional embedded value is nil, its members are not set.
    ///
    /// The closure runs once and describes the changes: see ``PropertyAssignments``. Values are
    /// calculated from the state before the update. A to-one relation can be set to nil, to a
    /// stored object or to the relation of another property. Unique constraints are checked after
    /// the last object, so objects may exchange unique values; if the update changes a property
    /// whose conflicts replace, update or ignore, they are checked at each object, as at a put.
    /// Properties that this program does not declare keep their values.
    ///
    /// - Throws: The errors of the closure. `.invalidArgument` for the id, a to-many relation and a
    ///   backlink, which cannot be set; `.primaryKeyChanged` for a property of the primary key;
    ///   `.invalidValue` if the value is nil and the property is not optional; `.overflow` for a
    ///   number that does not fit; `.cannotRelateToUnsaved` and `.notFound` for a related object
    ///   that is not stored; `.uniqueViolation`; `.readOnly` for a query of a view; and the errors
    ///   of every write. Nothing is changed then.
    /// - Complexity: that of the query; for each object a read of its row, and for each changed
    ///   object one record in the log.
    @discardableResult
    public func update(
        _ assign: (_ object: inout PropertyAssignments<E>) throws -> Void
    ) throws -> Int {
        let (runner, update, types) = (try writing(), try resolvedUpdate(assign), types)
        return try types.engine.operate { transaction in
            let ids = try types.query { try runner.ids($0) }
            return try update.run(ids, in: transaction, types)
        }
    }

    /// `update` without blocking. If the task is cancelled, it throws `CancellationError` and
    /// changes nothing, or changes all and returns normally.
    @discardableResult
    public nonisolated(nonsending) func update(
        _ assign: (_ object: inout PropertyAssignments<E>) throws -> Void
    ) async throws -> Int {
        let (runner, update, types) = (try writing(), try resolvedUpdate(assign), types)
        return try await types.engine.write { transaction in
            let ids = try types.query { try runner.ids($0) }
            return try update.run(ids, in: transaction, types)
        }
    }

    private func resolvedUpdate(
        _ assign: (_ object: inout PropertyAssignments<E>) throws -> Void
    ) throws -> ResolvedUpdate {
        var assignments = PropertyAssignments<E>(types)
        try assign(&assignments)
        if let failure = assignments.failure { throw failure }
        return try ResolvedUpdate(
            assignments.assigned.all, of: try binding(), in: try types.names.model())
    }
}
