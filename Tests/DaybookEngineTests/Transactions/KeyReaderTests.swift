import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import Testing

/// Index keys from rows that an older program wrote.
@Suite struct KeyReaderTests {
    private func layout(_ number: UInt32, _ fields: [Field]) -> EntityLayout {
        EntityLayout(
            layoutID: number, entityID: 1, entityName: "Thing", version: number, fields: fields,
            indexes: [
                LayoutIndex(
                    indexID: 1, kind: .value, isUnique: true, isPrimaryKey: false,
                    propertyIDs: [3, 1]),
                LayoutIndex(
                    indexID: 2, kind: .value, isUnique: false, isPrimaryKey: false,
                    propertyIDs: [4]),
            ])
    }

    private func number(_ id: UInt32, _ type: FieldType, isOptional: Bool = false) -> Field {
        Field(propertyID: id, name: "n\(id)", type: type, isOptional: isOptional)
    }

    @Test func `only indexed columns of an older row are read`() throws {
        let list = Field(
            propertyID: 2, name: "list",
            shape: ValueShape(.list, element: ValueShape(.int32)))
        var wide = list
        wide.shape = ValueShape(.list, element: ValueShape(.int64))
        let old = RowLayout(layout(1, [number(1, .int32), list, number(3, .string)]))
        let new = layout(
            2,
            [number(4, .int16, isOptional: true), wide, number(3, .string), number(1, .int64)])
        var encoder = RowEncoder(old)
        encoder.set(int32: -5, at: 0)
        // An invalid list: columns that are not indexed are not read.
        let rubbish: [UInt8] = [1, 2, 3]
        try encoder.set(value: rubbish.span, at: 1)
        try encoder.set(text: "three", at: 2)
        encoder.finish()
        let row = encoder.row.array
        #expect(throws: DaybookError.self) {
            try RowTranslation(from: old, to: RowLayout(new)).translate(row.span)
        }
        let plan = try IndexPlan(new)
        var reader = KeyReader(plan)
        var askedCount = 0
        let look: LayoutLookUp = { _ throws(DaybookError) in
            askedCount += 1
            return old
        }
        let keys = try reader.keys(of: row.span, layout: 1, in: plan.indexes, look)
        var wanted = RowEncoder(RowLayout(new))
        try wanted.set(text: "three", at: 2)
        wanted.set(int64: -5, at: 3)
        wanted.finish()
        let same = wanted.row.array
        #expect(keys == (try reader.keys(of: same.span, layout: 2, in: plan.indexes, look)))
        #expect(keys.map(\.hasNull) == [false, true])
        // Some of the indexes, in another order; the translation is made only once.
        let some = [plan.indexes[1], plan.indexes[0]]
        #expect(
            try reader.keys(of: row.span, layout: 1, in: some, look) == [keys[1], keys[0]])
        #expect(askedCount == 1)
    }
}
