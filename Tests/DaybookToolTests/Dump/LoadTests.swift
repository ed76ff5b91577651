import DaybookBytes
import DaybookRecords
import Foundation
import Testing

import DaybookEngine
@testable import DaybookMaintenance
import DaybookTesting

/// Input that is no dump, or a damaged one: the error reports the position, and no files remain.
@Suite struct LoadTests {
    private static let head = #"{"dump":1,"sequence":9,"time":1000}"#
    private static let person =
        #"{"layout":1,"entity":1,"version":1,"kind":"object","name":"Person","fields":["#
        + #"{"property":1,"name":"name","shape":{"type":"string"}},"#
        + #"{"property":2,"name":"age","shape":{"type":"int8","optional":true}},"#
        + #"{"property":3,"name":"boss","shape":{"type":"toOne","optional":true,"of":"Person"},"#
        + #""relation":1,"target":1}],"indexes":[{"index":1,"kind":"value","unique":true,"#
        + #""primaryKey":false,"properties":[1]}]}"#
    private static let next = #"{"nextId":5,"of":"Person"}"#
    private static let ada = #"{"id":1,"of":"Person","layout":1,"row":{"name":"Ada","age":36}}"#
    private static let bob =
        #"{"id":2,"of":"Person","layout":1,"row":{"name":"Bob","age":null},"links":{"boss":[1]}}"#
    private static let end = #"{"end":9,"layouts":1,"events":0,"objects":2,"links":1}"#
    private static let good = [head, person, next, ada, bob, end]

    private func error(_ lines: [String]) -> DaybookError? {
        let files = MemoryFileSystem()
        let text = lines.map { $0 + "\n" }.joined()
        do {
            _ = try Engine.load(text: Array(text.utf8), into: "/new", files)
            return nil
        } catch {
            #expect((try? files.kind(of: "/new")) == .some(nil), "nothing is left behind")
            return error as? DaybookError
        }
    }

    /// Returns the error for a valid dump with one replaced part.
    private func error(_ old: String, _ new: String) -> DaybookError? {
        let lines = Self.good.map { $0.replacingOccurrences(of: old, with: new) }
        #expect(lines != Self.good)
        return error(lines)
    }

    @Test func `a handwritten dump is loaded like any other`() throws {
        let files = MemoryFileSystem()
        let text = Self.good.map { "  " + $0.replacingOccurrences(of: ":", with: " :\t") + "\r\n" }
        _ = try Engine.load(
            text: Array(text.joined().utf8), into: "/new", files, pieceBytes: 1)
        let engine = try DumpWorld.open("/new", files)
        #expect(try engine.dumpText() == Self.good.map { $0 + "\n" }.joined())
        try engine.close()
        // The last line may lack a line break.
        _ = try Engine.load(
            text: Array(Self.good.joined(separator: "\n").utf8), into: "/other", files)
    }

    @Test(arguments: [
        ("\"dump\":1", "\"dump\":0", "Line 1: the dump has format 0"),
        ("\"dump\":1", "\"dumb\":1", "Line 1, column 2: the member \"dump\" is expected here"),
        ("\"sequence\":9", "\"sequence\":-9", "Line 1, column 22: a whole number of 64 bits"),
        ("\"kind\":\"object\"", "\"kind\":\"thing\"", "Line 2, column 50: 'thing' is not one of"),
        ("\"layout\":1,\"entity\":1", "\"layout\":2,\"entity\":1", "Line 2: The schema"),
        ("\"properties\":[1]", "\"properties\":[3]", "Line 2: The property boss"),
        ("\"target\":1", "\"target\":7", "Line 3: 'Person.boss' refers to entity 7"),
        ("\"nextId\":5", "\"nextId\":2", "Line 5, column 22: the ids of an entity must"),
        ("\"id\":2", "\"id\":1", "Line 5, column 22: the ids of an entity must"),
        ("\"id\":2", "\"id\":0", "Line 5, column 8: 0 is not an id"),
        ("\"Ada\",\"age\"", "\"Ada\",\"aged\"", "Line 4, column 54: the member \"age\""),
        ("36", "128", "Line 4, column 60: a whole number of 8 bits is expected here"),
        ("36", "36.0", "Line 4, column 60: a whole number of 8 bits is expected here"),
        ("\"Ada\"", "null", "Line 4, column 52: \"name\" cannot be null"),
        ("Ada", "A\\ud800", "Line 4, column 56: a string contains half of a surrogate pair"),
        ("Ada", "A\\x", "Line 4, column 51: the character after a"),
        ("Ada\"", "Ada", "Line 4, column 54: ',' is expected here"),
        ("[1]}}", "[1,1]}}", "Line 5, column 86: 'boss' can have only one target"),
        ("\"boss\":[1]", "\"bass\":[1]", "Line 5, column 82: the entity has no relation 'bass'"),
        ("[1]}}", "[3]}}", "'Person.boss' of object 2 refers to object 3, which does not exist"),
        ("Bob", "Ada", "Objects of Person have the same values of 'name', which are unique"),
        ("\"objects\":2", "\"objects\":3", "Line 6, column 54: the counts differ"),
        ("{\"end\"", "{\"fin\"", "Line 6, column 2: a line must begin with"),
    ])
    func `a bad line is reported with its column`(_ old: String, _ new: String, _ message: String) {
        let error = error(old, new)
        #expect(error?.code == .dumpInvalid)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "none")")
        #expect(error?.message.hasSuffix(". Nothing was loaded.") == true)
        // Some errors are whole sentences.
        #expect(error?.message.contains("..") == false)
    }

