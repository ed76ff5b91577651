@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Foundation
import Testing

@Suite struct PropertyTests {
    /// Puts objects and reads them back immediately, after reopening, and after both compactions.
    private func roundTrip(
        _ objects: [Everything], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let directory = TemporaryDirectory()
        var store = try Store(directory: directory.url, entities: Everything.self)
        var expected = objects
        try store.box(for: Everything.self).put(&expected)
        func check(_ moment: Comment) throws {
            let found = try store.box(for: Everything.self).all()
            #expect(found == expected, moment, sourceLocation: sourceLocation)
        }
        func reopen() throws {
            try store.close()
            store = try Store(directory: directory.url, entities: Everything.self)
        }
        try check("at once")
        try reopen()
        try check("reopened")
        _ = try store.engine.compact(.all, sealsActive: true)
        try check("compacted")
        try reopen()
        try check("compacted and reopened")
        _ = try store.engine.compact(.latest)
        try reopen()
        try check("without history")
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `extreme values of every type are unchanged`() throws {
        var least = Everything()
        least.int8 = .min
        least.int16 = .min
        least.int32 = .min
        least.int64 = .min
        least.int = .min
        least.float = -.greatestFiniteMagnitude
        least.double = -.greatestFiniteMagnitude
        least.date = Date(timeIntervalSince1970: -62_135_596_800)
        var greatest = Everything(bool: true)
        greatest.int8 = .max
        greatest.int16 = .max
        greatest.int32 = .max
        greatest.int64 = .max
        greatest.int = .max
        greatest.uint8 = .max
        greatest.uint16 = .max
        greatest.uint32 = .max
        greatest.uint64 = .max
        greatest.uint = .max
        greatest.float = .greatestFiniteMagnitude
        greatest.double = .greatestFiniteMagnitude
        greatest.date = Date(timeIntervalSince1970: 253_402_300_799.999)
        var optional = Everything()
        optional.boolOrNil = true
        optional.int8OrNil = .min
        optional.int16OrNil = .max
        optional.int32OrNil = -1
        optional.int64OrNil = .min
        optional.intOrNil = .max
        optional.uint8OrNil = .max
        optional.uint16OrNil = .max
        optional.uint32OrNil = .max
        optional.uint64OrNil = .max
        optional.uintOrNil = .max
        optional.floatOrNil = .leastNonzeroMagnitude
        optional.doubleOrNil = .leastNonzeroMagnitude
        try roundTrip([least, greatest, optional, Everything()])
    }

    @Test func `infinities and both zeros are unchanged`() throws {
        var strange = Everything(float: .infinity, double: -.infinity)
        strange.floatOrNil = -.infinity
        strange.doubleOrNil = .infinity
        try roundTrip([strange])
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Everything.self)
        let box = store.box(for: Everything.self)
        try box.put(Everything(float: -0.0, double: -0.0))
        let found = try #require(try box.get(1))
        #expect(found.float.sign == .minus && found.double.sign == .minus)
        try store.close()
    }

    @Test func `a NaN keeps its bits`() throws {
        let directory = TemporaryDirectory()
        let payload = Double(nan: 0x1234, signaling: false)
        let store = try Store(directory: directory.url, entities: Everything.self)
        var object = Everything(float: .nan, double: payload)
        object.doubleOrNil = .nan
        try store.box(for: Everything.self).put(object)
        try store.close()
        let again = try Store(directory: directory.url, entities: Everything.self)
        let found = try #require(try again.box(for: Everything.self).get(1))
        #expect(found.float.isNaN)
        #expect(found.double.bitPattern == payload.bitPattern)
        #expect(found.doubleOrNil?.isNaN == true)
        #expect(found.floatOrNil == nil)
        try again.close()
    }

    @Test func `empty values are different from nil`() throws {
        var empty = Everything()
        empty.stringOrNil = ""
        empty.dataOrNil = Data()
        empty.bytesOrNil = []
        empty.boolOrNil = false
        empty.intOrNil = 0
        empty.dateOrNil = Date(timeIntervalSince1970: 0)
        try roundTrip([empty, Everything()])
    }

