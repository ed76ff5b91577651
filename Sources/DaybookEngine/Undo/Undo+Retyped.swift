import DaybookBytes
import DaybookRecords

// Handles properties whose declaration has changed since the undone commits. The current
// declaration may not be able to represent their former values.
extension Undo {
    /// Returns the properties that the undone commits changed and that cannot be restored. They
    /// keep their current values.
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

    /// Returns the properties of a row whose values the newest layout cannot represent, read with
    /// the layout of that time: the property was removed, no conversion to its current type exists,
    /// or it had no value and is required now.
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

    /// The layout of an entity before the undone commits; nil if it is still the newest one.
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
