import DaybookBytes
import DaybookRecords
import Testing

@Suite struct RowTests {
    @Test func `random values of random layouts round-trip`() throws {
        var numbers = SeededNumbers()
        for _ in 0..<500 {
            let entity = numbers.layout()
            let layout = RowLayout(entity)
            var encoder = RowEncoder(layout)
            for _ in 0..<3 {
                let values = numbers.values(for: entity)
                let bytes = try encoder.encode(values, entity)
                let view = try RowView(bytes.span, layout)
                #expect(try view.values(entity) == values, "seed \(numbers.seed)")
            }
        }
    }

    @Test func `the encoder writes the example of the format document`() throws {
        let entity = EntityLayout(
            layoutID: 1, entityID: 1, entityName: "Person", version: 1,
            fields: [
                Field(propertyID: 1, name: "name", type: .string),
                Field(propertyID: 2, name: "age", type: .int32, isOptional: true),
                Field(propertyID: 3, name: "note", type: .string, isOptional: true),
            ])
        var encoder = RowEncoder(RowLayout(entity))
        try encoder.set(text: "Ada", at: 0)
        encoder.set(int32: 36, at: 1)
        encoder.finish()
        #expect(encoder.row.array == [0, 4, 36, 0, 0, 0, 3, 0, 3, 0, 0x41, 0x64, 0x61])
    }

    @Test func `every type keeps its extremes`() throws {
        let entity = Self.everyType(isOptional: false)
        let layout = RowLayout(entity)
        var encoder = RowEncoder(layout)
        for negative in [true, false] {
            encoder.begin()
            encoder.set(bool: negative, at: 0)
            encoder.set(int8: negative ? .min : .max, at: 1)
            encoder.set(int16: negative ? .min : .max, at: 2)
            encoder.set(int32: negative ? .min : .max, at: 3)
            encoder.set(int64: negative ? .min : .max, at: 4)
            encoder.set(uint8: negative ? .min : .max, at: 5)
            encoder.set(uint16: negative ? .min : .max, at: 6)
            encoder.set(uint32: negative ? .min : .max, at: 7)
            encoder.set(uint64: negative ? .min : .max, at: 8)
            encoder.set(float: negative ? -.infinity : .greatestFiniteMagnitude, at: 9)
            encoder.set(double: negative ? -0.0 : .leastNonzeroMagnitude, at: 10)
            encoder.set(date: negative ? .min : .max, at: 11)
            try encoder.set(text: negative ? "" : "naïve 🧶\0", at: 12)
            try encoder.set(bytes: (negative ? [] : [0, 255]).span, at: 13)
            encoder.finish()
            let view = try RowView(encoder.row, layout)
            #expect(view.bool(0) == negative)
            #expect(view.int8(1) == (negative ? .min : .max))
            #expect(view.int16(2) == (negative ? .min : .max))
            #expect(view.int32(3) == (negative ? .min : .max))
            #expect(view.int64(4) == (negative ? .min : .max))
            #expect(view.uint8(5) == (negative ? .min : .max))
            #expect(view.uint16(6) == (negative ? .min : .max))
            #expect(view.uint32(7) == (negative ? .min : .max))
            #expect(view.uint64(8) == (negative ? .min : .max))
            #expect(view.float(9) == (negative ? -.infinity : .greatestFiniteMagnitude))
            let double = negative ? -0.0 : Double.leastNonzeroMagnitude
            #expect(view.double(10).bitPattern == double.bitPattern)
            #expect(view.date(11) == (negative ? .min : .max))
            #expect(try view.text(12) == (negative ? "" : "naïve 🧶\0"))
            #expect(try view.bytes(13).array == (negative ? [] : [0, 255]))
        }
    }

