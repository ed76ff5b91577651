import DaybookBytes
import DaybookRecords

/// Keeps the values of properties that the running program does not declare, when it replaces an
/// object: they are taken over from the row before. A value; part of a running transaction.
struct UndeclaredValues {
    /// A layout that is known to have no such property. Most transactions know one layout.
    private var plainLayout: UInt32 = 0
    /// The last one that was found to have some.
    private var union: RowLayout?
    private var translations: [UInt32: RowTranslation] = [:]

    /// The layout of that number, if it has properties that are not declared. Costs a comparison
    /// where the last one asked for had none.
    @inline(__always)
    mutating func layout(_ id: UInt32, _ schemas: SchemaTable) -> RowLayout? {
        id == plainLayout ? nil : lookUp(id, schemas)
    }

    @inline(never)
    private mutating func lookUp(_ id: UInt32, _ schemas: SchemaTable) -> RowLayout? {
        if let union, union.layout.layoutID == id { return union }
        // One that this very transaction defines is not in the table yet: a migration's rows have
        // all their values.
        guard let layout = schemas.knownRowLayout(id), layout.hasUndeclaredFields else {
            plainLayout = id
            return nil
        }
        union = layout
        return layout
    }

    /// The row with the values that it cannot know, as the object had them before.
    mutating func merge(
        _ row: Span<UInt8>, _ layout: RowLayout, before: StoredRow, _ schemas: SchemaTable
    ) throws(DaybookError) -> [UInt8] {
        let start = layout.declaredCount
        if before.layout == layout.layout.layoutID {
            return try layout.merging(row, before.bytes) { $0 >= start }
        }
        let translation = try translation(from: before.layout, to: layout, schemas)
        let translated = try translation.translate(before.bytes)
        return try layout.merging(row, translated.span) { $0 >= start }
    }

    private mutating func translation(
        from old: UInt32, to layout: RowLayout, _ schemas: SchemaTable
    ) throws(DaybookError) -> RowTranslation {
        if let known = translations[old], known.new.layout.layoutID == layout.layout.layoutID {
            return known
        }
        let made = RowTranslation(from: try schemas.rowLayout(old), to: layout)
        translations[old] = made
        return made
    }
}
