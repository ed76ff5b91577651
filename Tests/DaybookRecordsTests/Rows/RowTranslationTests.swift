import DaybookBytes
import DaybookRecords
import Testing

@Suite struct RowTranslationTests {
    private static let none: [UInt8] = []
    /// The types that each type can be widened to.
    static let widenings: [FieldType: [FieldType]] = [
        .int8: [.int16, .int32, .int64], .int16: [.int32, .int64], .int32: [.int64],
        .uint8: [.uint16, .uint32, .uint64, .int16, .int32, .int64],
        .uint16: [.uint32, .uint64, .int32, .int64], .uint32: [.uint64, .int64],
        .float: [.double], .date: [.dateNano],
    ]

    /// The expected value after a widening; an oracle that uses Int64.
    private static func widened(_ value: Value, _ from: FieldType, _ to: FieldType) -> Value {
        guard case .number(let bits) = value, from != to else { return value }
        let wide: UInt64 =
            switch from {
            case .int8: UInt64(bitPattern: Int64(Int8(truncatingIfNeeded: bits)))
            case .int16: UInt64(bitPattern: Int64(Int16(truncatingIfNeeded: bits)))
            case .int32: UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: bits)))
            case .float: Double(Float(bitPattern: UInt32(bits))).bitPattern
            case .date: nanoseconds(Int64(bitPattern: bits))
            default: bits
            }
        let width = (to.fixedWidthBytes ?? 8) * 8
        return .number(width == 64 ? wide : wide & ((1 << UInt64(width)) - 1))
    }

    private static func nanoseconds(_ milliseconds: Int64) -> UInt64 {
        let limit = Int64.max / 1_000_000
        if milliseconds > limit { return UInt64(Int64.max) }
        if milliseconds < -limit { return UInt64(bitPattern: .min) }
        return UInt64(bitPattern: milliseconds * 1_000_000)
    }

    /// A possible later layout: fields removed, added, moved, widened.
    private static func changed(
        _ layout: EntityLayout, _ numbers: inout SeededNumbers
    ) -> EntityLayout {
        var fields = layout.fields.filter { _ in Int.random(in: 0..<5, using: &numbers) > 0 }
        for index in fields.indices {
            if Bool.random(using: &numbers),
                let type = widenings[fields[index].type]?.randomElement(using: &numbers)
            {
                fields[index].type = type
            }
            if Int.random(in: 0..<4, using: &numbers) == 0 { fields[index].isOptional.toggle() }
            if Int.random(in: 0..<4, using: &numbers) == 0 { fields[index].name += "x" }
        }
        for index in 0..<Int.random(in: 0...4, using: &numbers) {
            fields.append(
                Field(
                    propertyID: UInt32(100 + index), name: "new\(index)",
                    type: Self.valueTypes.randomElement(using: &numbers)!,
                    isOptional: Bool.random(using: &numbers)))
        }
        if Bool.random(using: &numbers) { fields.shuffle(using: &numbers) }
        return EntityLayout(
            layoutID: 2, entityID: 1, entityName: "Other", version: 2, fields: fields)
    }

    @Test func `rows of random layouts are readable in later layouts`() throws {
        var numbers = SeededNumbers()
        for round in 0..<1500 {
            let old = numbers.layout()
            let new = round % 10 == 0 ? old : Self.changed(old, &numbers)
            let translation = RowTranslation(from: RowLayout(old), to: RowLayout(new))
            let lengthMax = round % 50 == 1 ? 40_000 : 30
            let values = numbers.values(for: old, lengthMax: lengthMax)
            var encoder = RowEncoder(RowLayout(old))
            let row = try encoder.encode(values, old)
            let translated = try translation.translate(row.span)
            let view = try RowView(translated.span, RowLayout(new))
            for (index, field) in new.fields.enumerated() {
                let source = old.fields.firstIndex { $0.propertyID == field.propertyID }
                let expected = source.map {
                    Self.widened(values[$0], old.fields[$0].type, field.type)
                }
                #expect(
                    try view.value(index, field.type) == expected ?? .null, "seed \(numbers.seed)")
            }
            if translation.isIdentity { #expect(translated == row, "seed \(numbers.seed)") }
            if new == old { #expect(translation.isIdentity) }
        }
    }

    @Test func `a translated row with all its values equals an encoded row`()
        throws
    {
        var numbers = SeededNumbers()
        for _ in 0..<300 {
            let old = numbers.layout()
            var new = old
            new.fields.shuffle(using: &numbers)
            let values = numbers.values(for: old, lengthMax: 9000)
            var encoder = RowEncoder(RowLayout(old))
            let row = try encoder.encode(values, old)
            var other = RowEncoder(RowLayout(new))
            let expected = try other.encode(
                new.fields.map { values[Int($0.propertyID) - 1] }, new)
            let translation = RowTranslation(from: RowLayout(old), to: RowLayout(new))
            #expect(try translation.translate(row.span) == expected, "seed \(numbers.seed)")
        }
    }

    @Test func `a missing value is null even if the layout does not allow it`() throws {
        let old = RowTests.texts(1)
        var new = RowTests.texts(2)
        new.fields.append(Field(propertyID: 9, name: "age", type: .int32))
        var encoder = RowEncoder(RowLayout(old))
        try encoder.set(text: "Ada", at: 0)
        encoder.finish()
        let translation = RowTranslation(from: RowLayout(old), to: RowLayout(new))
        let row = try translation.translate(encoder.row)
        let view = try RowView(row.span, RowLayout(new))
        #expect(!view.isNull(0) && view.isNull(1) && view.isNull(2))
        #expect(try view.text(0) == "Ada" && view.bytes(1).isEmpty && view.int32(2) == 0)
        // The value stays null after another translation.
        let again = RowTranslation(from: RowLayout(new), to: RowLayout(old)).old
        let back = try RowTranslation(from: again, to: RowLayout(new)).translate(row.span)
        #expect(back == row)
    }

    /// The fields that have a value in the row.
    private static let valueTypes = FieldType.allCases.filter { !$0.isRelation }

    @Test func `exactly the lossless conversions are applied`() {
        for from in Self.valueTypes {
            for to in Self.valueTypes where !from.isCollection && !to.isCollection {
                let conversion = ValueShape(from).conversion(to: ValueShape(to))
                let isExpected = from == to || Self.widenings[from]?.contains(to) == true
                #expect((conversion != nil) == isExpected, "\(from.name) to \(to.name)")
            }
        }
        let toOne = ValueShape(.toOne, isOptional: true, entityName: "A")
        let toMany = ValueShape(.toMany, isOptional: true, entityName: "A")
        #expect(toOne.conversion(to: toMany) == ShapeConversion.none)
        #expect(toMany.conversion(to: toOne) == nil)
        #expect(toOne.conversion(to: ValueShape(.uint64)) == nil)
        let list = ValueShape(.list, element: ValueShape(.int8, isOptional: true))
        let wide = ValueShape(.list, isOptional: true, element: ValueShape(.int64))
        #expect(list.conversion(to: wide) == .elements(of: .list, .number(from: .int8, to: .int64)))
        #expect(wide.conversion(to: list) == nil)
        #expect(list.conversion(to: ValueShape(.set, element: ValueShape(.int8))) == nil)
        #expect(list.conversion(to: ValueShape(.int64)) == nil)
        let nested = ValueShape(.map, element: list)
        #expect(nested.conversion(to: ValueShape(.map, element: wide)) != nil)
        #expect(nested.conversion(to: nested) == ShapeConversion.none)
    }

    /// The value of a field that is alone in its row, translated to another shape.
    private func translated(
        _ bytes: [UInt8], _ from: ValueShape, _ to: ValueShape
    ) throws -> [UInt8] {
        func layout(_ shape: ValueShape) -> RowLayout {
            RowLayout(
                EntityLayout(
                    layoutID: 1, entityID: 1, entityName: "E", version: 1,
                    fields: [Field(propertyID: 1, name: "a", shape: shape)]))
        }
        var encoder = RowEncoder(layout(from))
        try encoder.set(bytes: bytes.span, at: 0)
        encoder.finish()
        let row = try RowTranslation(from: layout(from), to: layout(to)).translate(encoder.row)
        return try RowView(row.span, layout(to)).bytes(0).array
    }

    @Test func `collections are converted element by element`() throws {
        var list = ValueListWriter(of: .int8, isOptional: true, count: 3)
        list.append([0xFF].span)
        list.append(Self.none.span, isNull: true)
        list.append([5].span)
        var wide = ValueListWriter(of: .int16, isOptional: true, count: 3)
        wide.append([0xFF, 0xFF].span)
        wide.append(Self.none.span, isNull: true)
        wide.append([5, 0].span)
        let narrowShape = ValueShape(.list, element: ValueShape(.int8, isOptional: true))
        let wideShape = ValueShape(.list, element: ValueShape(.int16))
        #expect(try translated(list.span.array, narrowShape, wideShape) == wide.span.array)

        var map = ValueListWriter(of: .list, isOptional: false, count: 2, keys: ["a", "é"])
        map.append(list.span)
        let empty = ValueListWriter(of: .bytes, isOptional: false, count: 0)
        map.append(empty.span)
        var wideMap = ValueListWriter(of: .list, isOptional: false, count: 2, keys: ["a", "é"])
        wideMap.append(wide.span)
        let wideEmpty = ValueListWriter(of: .int16, isOptional: false, count: 0)
        wideMap.append(wideEmpty.span)
        #expect(
            try translated(
                map.span.array, ValueShape(.map, element: narrowShape),
                ValueShape(.map, element: wideShape)) == wideMap.span.array)
    }

    @Test func `a converted set stays sorted by its bytes`() throws {
        var set = ValueListWriter(of: .float, isOptional: false, count: 3)
        let numbers: [Float] = [1.5, 3, -2]
        let bytes = numbers.map { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt32($0))) }
        }
        for element in bytes.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            set.append(element.span)
        }
        let wide = numbers.map { number in
            (0..<8).map {
                UInt8(truncatingIfNeeded: Double(number).bitPattern >> (8 * UInt64($0)))
            }
        }
        var expected = ValueListWriter(of: .double, isOptional: false, count: 3)
        for element in wide.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            expected.append(element.span)
        }
        #expect(
            try translated(
                set.span.array, ValueShape(.set, element: ValueShape(.float)),
                ValueShape(.set, element: ValueShape(.double))) == expected.span.array)
    }

    @Test func `dates out of the nanosecond range are clamped`() throws {
        func layout(_ type: FieldType) -> RowLayout {
            RowLayout(
                EntityLayout(
                    layoutID: 1, entityID: 1, entityName: "E", version: 1,
                    fields: [Field(propertyID: 1, name: "a", type: type)]))
        }
        let translation = RowTranslation(from: layout(.date), to: layout(.dateNano))
        for (milliseconds, nanoseconds) in [
            (0, 0), (-1, -1_000_000), (1_700_000_000_123, 1_700_000_000_123_000_000),
            (Int64.max, Int64.max), (.min, .min), (9_223_372_036_855, .max),
            (9_223_372_036_854, 9_223_372_036_854_000_000),
        ] {
            var encoder = RowEncoder(layout(.date))
            encoder.set(date: milliseconds, at: 0)
            encoder.finish()
            let row = try translation.translate(encoder.row)
            #expect(try RowView(row.span, layout(.dateNano)).dateNano(0) == nanoseconds)
        }
    }

    @Test func `a damaged row gives corruption or a row of the new layout, never a trap`() throws {
        var numbers = SeededNumbers()
        for _ in 0..<300 {
            let old = numbers.layout()
            let new = Self.changed(old, &numbers)
            let translation = RowTranslation(from: RowLayout(old), to: RowLayout(new))
            var encoder = RowEncoder(RowLayout(old))
            let row = try encoder.encode(numbers.values(for: old), old)
            for _ in 0..<20 {
                var damaged = row
                damaged[.random(in: damaged.indices, using: &numbers)] = .random(
                    in: 0...255, using: &numbers)
                if Bool.random(using: &numbers) { damaged.removeLast() }
                do {
                    let translated = try translation.translate(damaged.span)
                    let view = try RowView(translated.span, RowLayout(new))
                    for index in new.fields.indices { _ = try view.value(index) }
                } catch {
                    #expect(
                        error.code == .corruption, "seed \(numbers.seed)")
                }
            }
        }
    }

    @Test func `a damaged collection gives corruption or bytes, never a trap`() throws {
        var numbers = SeededNumbers()
        let shape = ValueShape(.map, element: ValueShape(.list, element: ValueShape(.int8)))
        let wide = ValueShape(.map, element: ValueShape(.list, element: ValueShape(.int32)))
        var list = ValueListWriter(of: .int8, isOptional: true, count: 2)
        list.append([7].span)
        list.append(Self.none.span, isNull: true)
        var map = ValueListWriter(of: .list, isOptional: false, count: 1, keys: ["key"])
        map.append(list.span)
        let whole = map.span.array
        for place in whole.indices {
            for _ in 0..<40 {
                var damaged = whole
                damaged[place] = .random(in: 0...255, using: &numbers)
                do {
                    _ = try translated(damaged, shape, wide)
                } catch {
                    let code = (error as? DaybookError)?.code
                    #expect([.corruption, .formatTooNew].contains(code), "seed \(numbers.seed)")
                }
            }
        }
    }
}
