import DaybookBytes
import DaybookRecords

// Properties that were declared otherwise when the commits were made that are undone: what they had
// may have no form any more.
extension Undo {
    /// The properties that the undone commits changed, and that cannot be set back: they stay as
    /// they are.
    mutating func retyped(
        _ before: StoredRow, _ after: StoredRow, _ object: Object
    ) throws(DaybookError) -> Set<UInt32> {
        guard let layout = try pastLayout(of: object.entity) else { return [] }
        let misfits = try misfits(before, of: object).union(misfits(after, of: object))
        guard !misfits.isEmpty else { return [] }
        let old = try comparison.translate(before, to: layout)
        let new = try comparison.translate(after, to: layout)
        let changed = try layout.differences(old.span, new.span)
        return misfits.intersection(changed.map { layout.layout.fields[$0].propertyID })
    }

    /// The properties whose values in a row the newest layout cannot have, as the layout of that
    /// time sees them: they were given up since, nothing converts them to the type that they have
    /// now, or there was no value where one is required now.
    mutating func misfits(
        _ row: StoredRow, of object: Object
    ) throws(DaybookError) -> Set<UInt32> {
        guard let layout = try pastLayout(of: object.entity) else { return [] }
        let newest = try comparison.layout(object.entity)
        let fields = Dictionary(
            newest.layout.fields.map { ($0.propertyID, $0) }, uniquingKeysWith: { one, _ in one })
        let bytes = try comparison.translate(row, to: layout)
        let view = try RowView(bytes.span, layout)
        var found: Set<UInt32> = []
        for (index, field) in layout.layout.fields.enumerated() where !field.type.isRelation {
            let now = fields[field.propertyID]
            let fits =
                view.isNull(index)
                ? now.map { $0.isOptional || !field.isOptional } ?? true
                : now.map { field.shape.conversion(to: $0.shape) != nil } ?? false
            if !fits { found.insert(field.propertyID) }
        }
        return found
    }

    /// The layout that an entity had before the undone commits, if it has another one now.
    private func pastLayout(of entity: UInt32) throws(DaybookError) -> RowLayout? {
        if history.laterLayouts.isEmpty { return nil }
        let past = try comparison.layout(entity, without: history.laterLayouts)
        let newest = try comparison.layout(entity)
        return past?.layout.layoutID == newest.layout.layoutID ? nil : past
    }
}

extension UndoObstacle {
    static func retyped(
        _ properties: Set<UInt32>, of object: UndoHistory.Object
    ) -> UndoObstacle {
        UndoObstacle(
            reason: .retyped, entity: object.entity, id: object.id, properties: properties)
    }
}
