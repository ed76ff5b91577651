@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Foundation
import Testing

/// Each type of value, plain, optional and in collections, in all states of a store.
@Suite struct ValueTests {
    /// Puts values and reads them immediately, after reopening, from a snapshot, and after both
    /// compactions; then compares the replay output.
    private func roundTrip<Value: PropertyValue & Equatable>(
        _ values: [Value], json: [String]? = nil, isEqual: (Value, Value) -> Bool = { $0 == $1 },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let directory = TemporaryDirectory()
        var store = try Store(directory: directory.url, entities: Holder<Value>.self)
        var objects = values.map { Holder(value: $0) }
        try store.box(for: Holder<Value>.self).put(&objects)
        func check(_ moment: Comment) throws {
            let found = try store.box(for: Holder<Value>.self).all().map(\.value)
            let same = found.count == values.count && zip(found, values).allSatisfy(isEqual)
            #expect(same, moment, sourceLocation: sourceLocation)
            if !same { #expect(found == values, sourceLocation: sourceLocation) }
        }
        func reopen() throws {
            try store.close()
            store = try Store(directory: directory.url, entities: Holder<Value>.self)
        }
        try check("at once")
        try reopen()
        try check("reopened")
        _ = try store.engine.compact(.all, sealsActive: true)
        try check("compacted")
        try store.engine.writeSnapshot()
        try reopen()
        try check("from a snapshot")
        _ = try store.engine.compact(.latest)
        try reopen()
        try check("without history")
        if let json {
            #expect(try printed(store.engine) == json, sourceLocation: sourceLocation)
        }
        try store.engine.proveReplay()
        try store.close()
    }

    /// Returns the replay output of each object's only property.
    private func printed(_ engine: Engine) throws -> [String] {
        var lines: [String] = []
        try engine.forEachObject { object throws(DaybookError) in
            var text = JSONText()
            try object.appendRow(to: &text)
            lines.append(String(text.text.dropFirst(#"{"value":"#.count).dropLast()))
            return true
        }
        return lines
    }

    /// Tests the type itself, its optional, and an array, a set and a dictionary of both.
    private func everyForm<Value: PropertyValue & Hashable>(
        _ values: [Value], json: [String]? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try roundTrip(values, json: json, sourceLocation: sourceLocation)
        try roundTrip(
            values.map { Value?.some($0) } + [nil], json: json.map { $0 + ["null"] },
            sourceLocation: sourceLocation)
        let lists = [[], values, values + values]
        try roundTrip(
            lists,
            json: json.map { ["[]", "[\($0.joined(separator: ","))]"] + [Self.doubled($0)] },
            sourceLocation: sourceLocation)
        try roundTrip(lists.map { [Value]?.some($0) } + [nil], sourceLocation: sourceLocation)
        try roundTrip(
            [[nil], values.map { Value?.some($0) } + [nil], []], sourceLocation: sourceLocation)
        try roundTrip([Set(values), []], sourceLocation: sourceLocation)
        try roundTrip([Set(values.map { Value?.some($0) } + [nil])], sourceLocation: sourceLocation)
        let pairs = values.enumerated().map { ("key \($0)", $1) }
        let map = Dictionary(uniqueKeysWithValues: pairs)
        try roundTrip([map, [:]], sourceLocation: sourceLocation)
        try roundTrip(
            [map.mapValues { Value?.some($0) }.merging(["": nil]) { $1 }],
            sourceLocation: sourceLocation)
        try roundTrip([lists, []], sourceLocation: sourceLocation)
    }

    private static func doubled(_ json: [String]) -> String {
        "[\((json + json).joined(separator: ","))]"
    }

    @Test func `numbers and Booleans are unchanged in every kind of property`() throws {
        try everyForm([true, false], json: ["true", "false"])
        try everyForm([Int8.min, 0, .max], json: ["-128", "0", "127"])
        try everyForm([Int16.min, 0, .max], json: ["-32768", "0", "32767"])
        try everyForm([Int32.min, 0, .max], json: ["-2147483648", "0", "2147483647"])
        try everyForm([Int64.min, 0, .max], json: ["\(Int64.min)", "0", "\(Int64.max)"])
        try everyForm([Int.min, 0, .max], json: ["\(Int.min)", "0", "\(Int.max)"])
        try everyForm([UInt16.min, 1, .max], json: ["0", "1", "65535"])
        try everyForm([UInt32.min, 1, .max], json: ["0", "1", "4294967295"])
        try everyForm([UInt64.min, 1, .max], json: ["0", "1", "\(UInt64.max)"])
        try everyForm([UInt.min, 1, .max], json: ["0", "1", "\(UInt.max)"])
        try everyForm([Float(0.1), -.infinity, .greatestFiniteMagnitude])
        try everyForm([0.1, -.infinity, .leastNonzeroMagnitude])
    }

    @Test func `a single byte is a number, and an array of bytes is a blob`() throws {
        try roundTrip([UInt8.min, .max], json: ["0", "255"])
        try roundTrip([UInt8?.none, 7], json: ["null", "7"])
        try roundTrip([[UInt8](), [0, 255]], json: [#""""#, #""AP8=""#])
        try roundTrip([[UInt8?.none, 1]], json: ["[null,1]"])
        try roundTrip([Set([UInt8(3), 1])], json: ["[1,3]"])
        try roundTrip([["a": UInt8(3)]], json: [#"{"a":3}"#])
        try roundTrip([[[UInt8(1)], []]], json: [#"["AQ==",""]"#])
    }

    @Test func `NaN keeps its bits`() throws {
        let signalling = Double(bitPattern: 0x7FF0_0000_0000_0001)
        try roundTrip(
            [Double.nan, signalling, -.nan], json: [#""NaN""#, #""NaN""#, #""NaN""#],
            isEqual: { $0.bitPattern == $1.bitPattern })
        try roundTrip(
            [[Float.nan]], json: [#"["NaN"]"#],
            isEqual: { $0.map(\.bitPattern) == $1.map(\.bitPattern) })
    }

    @Test
    func `strings, bytes and values stored as strings are unchanged in every kind of property`()
        throws
    {
        let texts = ["", "a", "Zoë 👩‍🚀", "e\u{301}", "\u{0}\"\\\n"]
        try everyForm(
            texts,
            json: [#""""#, #""a""#, #""Zoë 👩‍🚀""#, "\"e\u{301}\"", #""\u0000\"\\\n""#])
        try everyForm([Data(), Data([0, 255])], json: [#""""#, #""AP8=""#])
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        try everyForm([uuid], json: [#""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#])
        let urls = ["https://example.com/a?b=c#d", "file:///tmp/x%20y", "mailto:a@b.example"]
        try everyForm(
            try urls.map { try #require(URL(string: $0)) }, json: urls.map { "\"\($0)\"" })
    }

    @Test func `decimals keep every digit`() throws {
        let texts = [
            "0", "-0.5", "12.5", "79228162514264337593543950335", "0.0000000000000000000000000001",
            "-340282366920938463463374607431768211455",
        ]
        let decimals = try texts.map { try #require(Decimal(string: $0)) }
        try everyForm(decimals)
        try roundTrip(decimals, json: texts.map { "\"\($0)\"" })
        try roundTrip([Decimal.nan], json: [#""NaN""#], isEqual: { $0.isNaN && $1.isNaN })
        let great = Decimal(sign: .plus, exponent: 127, significand: 1)
        let small = Decimal(sign: .minus, exponent: -127, significand: 3)
        try roundTrip([great, small])
    }

    @Test func `dates keep their milliseconds`() throws {
        let dates = [0, -1.5, 1_700_000_000.125, -62_135_596_800, 253_402_300_799.999]
            .map { Date(timeIntervalSince1970: $0) }
        try everyForm(
            dates,
            json: [
                #""1970-01-01T00:00:00.000Z""#, #""1969-12-31T23:59:58.500Z""#,
                #""2023-11-14T22:13:20.125Z""#, #""0001-01-01T00:00:00.000Z""#,
                #""9999-12-31T23:59:59.999Z""#,
            ])
    }

    @Test func `dates in nanoseconds are unchanged, and exact far from 2001`() throws {
        var numbers = SeededGenerator(seed: 2001)
        var dates = [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1.5)]
        for _ in 0..<2_000 {
            let seconds = Double.random(in: 8_400_000...8_200_000_000, using: &numbers)
            dates.append(Date(timeIntervalSinceReferenceDate: seconds))
            dates.append(Date(timeIntervalSinceReferenceDate: -seconds))
        }
        try roundTrip(dates.map { NanosecondDate($0) })
        let near = Date(timeIntervalSinceReferenceDate: 0.123_456_789)
        try roundTrip(
            [NanosecondDate(near), NanosecondDate(Date(timeIntervalSinceReferenceDate: -1e-9))],
            json: [#""2001-01-01T00:00:00.123456789Z""#, #""2000-12-31T23:59:59.999999999Z""#],
            isEqual: { abs($0.date.timeIntervalSince($1.date)) < 1e-9 })
        try everyForm([NanosecondDate(dates[3])])
        let store = try Store(directoryPath: "memory:beyond", entities: Holder<NanosecondDate>.self)
        for seconds in [9_300_000_000.0, -9_300_000_000, .infinity, .nan] {
            let far = NanosecondDate(Date(timeIntervalSince1970: seconds))
            #expect(throws: DaybookError.self) { try store.box().put(Holder(value: far)) }
        }
        #expect(try store.box(for: Holder<NanosecondDate>.self).isEmpty())
        try store.close()
    }

    @Test func `sixteen million bytes are unchanged`() throws {
        let count = 16 << 20
        let text = String(repeating: "0123456789abcdef", count: count / 16)
        try roundTrip([text, "after"])
        try roundTrip([Data(repeating: 7, count: count), Data()])
        try roundTrip([Array(repeating: 1.5, count: 1 << 17), []])
    }

    @Test func `a set has the same bytes in any insertion order`() throws {
        let store = try Store(directoryPath: "memory:sets", entities: Holder<Set<String>>.self)
        let box = store.box(for: Holder<Set<String>>.self)
        let words = (0..<100).map { "word \($0)" }
        try box.put([Holder(value: Set(words)), Holder(value: Set(words.reversed()))])
        let rows = try printed(store.engine)
        #expect(rows.count == 2)
        #expect(rows[0] == rows[1])
        #expect(rows[0].hasPrefix(#"["word 0","word 1","word 10","word 11""#))
        try store.close()
    }
}
