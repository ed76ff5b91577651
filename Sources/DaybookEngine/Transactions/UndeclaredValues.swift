import DaybookBytes
import DaybookRecords

/// Keeps the values of properties that the running program does not declare: a replacing row takes
/// them from the previous row. Part of a running transaction.
struct UndeclaredValues {
    /// The number of a layout without undeclared properties. Most transactions use one layout.
    private var plainLayout: UInt32 = 0
    /// The last layout that was found to have undeclared properties.
    private var union: RowLayout?
    private var translations: [UInt32: RowTranslation] = [:]

    /// The layout of that number if it has undeclared properties, nil otherwise. Costs one
    /// comparison if the last layout without any is looked up again.
    @inline(__always)
    mutating func layout(_ id: UInt32, _ schemas: SchemaTable) -> RowLayout? {
        id == plainLayout ? nil : lookUp(id, schemas)
    }

    @inline(never)
    private mutating func lookUp(_ id: UInt32, _ schemas: SchemaTable) -> RowLayout? {
        if let union, union.layout.layoutID == id { return union }
        // A layout that this transaction defines is not in the table yet: a migration's rows have
        // all their values.
        guard let layout = schemas.knownRowLayout(id), layout.hasUndeclaredFields else {
            plainLayout = id
            return nil
        }
        union = layout
        return layout
    }

    /// Returns the row with the object's previous values of the undeclared properties.
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
