package import DaybookBytes
import DaybookRecords

extension SchemaTable {
    /// The numbers of the properties in which two rows of an object differ; the rows may have
    /// different layouts. If one row is nil, all properties with a value in the other. Never
    /// contains relations, because rows do not contain them.
    ///
    /// Compares the stored bytes of values. Throws `.corruption`.
    package func changedProperties(
        _ before: StoredRow?, _ after: StoredRow?
    ) throws(DaybookError) -> Set<UInt32> {
        guard let before else { return try setProperties(after) }
        guard let after else { return try setProperties(before) }
        let (old, new) = (try rowLayout(before.layout), try rowLayout(after.layout))
        let (oldBytes, newBytes) = (before.bytes, after.bytes)
        let oldView = try RowView(oldBytes, old)
        let newView = try RowView(newBytes, new)
        var changed: Set<UInt32> = []
        for (index, field) in new.layout.fields.enumerated() {
            let oldIndex =
                old.layout.layoutID == new.layout.layoutID
                ? index : old.layout.fields.firstIndex { $0.propertyID == field.propertyID }
            let isNull = newView.isNull(index)
            guard let oldIndex, !oldView.isNull(oldIndex) else {
                if !isNull { changed.insert(field.propertyID) }
                continue
            }
            guard !isNull, old.layout.fields[oldIndex].type == field.type else {
                changed.insert(field.propertyID)
                continue
            }
            let was = try oldView.value(oldIndex)
            let isNow = try newView.value(index)
            if !was.hasBytes(of: isNow) { changed.insert(field.propertyID) }
        }
        return changed
    }

    /// The properties that have a value.
    private func setProperties(_ row: StoredRow?) throws(DaybookError) -> Set<UInt32> {
        guard let row else { return [] }
        let layout = try rowLayout(row.layout)
        let bytes = row.bytes
        let view = try RowView(bytes, layout)
        var found: Set<UInt32> = []
        for (index, field) in layout.layout.fields.enumerated() where !view.isNull(index) {
            found.insert(field.propertyID)
        }
        return found
    }
}

extension Span<UInt8> {
    fileprivate func hasBytes(of other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }
}
