import DaybookEngine
public import DaybookRows

/// An object before and after a change, without its type.
///
/// The rows have the names of the newest layout. They have no links, because links have changes of
/// their own: see ``LinkChanged``. A row of ``StoreView/forEachRowChange(of:since:_:)`` has the
/// links of its version.
public struct RowChange: Sendable, Hashable {
    /// The name of the entity.
    public let entityName: String
    /// The id of the object or of the event.
    public let id: Id
    /// The object before the change. Nil if there was none, and if a compaction dropped it: see
    /// ``isBeforeGone``.
    public let before: AnyRow?
    /// The object after the change, or the event; nil for a removal.
    public let after: AnyRow?
    /// Whether a compaction dropped the version before the change.
    public let isBeforeGone: Bool

    init(
        _ form: RowForm, _ id: Id, before: AnyRow?, after: AnyRow?, isBeforeGone: Bool = false
    ) {
        entityName = form.entityName
        self.id = id
        self.before = before
        self.after = after
        self.isBeforeGone = isBeforeGone
    }

    /// The names of the properties whose values differ, in the order of the layout. For an inserted
    /// or removed object, and for an event, the properties that have a value. If a compaction
    /// dropped the version before, all properties that have a value now.
    public var changedNames: [String] {
        let names = (after ?? before)?.names ?? []
        return names.filter { name in
            (before?[name] ?? .null) != (after?[name] ?? .null)
        }
    }
}

extension RowForm {
    /// The change of an object from one row to another.
    func change(
        _ id: UInt64, from before: HistoryPart.Before, to after: StoredRow?
    ) throws(DaybookError) -> RowChange {
        var old: AnyRow?
        var isGone = false
        switch before {
        case .nothing: break
        case .row(let row): old = try values(of: row)
        case .gone: isGone = true
        }
        let new = try after.map { row throws(DaybookError) in try values(of: row) }
        return RowChange(self, id, before: old, after: new, isBeforeGone: isGone)
    }
}
