import DaybookEngine
import DaybookRows

extension StoreView {
    /// Calls `body` with each object of an entity that differs between another version and this
    /// one, in the order of ids, until `body` returns false. The objects need no type.
    ///
    /// `older` may also be a newer version than this one. Both must belong to the same store. An
    /// object that was written again without a change has no ``RowChange/changedNames``. Objects
    /// that differ only in their links are not included: see ``linkChanges(since:)``. The rows
    /// have the links of their versions.
    ///
    /// - Complexity: As for ``changes(of:since:)``. One difference is in memory at a time.
    /// - Throws: `.invalidArgument` for an unknown entity and for a version of another store,
    ///   `.closed`, `.corruption`, and the error of `body`.
    public func forEachRowChange(
        of entityName: String, since older: StoreView, _ body: (RowChange) throws -> Bool
    ) throws {
        try types.requireOpen()
        let form = try RowForm(entityName, types.engine.schemas)
        let (view, before) = try views(since: older)
        try view.forEachDifference(of: form.entity, since: before) { difference in
            try body(
                RowChange(
                    form, difference.id,
                    before: try difference.before.map { try form.object($0, in: .read(before)) },
                    after: try difference.after.map { try form.object($0, in: .read(view)) }))
        }
    }
}
