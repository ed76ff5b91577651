@testable import Daybook
import DaybookBytes
import DaybookTesting
@testable import DaybookRealm
import DaybookTestSupport
import Foundation
import Testing

@Suite struct RealmAnyValueTests {
    private func text(_ value: AnyRealmValue) throws -> String {
        var text = ""
        try AnyRealmValueText.append(value, to: &text, depth: 0)
        return text
    }

    private func roundTrip(_ value: AnyRealmValue) throws -> AnyRealmValue {
        var reader = AnyRealmValueReader(try text(value))
        return try reader.readAll()
    }

    @Test func `every case is unchanged and is stored as JSON`() throws {
        let id = ObjectId()
        let values: [AnyRealmValue] = [
            .none, .bool(true), .bool(false), .int(.min), .int(.max), .int(0), .float(0.1),
            .float(-.infinity), .float(.greatestFiniteMagnitude), .double(0.1), .double(.infinity),
            .double(.leastNonzeroMagnitude), .double(1e300), .string(""),
            .string("a\"\\\n\0\u{1F}é🦆"),
            .string("null"), .data(Data()), .data(Data((0...255).map { UInt8($0) })),
            .date(Date(timeIntervalSinceReferenceDate: 0.1)), .date(.distantPast), .objectId(id),
            .decimal128(try #require(Decimal(string: "-1234567890123456789012345678.5e20"))),
            .decimal128(0), .uuid(UUID()), .list([]), .dictionary([:]),
            .list([.none, .list([.int(1)]), .string("]")]),
            .dictionary(["": .none, "a": .dictionary(["b$": .list([.bool(true)])]), "int": .int(1)]
            ),
        ]
        for value in values {
            #expect(try roundTrip(value) == value)
            let json = Data("[\(try text(value))]".utf8)
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: json) }
        }
        #expect(Set(try values.map(text)).count == values.count)
        #expect(try roundTrip(.list(values)) == .list(values))
    }

    @Test func `numbers keep every bit`() throws {
        let patterns: [UInt64] = [
            0x8000_0000_0000_0000, 0x7FF8_0000_0000_1234, 0x7FF0_0000_0000_0001, 1,
        ]
        for pattern in patterns {
            guard case .double(let value) = try roundTrip(.double(Double(bitPattern: pattern)))
            else {
                Issue.record("no double")
                continue
            }
            #expect(value.bitPattern == pattern)
        }
        for pattern in [0x8000_0000, 0x7FC0_1234, 0x7F80_0001, 1] as [UInt32] {
            guard case .float(let value) = try roundTrip(.float(Float(bitPattern: pattern))) else {
                Issue.record("no float")
                continue
            }
            #expect(value.bitPattern == pattern)
        }
    }

    @Test func `a value that is nested too deeply, or has a key that Realm refuses, is refused`()
        throws
    {
        var value = AnyRealmValue.int(1)
        for _ in 0..<100 { value = .list([value]) }
        #expect(try roundTrip(value) == value)
        let deeper = AnyRealmValue.dictionary(["a": value])
        expectError(.invalidValue) { _ = try text(deeper) }
        expectError(.invalidValue) { _ = try text(.dictionary(["a.b": .none])) }
        expectError(.invalidValue) {
            var reader = AnyRealmValueReader(String(repeating: "[", count: 100_000))
            _ = try reader.readAll()
        }
    }

    @Test func `JSON of other programs is read`() throws {
        let texts: [(String, AnyRealmValue)] = [
            (" [ 1 ,\n2.5 ] ", .list([.int(1), .double(2.5)])), ("1e3", .double(1000)),
            ("9223372036854775808", .double(0x1p63)),
            ("{ \"a\" : { } , \"b\" : null }", .dictionary(["a": .dictionary([:]), "b": .none])),
            (#""\u00e9\/\n\t\r\b\f\ud834\udd1e""#, .string("é/\n\t\r\u{8}\u{C}𝄞")),
            (#"{ "$date" : 5e-1 }"#, .date(Date(timeIntervalSinceReferenceDate: 0.5))),
        ]
        for (text, value) in texts {
            var reader = AnyRealmValueReader(text)
            #expect(try reader.readAll() == value, "\(text)")
        }
    }

    @Test func `any other string is an error, not a trap`() throws {
        let good = try text(
            .dictionary(["a": .list([.double(1.5), .string("x\n"), .data(Data([1]))])]))
        for seed in Seeds.first(500) {
            var generator = SeededGenerator(seed: seed)
            var bytes = Array(good.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                    in: 0...127, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0...2, using: &generator))
            var reader = AnyRealmValueReader(String(decoding: bytes, as: UTF8.self))
            do { _ = try reader.readAll() } catch {
                #expect(error.code == .invalidValue, "seed \(seed)")
            }
        }
        let texts = [
            "", "nul", "1.5.5", "inf", "nan", "0x1p3", "1e999", "{\"x\":}", "{\"$x\":1}",
            "{\"a.b\":1}",
            "{\"$double\":1.5}", "{\"$date\":0,\"a\":1}", "[1", "[1,]", "1 2", "\"\\u00zz\"",
            "\"\\u+123\"", "\"\\ud834\"", "\"\\", "\"\\x\"", "\"\\u12\"",
        ]
        for text in texts {
            expectError(.invalidValue) {
                var reader = AnyRealmValueReader(text)
                _ = try reader.readAll()
            }
        }
    }
}