    @Test func `an unset field is null if optional, else zero or empty`() throws {
        for isOptional in [true, false] {
            let entity = Self.everyType(isOptional: isOptional)
            let layout = RowLayout(entity)
            var encoder = RowEncoder(layout)
            encoder.finish()
            let view = try RowView(encoder.row, layout)
            for (index, field) in entity.fields.enumerated() {
                #expect(view.isNull(index) == isOptional)
                let empty: Value = field.type.fixedWidthBytes == nil ? .blob([]) : .number(0)
                #expect(try view.value(index, field.type) == (isOptional ? .null : empty))
            }
            #expect(view.int64(4) == 0)
            #expect(try view.text(12) == "")
        }
    }

    @Test func `a field set to null reads as zero, and can be set again`() throws {
        let entity = Self.everyType(isOptional: true)
        let layout = RowLayout(entity)
        var encoder = RowEncoder(layout)
        encoder.set(int64: 77, at: 4)
        try encoder.setNull(4)
        encoder.set(double: 5, at: 10)
        try encoder.setNull(10)
        encoder.set(double: 6, at: 10)
        encoder.finish()
        let view = try RowView(encoder.row, layout)
        #expect(view.isNull(4) == true)
        #expect(view.int64(4) == 0)
        #expect(view.isNull(10) == false)
        #expect(view.double(10) == 6)
    }

    @Test func `null is rejected for a field that is not optional`() throws {
        var encoder = RowEncoder(RowLayout(Self.everyType(isOptional: false)))
        #expect(code { try encoder.setNull(3) } == .invalidValue)
    }

    @Test func `variable fields are set in ascending order`() throws {
        let entity = Self.texts(3)
        let layout = RowLayout(entity)
        var encoder = RowEncoder(layout)
        try encoder.set(text: "b", at: 1)
        #expect(throws: DaybookError.self) { try encoder.set(text: "a", at: 0) }
        do {
            try encoder.set(text: "again", at: 1)
            Issue.record("a text was set twice")
        } catch {
            #expect(error.code == .invalidValue)
            #expect(error.details["property"] == "text1")
        }
        #expect(code { try encoder.setNull(1) } == .invalidValue)
        try encoder.set(text: "c", at: 2)
        encoder.finish()
        let view = try RowView(encoder.row, layout)
        #expect(view.isNull(0) == true)
        #expect(try view.text(1) == "b")
        #expect(try view.text(2) == "c")
    }

    @Test(arguments: [65_534, 65_535, 65_536, 100_000])
    func `long texts widen the offsets`(length: Int) throws {
        let layout = RowLayout(Self.texts(4))
        var encoder = RowEncoder(layout)
        let long = String(repeating: "x", count: length - 2)
        for _ in 0..<2 {
            encoder.begin()
            try encoder.set(text: "é", at: 1)
            try encoder.set(text: long, at: 2)
            encoder.finish()
            let isWide = length > 65_535
            #expect(encoder.row.count == 2 + (isWide ? 16 : 8) + length)
            #expect(encoder.row[0] == (isWide ? 1 : 0))
            let view = try RowView(encoder.row, layout)
            #expect(try view.text(1) == "é")
            #expect(try view.bytes(2).count == length - 2)
            #expect(try view.text(2) == long)
            #expect(view.isNull(3) == true)
            #expect(try view.text(3) == "")
        }
    }

    @Test func `a text of a hundred megabytes round-trips`() throws {
        let layout = RowLayout(Self.texts(2))
        var encoder = RowEncoder(layout)
        let bytes = [UInt8](repeating: 0x61, count: 100_000_000)
        try encoder.set(text: "before", at: 0)
        try encoder.set(bytes: bytes.span, at: 1)
        encoder.finish()
        let view = try RowView(encoder.row, layout)
        #expect(try view.text(0) == "before")
        let isSame = try view.bytes(1).array == bytes
        #expect(isSame)
    }

    @Test func `a row that is too long is rejected, and the error names the field`() throws {
        let layout = RowLayout(Self.texts(2))
        var encoder = RowEncoder(layout, rowLengthBytesMax: 100)
        try encoder.set(text: String(repeating: "x", count: 60), at: 0)
        do {
            try encoder.set(text: String(repeating: "y", count: 60), at: 1)
            Issue.record("the row is too long")
        } catch {
            #expect(error.code == .invalidValue)
            #expect(error.details == ["entity": "Texts", "property": "text1"])
        }
        try encoder.set(text: "short", at: 1)
        encoder.finish()
        #expect(try RowView(encoder.row, layout).text(1) == "short")
    }