    @Test func `strings keep every scalar`() throws {
        let texts = [
            "", "a", "\0", "a\0b", "Ünïcödé", "é", "e\u{301}", "👩‍👩‍👧‍👦🏳️‍🌈",
            "\u{10FFFF}", "日本語", "\r\n\t",
            String(repeating: "long ", count: 3000), String(repeating: "🦆", count: 70_000),
        ]
        try roundTrip(texts.map { Everything(string: $0, stringOrNil: $0) })
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Everything.self)
        let box = store.box(for: Everything.self)
        for text in texts {
            let id = try box.put(Everything(string: text))
            #expect(try box.get(id)?.string.utf8.elementsEqual(text.utf8) == true)
        }
        try store.close()
    }

    @Test func `byte arrays of all values and many lengths are unchanged`() throws {
        let all = (0..<256).map { UInt8($0) }
        let lengths = [0, 1, 63, 64, 65, 255, 256, 65_535, 65_536, 200_000]
        try roundTrip(
            lengths.map { length in
                let bytes = (0..<length).map { all[($0 * 7) % 256] }
                return Everything(data: Data(bytes), bytes: bytes, bytesOrNil: bytes)
            })
    }

    @Test func `dates keep their milliseconds, also before 1970 and after more round trips`()
        throws
    {
        let seconds = [0, 0.001, -0.001, 1e9 + 0.123, -1e9 - 0.987, 4e10, -4e10, 0.5]
        try roundTrip(seconds.map { Everything(date: Date(timeIntervalSince1970: $0)) })
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Everything.self)
        let box = store.box(for: Everything.self)
        let fine = Date(timeIntervalSince1970: 1_700_000_000.123_456)
        try box.put(Everything(date: fine))
        let once = try #require(try box.get(1))
        #expect(abs(once.date.timeIntervalSince(fine)) <= 0.000_501)
        try box.put(once)
        #expect(try box.get(1)?.date == once.date)
        try store.close()
    }

    @Test func `a date that cannot be stored is an error that names its property`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Everything.self)
        let box = store.box(for: Everything.self)
        for seconds in [Double.nan, .infinity, -.infinity, 1e17, -1e17] {
            let date = Date(timeIntervalSince1970: seconds)
            let one = expectError(.invalidValue) { try box.put(Everything(date: date)) }
            #expect(one?.details["property"] == "date")
            let other = expectError(.invalidValue) { try box.put(Everything(dateOrNil: date)) }
            #expect(other?.details["property"] == "dateOrNil")
        }
        #expect(try box.isEmpty())
        for date in [Date.distantPast, .distantFuture] {
            let id = try box.put(Everything(date: date))
            #expect(try box.get(id)?.date == date)
        }
        try store.close()
    }

    @Test
    func `a string of a hundred megabytes is unchanged after reopening and compaction`()
        throws
    {
        let directory = TemporaryDirectory()
        var store = try Store(directory: directory.url, entities: Note.self)
        let text = String(repeating: "0123456789abcdef", count: 100 << 16)
        #expect(text.utf8.count == 100 << 20)
        try store.box(for: Note.self).put(Note(text: text))
        try store.box(for: Note.self).put(Note(text: "small"))
        try store.close()
        store = try Store(directory: directory.url, entities: Note.self)
        #expect(try store.box(for: Note.self).get(1)?.text == text)
        _ = try store.engine.compact(.all, sealsActive: true)
        #expect(try store.box(for: Note.self).get(1)?.text == text)
        #expect(try store.box(for: Note.self).get(2)?.text == "small")
        try store.close()
    }

    @Test
    func `invalid UTF-8 with a valid checksum is an error, not a trap and not a wrong string`()
        throws
    {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Note.self)
        let notes = store.box(for: Note.self)
        try notes.put(Note(text: "abcdefgh"))
        let binding = try notes.binding()
        let stored = try #require(try store.engine.row(binding.entity, 1))
        var row = stored.bytes.array
        let place = try #require(row.firstIndex(of: UInt8(ascii: "a")))
        row[place] = 0xFF
        let forged = row
        try store.engine.write { transaction in
            try transaction.changes.put(
                binding.entity, 1, layout: binding.layoutID, row: forged.span)
        }
        expectError(.corruption) { _ = try notes.get(1) }
        expectError(.corruption) { _ = try notes.all() }
        try store.close()
    }

    @Test func `a row of random bytes gives an error or an object, never a trap`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Everything.self)
        let box = store.box(for: Everything.self)
        try box.put(Everything(string: "text", data: Data([1, 2]), bytes: [3], stringOrNil: "x"))
        let binding = try box.binding()
        let stored = try #require(try store.engine.row(binding.entity, 1))
        let good = stored.bytes.array
        for seed in Seeds.first(400) {
            var generator = SeededGenerator(seed: seed)
            var row = good
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                row[Int.random(in: 0..<row.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            if seed % 5 == 0 { row.removeLast(Int.random(in: 0..<row.count, using: &generator)) }
            let forged = row
            try store.engine.write { transaction in
                try transaction.changes.put(
                    binding.entity, 1, layout: binding.layoutID, row: forged.span)
            }
            do { _ = try box.get(1) } catch {
                #expect((error as? DaybookError)?.code == .corruption, "seed \(seed)")
            }
        }
        try store.close()
    }

    @Test func `a conformance that contradicts its description gives a typed error`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Confused.self)
        let box = store.box(for: Confused.self)
        for mistake in Confused.Mistake.allCases {
            let error = #expect(throws: DaybookError.self) {
                try box.put(Confused(mistake: mistake))
            }
            #expect([.schemaMismatch, .invalidValue].contains(error?.code), "\(mistake)")
        }
        #expect(try box.isEmpty())
        try store.close()
    }
}

/// An entity with an incorrect conformance.
private struct Confused: Entity {
    enum Mistake: CaseIterable { case type, index, negative, order, null }
    var entityId: Id = 0
    var mistake = Mistake.type

    init(mistake: Mistake) { self.mistake = mistake }
    static let entityDescription = EntityDescription(
        "Confused", [.property("a", String.self), .property("b", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> Confused { Confused(mistake: .type) }
    func encode(into row: inout RowWriter) throws {
        switch mistake {
        case .type: try row.write(7, at: 0)
        case .index: try row.write("x", at: 2)
        case .negative: try row.write("x", at: -1)
        case .order:
            try row.write("x", at: 1)
            try row.write("x", at: 0)
        case .null: try row.write(String?.none, at: 0)
        }
    }
}
