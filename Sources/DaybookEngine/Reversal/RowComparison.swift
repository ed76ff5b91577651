import DaybookBytes
import DaybookIndex

/// Compares rows of whichever layouts field by field, as the entity's newest layout sees them.
struct RowComparison {
    private let schemas: SchemaTable
    private var translations: [UInt32: RowTranslation] = [:]

    init(_ schemas: SchemaTable) { self.schemas = schemas }

    /// The entity's newest layout. Throws `.corruption` for an entity that the log never defined.
    func layout(_ entity: UInt32) throws(DaybookError) -> RowLayout {
        guard let current = schemas.schema.currentLayout(ofEntity: entity) else {
            throw SchemaTable.unknownLayout(0)
        }
        return try schemas.rowLayout(current.layoutID)
    }

    /// The row in the newest layout.
    mutating func translate(
        _ row: StoredRow, _ entity: UInt32
    ) throws(DaybookError) -> [UInt8] {
        let layout = try layout(entity)
        if let known = translations[row.layout],
            known.new.layout.layoutID == layout.layout.layoutID
        {
            return try known.translate(row.bytes)
        }
        let made = RowTranslation(from: try schemas.rowLayout(row.layout), to: layout)
        translations[row.layout] = made
        return try made.translate(row.bytes)
    }

    /// The numbers of the properties that differ.
    mutating func differences(
        _ one: StoredRow, _ other: StoredRow, _ entity: UInt32
    ) throws(DaybookError) -> Set<UInt32> {
        let layout = try layout(entity)
        let first = try translate(one, entity)
        let second = try translate(other, entity)
        let fields = try layout.differences(first.span, second.span)
        return Set(fields.map { layout.layout.fields[$0].propertyID })
    }
}

extension RowLayout {
    /// The fields that differ in two rows of this layout.
    func differences(
        _ one: Span<UInt8>, _ other: Span<UInt8>
    ) throws(DaybookError) -> [Int] {
        let layout = self
        let first = try RowView(one, layout)
        let second = try RowView(other, layout)
        var found: [Int] = []
        for field in slots.indices {
            let isNull = first.isNull(field)
            guard isNull == second.isNull(field) else {
                found.append(field)
                continue
            }
            if isNull { continue }
            let value = try first.value(field)
            let otherValue = try second.value(field)
            if !value.isEqual(to: otherValue) { found.append(field) }
        }
        return found
    }
}
