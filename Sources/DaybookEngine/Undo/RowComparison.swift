import DaybookBytes
import DaybookRecords

/// Compares rows of any layouts field by field, after translating them to one layout of the entity.
struct RowComparison {
    private let schemas: SchemaTable
    private var translations: [Way: RowTranslation] = [:]

    private struct Way: Hashable {
        var old: UInt32
        var new: UInt32
    }

    init(_ schemas: SchemaTable) { self.schemas = schemas }

    /// Returns the entity's newest layout. Throws `.corruption` for an entity that the log never
    /// defined.
    func layout(_ entity: UInt32) throws(DaybookError) -> RowLayout {
        guard let current = schemas.schema.currentLayout(ofEntity: entity) else {
            throw SchemaTable.unknownLayout(0)
        }
        return try schemas.rowLayout(current.layoutID)
    }

    /// Returns the entity's newest layout except those in `later`; nil if there is no other layout.
    func layout(
        _ entity: UInt32, without later: Set<UInt32>
    ) throws(DaybookError) -> RowLayout? {
        let known = schemas.schema.layouts(ofEntity: entity).first {
            !later.contains($0.layoutID)
        }
        return try known.map { known throws(DaybookError) in
            try schemas.rowLayout(known.layoutID)
        }
    }

    /// Translates a row to the newest layout.
    mutating func translate(
        _ row: StoredRow, _ entity: UInt32
    ) throws(DaybookError) -> [UInt8] {
        try translate(row, to: try layout(entity))
    }

    /// Translates a row to a layout.
    mutating func translate(
        _ row: StoredRow, to layout: RowLayout
    ) throws(DaybookError) -> [UInt8] {
        let way = Way(old: row.layout, new: layout.layout.layoutID)
        if let known = translations[way] { return try known.translate(row.bytes) }
        let made = RowTranslation(from: try schemas.rowLayout(row.layout), to: layout)
        translations[way] = made
        return try made.translate(row.bytes)
    }

    /// Returns the numbers of the properties that differ.
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
    /// Returns the indexes of the fields that differ in two rows of this layout.
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
