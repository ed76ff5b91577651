import DaybookBytes
import DaybookRecords
import Foundation
import Testing

@Suite struct JSONTextTests {
    private func json(_ write: (inout JSONText) throws -> Void) rethrows -> String {
        var text = JSONText()
        try write(&text)
        return text.text
    }

    @Sendable private static func noLayouts(_ id: UInt32) throws(DaybookError) -> RowLayout {
        throw DaybookError(.corruption, "There is no other layout.")
    }

    /// Layout 7: one field, that is true or false.
    @Sendable private static func flag(_ id: UInt32) throws(DaybookError) -> RowLayout {
        guard id == 7 else { return try noLayouts(id) }
        return RowLayout(
            EntityLayout(
                layoutID: 7, entityID: 2, entityName: "Flag", kind: .embedded, version: 1,
                fields: [Field(propertyID: 1, name: "bool", type: .bool)]))
    }

    @Test func `a row becomes an object in the order of its fields`() throws {
        let entity = RowTests.everyType(isOptional: true)
        let layout = RowLayout(entity)
        var encoder = RowEncoder(layout)
        encoder.set(bool: true, at: 0)
        encoder.set(int8: .min, at: 1)
        encoder.set(int16: .max, at: 2)
        encoder.set(int32: .min, at: 3)
        encoder.set(int64: .min, at: 4)
        encoder.set(uint8: .max, at: 5)
        encoder.set(uint16: .max, at: 6)
        encoder.set(uint32: .max, at: 7)
        encoder.set(uint64: .max, at: 8)
        encoder.set(float: 0.1, at: 9)
        encoder.set(double: 1234.5, at: 10)
        encoder.set(date: -1, at: 11)
        try encoder.set(text: "say \"hé\"\n", at: 12)
        try encoder.set(bytes: [0xFB, 0xFF].span, at: 13)
        encoder.set(dateNano: -1, at: 14)
        try encoder.set(bytes: [UInt8](0..<16).span, at: 15)
        try encoder.set(text: "-12.5", at: 16)
        try encoder.set(bytes: [2 | 0x80, 2, 0b10, 1, 0].span, at: 17)
        try encoder.set(bytes: [2, 0].span, at: 18)
        try encoder.set(bytes: [1, 1, 1, 0x61, 1].span, at: 19)
        try encoder.set(bytes: [7, 0, 0, 0].span, at: 20)
        try encoder.set(text: "[1]", at: 21)
        encoder.finish()
        #expect(
            try json { try $0.row(encoder.row, layout, layouts: Self.flag) }
                == #"{"bool":true,"int8":-128,"int16":32767,"int32":-2147483648,"#
                + #""int64":-9223372036854775808,"uint8":255,"uint16":65535,"uint32":4294967295,"#
                + #""uint64":18446744073709551615,"float":0.1,"double":1234.5,"#
                + #""date":"1969-12-31T23:59:59.999Z","string":"say \"hé\"\n","bytes":"+/8=","#
                + #""dateNano":"1969-12-31T23:59:59.999999999Z","#
                + #""uuid":"00010203-0405-0607-0809-0A0B0C0D0E0F","decimal":"-12.5","#
                + #""list":[1,null],"set":[],"map":{"a":true},"embedded":{"bool":false},"#
                + #""json":"[1]"}"#)
        encoder.begin()
        encoder.finish()
        let nulls = entity.fields.map { "\"\($0.name)\":null" }.joined(separator: ",")
        #expect(
            try json { try $0.row(encoder.row, layout, layouts: Self.noLayouts) } == "{\(nulls)}")
    }

    @Test func `doubles and floats are restored bit for bit`() throws {
        var numbers = SeededNumbers()
        for _ in 0..<2_000 {
            let double = Double(bitPattern: numbers.next())
            guard double.isFinite else { continue }
            let text = json { $0.double(double) }
            #expect(Double(text)?.bitPattern == double.bitPattern, "seed \(numbers.seed)")
            let parsed = try JSONDecoder().decode([Double].self, from: Data("[\(text)]".utf8))
            #expect(parsed == [double], "seed \(numbers.seed)")
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: numbers.next()))
            guard float.isFinite else { continue }
            #expect(Float(json { $0.float(float) })?.bitPattern == float.bitPattern)
        }
        #expect(json { $0.double(-0.0) } == "-0.0")
        #expect(json { $0.double(.leastNonzeroMagnitude) } == "5e-324")
        #expect(json { $0.double(.nan) } == "\"NaN\"")
        #expect(json { $0.double(.infinity) } == "\"Infinity\"")
        #expect(json { $0.float(-.infinity) } == "\"-Infinity\"")
    }

    @Test func `every control character, quote and backslash is escaped`() throws {
        #expect(
            json { $0.string("\"\\/\u{8}\t\n\u{C}\r\0\u{1F}\u{7F}") }
                == #""\"\\/\b\t\n\f\r\u0000\u001f"# + "\u{7F}\"")
        let all = String(String.UnicodeScalarView((0..<0x250).compactMap(Unicode.Scalar.init)))
        for text in [all, "", "🧶 naïve \u{2028}", "e\u{301}"] {
            let data = Data(json { $0.string(text) }.utf8)
            let parsed = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            #expect((parsed as? String).map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test(arguments: [
        (0, "\"1970-01-01T00:00:00.000Z\""), (1, "\"1970-01-01T00:00:00.001Z\""),
        (951_782_400_000, "\"2000-02-29T00:00:00.000Z\""),
        (4_107_542_399_999, "\"2100-02-28T23:59:59.999Z\""),
        (4_107_542_400_000, "\"2100-03-01T00:00:00.000Z\""),
        (-62_135_596_800_000, "\"0001-01-01T00:00:00.000Z\""),
        (253_402_300_799_999, "\"9999-12-31T23:59:59.999Z\""),
        (-62_135_596_800_001, "{\"ms\":-62135596800001}"),
        (253_402_300_800_000, "{\"ms\":253402300800000}"),
        (Int64.min, "{\"ms\":-9223372036854775808}"), (Int64.max, "{\"ms\":9223372036854775807}"),
    ]) func `a date within the range of RFC 3339 is written in that form`(
        milliseconds: Int64, expected: String
    ) {
        #expect(json { $0.date(milliseconds: milliseconds) } == expected)
    }

    @Test func `dates agree with another calendar`() {
        var numbers = SeededNumbers()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        for _ in 0..<500 {
            // Since 1583: before, the other calendar changes to the old style.
            let seconds = Int64.random(in: -12_000_000_000...253_402_300_799, using: &numbers)
            let date = CalendarDate(millisecondsSince1970: seconds * 1_000 + 999)
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(seconds)))
            #expect(date.map { Int($0.civil.year) } == parts.year, "seed \(numbers.seed)")
            #expect(date?.civil.month == parts.month, "seed \(numbers.seed)")
            #expect(date?.civil.day == parts.day, "seed \(numbers.seed)")
        }
    }

    @Test func `bytes of any length become base64`() {
        var numbers = SeededNumbers()
        for length in 0..<100 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            #expect(json { $0.base64(bytes.span) } == "\"\(Data(bytes).base64EncodedString())\"")
        }
    }

    @Test func `commas are written only between values`() {
        let text = json {
            $0.beginArray()
            $0.beginObject()
            $0.endObject()
            $0.integer(1)
            $0.beginObject()
            $0.name("a")
            $0.beginArray()
            $0.endArray()
            $0.name("b")
            $0.null()
            $0.endObject()
            $0.bool(false)
            $0.endArray()
            $0.newLine()
            $0.integer(UInt64.max)
        }
        #expect(text == "[{},1,{\"a\":[],\"b\":null},false]\n18446744073709551615")
    }

    @Test func `a writer can be reused`() {
        var text = JSONText()
        text.integer(1)
        text.removeAll()
        text.integer(2)
        #expect(text.text == "2")
        #expect(text.utf8.array == [0x32])
    }

    @Test func `a damaged row or ill-formed text is corruption`() throws {
        let layout = RowLayout(RowTests.texts(1))
        var encoder = RowEncoder(layout)
        try encoder.set(bytes: [0xFF].span, at: 0)
        encoder.finish()
        var text = JSONText()
        #expect(code { try text.row(encoder.row, layout, layouts: Self.noLayouts) } == .corruption)
        let short: [UInt8] = [0, 0]
        #expect(code { try text.row(short.span, layout, layouts: Self.noLayouts) } == .corruption)
    }
}
