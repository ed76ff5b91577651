import Daybook
import DaybookTesting
import DaybookTestSupport
import Foundation
import Testing

/// Texts that are not as a program expects them. Each gets a report.
@Suite struct HostileImportTests {
    private let exchanged: Exchanged
    private var notes: Box<Note> { exchanged.store.box() }

    init() throws { exchanged = try Exchanged() }

    private func load(_ text: String, _ format: ExchangeFormat = .csv) throws -> ImportReport {
        try exchanged.load(text, format, into: "Note")
    }

    private func load(_ bytes: [UInt8], _ format: ExchangeFormat = .csv) throws -> ImportReport {
        try exchanged.load(bytes, format, into: "Note")
    }

    @Test func `a mark of UTF-8, CRLF and a missing last line break are accepted`() throws {
        _ = try load([0xEF, 0xBB, 0xBF] + Array("text,stars\r\n\"a\r\nb\",1\r\nc,2".utf8))
        #expect(try notes.all().map(\.text) == ["a\r\nb", "c"])
        _ = try load([0xEF, 0xBB, 0xBF] + Array("{\"text\":\"d\"}\r\n".utf8), .jsonLines)
        #expect(try notes.all().map(\.text).last == "d")
        // A CR alone is no line break.
        _ = try load("text\ne\rf\n")
        #expect(try notes.all().map(\.text).last == "e\rf")
    }

    @Test func `a NUL is a character`() throws {
        _ = try load("text\na\0b\n")
        _ = try load(#"{"text":"c\u0000d"}"#, .jsonLines)
        #expect(try notes.all().map(\.text) == ["a\0b", "c\0d"])
        try exchanged.expectProblems(in: [1]) { try load("{\"text\":\"c\0d\"}", .jsonLines) }
    }

    @Test func `invalid UTF-8 is reported with its line`() throws {
        try exchanged.expectProblems(in: [3]) {
            try load(Array("text\na\n".utf8) + [0xFF, 0x0A] + Array("b\n".utf8))
        }
        try exchanged.expectProblems(in: [2]) {
            try load(
                Array("{\"text\":\"a\"}\n{\"text\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8),
                .jsonLines)
        }
        for bytes: [UInt8] in [
            [0xFF, 0xFE, 0x74, 0x00], [0xEF, 0x41], [0xEF, 0xBB, 0x41], [0x22, 0x41], [0xC3],
        ] {
            expectError(.invalidValue) { _ = try load(bytes) }
            expectError(.invalidArgument) { _ = try load([0x41] + [0x2C] + [0x41]) }
        }
    }

    @Test func `a text without records imports nothing`() throws {
        expectError(.invalidValue) { _ = try load("") }
        #expect(try load("text\n").recordCount == 0)
        #expect(try load("", .jsonLines).recordCount == 0)
        #expect(try load("\n \r\n\n", .jsonLines).recordCount == 0)
    }

    @Test func `a record that is too long is reported, and the next one is read`() throws {
        let long = String(repeating: "x", count: 300_000)
        for quote in ["", "\""] {
            let reasons = try exchanged.expectProblems(in: [2]) {
                try exchanged.load(
                    "text\n\(quote)\(long)\(quote)\nb\n", .csv, into: "Note"
                ) { $0.recordLengthBytesMax = 100_000 }
            }
            #expect(reasons[0].contains("100000"))
        }
        try exchanged.expectProblems(in: [1]) {
            try exchanged.load(
                "{\"text\":\"\(long)\"}\n{\"text\":\"b\"}\n", .jsonLines, into: "Note"
            ) { $0.recordLengthBytesMax = 100_000 }
        }
        #expect(exchanged.problems.count == 1)
        // Within the maximum, a long field is stored.
        _ = try load("text\n\(long)\n")
        #expect(try notes.all().map(\.text) == [long])
    }

    @Test func `ten thousand columns are reported`() throws {
        let names = (0..<10_000).map { "c\($0)" }.joined(separator: ",")
        let error = expectError(.invalidArgument) { _ = try load(names + "\n" + names + "\n") }
        #expect((error?.message.utf8.count ?? 0) < 500)
        let commas = String(repeating: ",", count: 10_000)
        let reasons = try exchanged.expectProblems(in: [2]) { try load("text\n\(commas)\n") }
        #expect(reasons[0].contains("10001 fields"))
        let many = String(repeating: ",", count: 200_000)
        let others = try exchanged.expectProblems(in: [2]) { try load("text\n\(many)\nb\n") }
        #expect(others[0].contains("more than 100000 fields"))
        expectError(.invalidValue) { _ = try load(many) }
        let members = (0..<10_000).map { "\"c\($0)\":1" }.joined(separator: ",")
        try exchanged.expectProblems(in: [1]) { try load("{\(members)}", .jsonLines) }
    }

    @Test func `deep JSON is reported`() throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep =
                String(repeating: open, count: 100_000) + "1"
                + String(repeating: close, count: 100_000)
            try exchanged.expectProblems(in: [1]) { try load("{\"text\":\(deep)}", .jsonLines) }
            let field = deep.replacingOccurrences(of: "\"", with: "\"\"")
            try exchanged.expectProblems(in: [2]) {
                try exchanged.load("email,tags\na,\"\(field)\"\n", .csv)
            }
        }
    }

    @Test(arguments: [
        "{", "}", "[]", "1", "null", "\"a\"", "{\"text\":}", "{\"text\":\"a\"}}", "{\"text\":\"a",
        "{\"text\":\"a\" \"stars\":1}", "{\"text\":\"a\",\"text\":\"b\"}", "{\"text\":1}",
        "{\"text\":null}", "{\"text\":\"a\",\"stars\":1e400}", "{\"text\":\"a\",\"stars\":-}",
        "{\"text\":\"a\",\"stars\":99999999999999999999999999999999999999999999}",
        "{\"text\":\"\\ud800\"}", "{\"id\":0,\"text\":\"a\"}", "{\"id\":-1,\"text\":\"a\"}",
        "{\"id\":18446744073709551615,\"text\":\"a\"}", "{\"id\":\"1\",\"text\":\"a\"}",
        "{\"id\":1.5,\"text\":\"a\"}", "{\"text\":tru}", "{\"text\":\"a\",\"stars\":nul}",
    ])
    func `a malformed line is reported`(line: String) throws {
        try exchanged.expectProblems(in: [2]) {
            try load("{\"text\":\"a\"}\n\(line)\n{\"text\":\"b\"}", .jsonLines)
        }
    }

    @Test(arguments: Seeds.first(10)) func `random bytes never trap`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("\",\r\n{}[]:\\texstarid0129.-eE \0".utf8) + [0xC3, 0xFF]
        for round in 0..<30 {
            let bytes = (0..<Int.random(in: 0...120, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            for format in ExchangeFormat.allCases {
                let head = format == .csv ? Array("id,text,stars\n".utf8) : []
                do {
                    _ = try load(head + bytes, format)
                } catch let error as DaybookError {
                    let codes: Set<DaybookError.Code> = [.invalidValue, .invalidArgument]
                    #expect(codes.contains(error.code), "seed \(seed), round \(round)")
                }
            }
        }
    }
}