    @Test func `one encoder serves several layouts`() throws {
        let first = RowLayout(Self.texts(1))
        let second = RowLayout(Self.everyType(isOptional: true))
        var encoder = RowEncoder(first)
        for round in 0..<4 {
            encoder.begin(round % 2 == 0 ? second : first)
            if round % 2 == 0 {
                encoder.set(int32: 9, at: 3)
                encoder.finish()
                #expect(try RowView(encoder.row, second).int32(3) == 9)
            } else {
                try encoder.set(text: "t", at: 0)
                encoder.finish()
                #expect(try RowView(encoder.row, first).text(0) == "t")
            }
        }
    }

    @Test func `a row of another length is corruption`() throws {
        let layout = RowLayout(Self.everyType(isOptional: false))
        var encoder = RowEncoder(layout)
        try encoder.set(text: "some text", at: 12)
        encoder.finish()
        let bytes = encoder.row.array
        for length in 0..<bytes.count {
            let cut = bytes.span.extracting(0..<length)
            #expect(code { _ = try RowView(cut, layout) } == .corruption)
        }
        #expect(code { _ = try RowView((bytes + [0]).span, layout) } == .corruption)
    }

    @Test func `a damaged row gives corruption or values, never a trap`() throws {
        var numbers = SeededNumbers()
        for _ in 0..<60 {
            let entity = numbers.layout()
            let layout = RowLayout(entity)
            var encoder = RowEncoder(layout)
            let lengthMax = Int.random(in: 0..<5, using: &numbers) == 0 ? 40_000 : 20
            let values = numbers.values(for: entity, lengthMax: lengthMax)
            let bytes = try encoder.encode(values, entity)
            for place in 0..<min(bytes.count, 300) {
                var damaged = bytes
                damaged[place] = .random(in: 0...255, using: &numbers)
                do {
                    let view = try RowView(damaged.span, layout)
                    #expect(try view.values(entity).count == values.count)
                } catch let error as DaybookError {
                    #expect(error.code == .corruption, "seed \(numbers.seed)")
                }
            }
        }
    }

    @Test func `decreasing offsets are corruption`() throws {
        let layout = RowLayout(Self.texts(3))
        var encoder = RowEncoder(layout)
        for index in 0..<3 { try encoder.set(text: "abc", at: index) }
        encoder.finish()
        var bytes = encoder.row.array
        bytes[4] = 200
        let view = try RowView(bytes.span, layout)
        #expect(try view.text(0) == "abc")
        #expect(code { _ = try view.text(1) } == .corruption)
        #expect(code { _ = try view.text(2) } == .corruption)
    }

    @Test func `ill-formed text is corruption`() throws {
        let layout = RowLayout(Self.texts(1))
        var encoder = RowEncoder(layout)
        try encoder.set(bytes: [0xC3, 0x28].span, at: 0)
        encoder.finish()
        let view = try RowView(encoder.row, layout)
        #expect(code { _ = try view.text(0) } == .corruption)
        #expect(try view.bytes(0).count == 2)
    }

    static func everyType(isOptional: Bool) -> EntityLayout {
        EntityLayout(
            layoutID: 1, entityID: 1, entityName: "Everything", version: 1,
            fields: FieldType.allCases.filter { !$0.isRelation }.map {
                Field(
                    propertyID: UInt32($0.rawValue), name: $0.name, type: $0,
                    isOptional: isOptional)
            })
    }

    static func texts(_ count: Int) -> EntityLayout {
        EntityLayout(
            layoutID: 2, entityID: 2, entityName: "Texts", version: 1,
            fields: (0..<count).map {
                Field(
                    propertyID: UInt32($0 + 1), name: "text\($0)", type: .string, isOptional: true)
            })
    }
}