    @Test func `a dump that is truncated anywhere is refused`() {
        let text = Array(Self.good.joined(separator: "\n").utf8)
        for count in 0..<text.count {
            let files = MemoryFileSystem()
            #expect(throws: DaybookError.self) {
                try Engine.load(text: Array(text[0..<count]), into: "/new", files)
            }
            #expect((try? files.kind(of: "/new")) == .some(nil))
        }
    }

    @Test func `a misplaced line is refused`() {
        for (from, to) in [(1, 3), (2, 4), (3, 4), (5, 4), (0, 1)] {
            var lines = Self.good
            lines.swapAt(from, to)
            #expect(error(lines)?.code == .dumpInvalid)
        }
        for index in Self.good.indices {
            var lines = Self.good
            lines.insert(lines[index], at: index)
            #expect(error(lines) != nil, "line \(index) twice")
            lines = Self.good
            lines.remove(at: index)
            #expect(error(lines) != nil, "line \(index) left out")
            lines = Self.good
            lines.insert("", at: index)
            #expect(error(lines)?.code == .dumpInvalid)
        }
        #expect(error(Self.good + ["{}"])?.message.hasPrefix("Line 7") == true)
        #expect(error(Self.good) == nil)
    }

    @Test func `a dump of a newer release is distinguished from a damaged one`() {
        #expect(error("\"dump\":1", "\"dump\":2")?.code == .formatTooNew)
    }

    @Test func `unclosed brackets are an error and cause no overflow`() {
        let deep = String(repeating: "[", count: 1_000_000)
        #expect(error("36", deep)?.code == .dumpInvalid)
        let shape = String(repeating: #"{"type":"list","element":"#, count: 10_000)
        #expect(error(#"{"type":"string"}"#, shape)?.message.contains("too deep") == true)
    }

    @Test func `a line may continue across chunks, and is refused if it never ends`() throws {
        let bytes = Array("one\n\ntwo\nthree".utf8)
        for size in 1...bytes.count {
            var offset = 0
            var reader = LineReader(lengthBytesMax: 5) { () throws(DaybookError) in
                defer { offset = min(offset + size, bytes.count) }
                return Array(bytes[offset..<min(offset + size, bytes.count)])
            }
            var lines: [String] = []
            while let line = try reader.next() {
                lines.append(String(decoding: line, as: UTF8.self))
            }
            #expect(lines == ["one", "", "two", "three"])
            #expect(reader.lineNumber == 4)
        }
        // Input without line breaks is not read forever.
        var pieceCount = 0
        var reader = LineReader(lengthBytesMax: 5_000) { () throws(DaybookError) in
            pieceCount += 1
            return [UInt8](repeating: 0x20, count: 1_000)
        }
        let error = #expect(throws: DaybookError.self) { try reader.next() }
        #expect(error?.code == .dumpInvalid)
        #expect(pieceCount == 6)
    }

    // The next commits were written, and then no opening could read them.
    @Test func `loading a dump at the highest sequence leaves no store that cannot be opened`()
        throws
    {
        let files = MemoryFileSystem()
        let last = UInt64(Int64.max) - 1
        let text = [
            #"{"dump":1,"sequence":\#(last),"time":9223372036854775807}"#,
            #"{"end":\#(last),"layouts":0,"events":0,"objects":0,"links":0}"#,
        ]
        _ = try Engine.load(
            text: Array(text.joined(separator: "\n").utf8), into: "/new", files)
        let engine = try DumpWorld.open("/new", files)
        _ = try engine.register([SampleStore.person])
        #expect(try engine.visibleSequence == last + 1)
        let full = #expect(throws: DaybookError.self) {
            try engine.register([SampleStore.person, SampleStore.note])
        }
        #expect(full?.code == .outOfSpace)
        try engine.close()
        let again = try DumpWorld.open("/new", files)
        #expect(try again.visibleSequence == last + 1)
        #expect(try again.checkReplay().isEqual)
        try again.close()
        let beyond = text.map { $0.replacingOccurrences(of: String(last), with: String(last + 1)) }
        #expect(error(beyond)?.code == .dumpInvalid)
    }

    // The state of a store with few and large transactions was refused, because it became one
    // transaction. The transactions here have kilobytes instead of the gigabytes of a segment.
    @Test func `a state of a few large transactions is loaded in as many transactions`() throws {
        let store = try SampleStore()
        for index in 0..<3 {
            try store.write { transaction in
                for part in 0..<6 {
                    try store.putNote(
                        lengthBytes: 1 << 10, seed: UInt64(index * 100 + part), in: transaction)
                }
            }
        }
        let files = MemoryFileSystem()
        let engine = try #require(store.engine)
        for history in [false, true] {
            let text = Array(try (history ? engine.historyText() : engine.dumpText()).utf8)
            let path = history ? "/history" : "/state"
            var options = EngineOptions()
            options.blockPayloadBytes = 2 << 10
            options.log.segmentSizeBytes = 4 << 10
            var pieces = [text][...]
            _ = try Engine.load(
                into: path, files, options: options, transactionBytesMax: 7 << 10,
                from: { () throws(DaybookError) in pieces.popFirst() ?? [] })
            let loaded = try DumpWorld.open(path, files)
            let again = try history ? loaded.historyText() : loaded.dumpText()
            #expect(Array(again.utf8) == text)
            let segments = files.contents.keys.filter { $0.hasPrefix(path + "/segment-") }
            #expect(segments.count > 2)
            try loaded.close()
        }
        try store.close()
    }

    @Test func `a load with failing input, or into a used directory, leaves no files`() throws {
        let files = MemoryFileSystem()
        let text = Array(Self.good.joined(separator: "\n").utf8)
        var isFirst = true
        let failed = #expect(throws: DaybookError.self) {
            try Engine.load(
                into: "/new", files,
                from: { () throws(DaybookError) in
                    defer { isFirst = false }
                    if isFirst { return Array(text.prefix(700)) }
                    throw DaybookError(.inputOutput, "The input broke.")
                })
        }
        #expect(failed?.code == .inputOutput)
        #expect(try files.kind(of: "/new") == nil)
        _ = try Engine.load(text: text, into: "/new", files)
        let taken = #expect(throws: DaybookError.self) {
            try Engine.load(text: text, into: "/new", files)
        }
        #expect(taken?.code == .fileExists)
        let engine = try DumpWorld.open("/new", files)
        #expect(try engine.checkReplay().isEqual)
        try engine.close()
    }

    @Test func `a load that fails at any call leaves no directory that opens as a store`() throws {
        let world = try DumpWorld(seed: 7)
        let text = Array(try world.engine.dumpText().utf8)
        try world.engine.close()
        var call = 0
        while true {
            call += 1
            let files = MemoryFileSystem()
            let fault = FaultFileSystem(
                files, failingCall: call, fault: .errno(28), persistence: .once,
                counting: [.write, .sync, .rename])
            do {
                _ = try Engine.load(text: text, into: "/new", fault)
                break
            } catch {
                let error = try #require(error as? DaybookError)
                #expect(error.code == .outOfSpace || error.code == .durabilityUnknown)
                // It is unknown whether a file exists that was renamed without a successful sync.
                if try files.kind(of: "/new") != nil {
                    let engine = try DumpWorld.open("/new", files)
                    #expect(try engine.checkReplay().isEqual)
                    try engine.close()
                }
            }
        }
        #expect(call > 5)
    }
}
