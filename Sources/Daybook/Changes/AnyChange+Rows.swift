import DaybookEngine
import DaybookRows

extension AnyChange {
    /// Returns the object before and after the change, or the event, without its type. Names and
    /// values are those of the newest layout.
    ///
    /// - Complexity: A lookup of the version before in the log, at the first access.
    /// - Throws: `.corruption`, `.closed`.
    public func rows() throws -> RowChange {
        let (change, schemas) = (recorded.change, recorded.types.engine.schemas)
        let form =
            change.kind == .event
            ? try RowForm(events: entityName, schemas) : try RowForm(entityName, schemas)
        let before: HistoryPart.Before =
            switch try recorded.before() {
            case .none: .nothing
            case .row(let row): .row(row)
            case .gone: .gone
            }
        return try form.change(change.id, from: before, to: change.after)
    }
}
