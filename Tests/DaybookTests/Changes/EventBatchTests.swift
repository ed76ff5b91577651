@testable import Daybook
import DaybookBytes
@testable import DaybookEvents
import DaybookRows
import DaybookTestSupport
import Foundation
import Testing

@Suite struct EventBatchTests {
    private func batch(_ count: Int = 3) throws -> EventBatch {
        let store = try Store.ofEvents([Reading.self])
        for number in 1...count {
            try store.write(metadata: CommitMetadata(author: "ada")) {
                try store.append(Reading(device: "roof", celsius: Double(number)))
            }
        }
        return try EventOutbox(store, of: [Reading.self]).next(after: .start)
    }

    private func names(_ batch: EventBatch) throws -> [[String: RowValue]] {
        try batch.commits().flatMap { commit in commit.events.map(\.members) }
    }

    /// The bytes of a batch with this text.
    private func encoded(_ text: String, version: Int = 1) throws -> [UInt8] {
        let raw = Array(text.utf8)
        let hash = String(XXH64.hash(raw.span), radix: 16)
        let header =
            #"{"format":"daybook-events","version":\#(version),"bytes":\#(raw.count),"xxh64":"#
            + "\"\(hash)\"}\n"
        return Array(header.utf8) + (try Zstd.compress(raw.span, level: 1))
    }

    @Test func `a decoded batch equals the encoded one`() throws {
        let batch = try batch()
        let decoded = try EventBatch(decoding: batch.bytes)
        #expect(decoded.store == batch.store && decoded.bytes == batch.bytes)
        #expect(decoded.start == batch.start && decoded.end == batch.end)
        #expect(decoded.eventCount == 3)
        #expect(decoded.batchEnd == batch.batchEnd && batch.batchEnd?.place == batch.end)
        #expect(try decoded.commits().allSatisfy { $0.metadata == ["author": "ada"] })
        #expect(try decoded.commits()[2].events[0].members["celsius"] == .decimal("3.0"))
        let header = String(decoding: batch.bytes.prefix { $0 != 10 }, as: UTF8.self)
        #expect(header.hasPrefix(#"{"format":"daybook-events","version":1,"bytes":"#))
    }

    @Test func `the end of a batch is a text`() throws {
        let end = try #require(try batch().batchEnd)
        #expect(EventBatchEnd(end.description) == end)
        #expect(EventBatchEnd("9,1,8,-5")?.lastCommitMicroseconds == -5)
        for text in ["", "9,1,8", "9,1,8,5,6", "0,1,8,5", "9,01,8,5", "9,1,8,5 ", "9,1,-8,5"] {
            #expect(EventBatchEnd(text) == nil)
        }
    }

    @Test func `every truncation and every changed byte is an error`() throws {
        let batch = try batch()
        let bytes = batch.bytes
        var unnoticedCount = 0
        for count in 0..<bytes.count {
            expectError(.corruption) { _ = try EventBatch(decoding: Array(bytes[..<count])) }
        }
        for index in bytes.indices {
            for bit in [0, 3, 6] {
                var changed = bytes
                changed[index] ^= 1 << bit
                do {
                    // Some bits of zstd's header have no meaning.
                    let decoded = try EventBatch(decoding: changed)
                    #expect(decoded.end == batch.end)
                    #expect(try names(decoded) == (try names(batch)))
                    unnoticedCount += 1
                } catch let error as DaybookError {
                    #expect(error.code == .corruption || error.code == .formatTooNew)
                }
            }
        }
        #expect(unnoticedCount < 10)
    }

    @Test func `a newer version is refused with the remedy`() throws {
        let error = expectError(.formatTooNew) {
            _ = try EventBatch(decoding: try encoded("{}", version: 2))
        }
        #expect(error?.details["version"] == "2")
    }

    private static let store = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"
    private static let first =
        #"{"store":"\#(store)","start":[1,0],"end":[9,0]}"#
    private static let commit = #"{"commit":2,"time":5,"metadata":{"author":"ada"}}"#
    private static let event = #"{"event":1,"entity":"Reading","values":{"celsius":1}}"#

    @Test func `a text that another program wrote is read`() throws {
        let text = [Self.first, Self.commit, Self.event, ""].joined(separator: "\n")
        let batch = try EventBatch(decoding: try encoded(text))
        #expect(batch.eventCount == 1 && batch.store == Self.store)
        #expect(try batch.commits()[0].timeMicroseconds == 5)
    }

    @Test(arguments: [
        [], [""], [first], [first, ""], [first, commit, ""], [first, commit, event],
        [first, event, ""], [first, commit, event, event, ""],
        [first, commit, event, commit, event, ""], [first, commit, commit, event, ""],
        [first.replacing("[9,0]", with: "[2,0]"), commit, event, ""],
        [first.replacing("[9,0]", with: "[9]"), commit, event, ""],
        [first.replacing("[1,0]", with: "[0,0]"), commit, event, ""],
        [first.replacing("[1,0]", with: "[2,1]"), commit, event, ""],
        [first.replacing("[1,0]", with: "[3,0]"), commit, event, ""],
        [first.replacing("[1,0]", with: #"[1,0],"previous":[2,0]"#), commit, event, ""],
        [first.replacing("[9,0]", with: "[18446744073709551615,0]"), commit, event, ""],
        [first.replacing(store, with: "store"), commit, event, ""],
        [first, commit.replacing("author", with: "daybook.source"), event, ""],
        [first, commit.replacing("ada", with: String(repeating: "a", count: 20_000)), event, ""],
        [first, commit.replacing("2", with: "-2"), event, ""],
        [first, commit.replacing("5", with: "5.5"), event, ""],
        [first.replacing("[9,0]", with: "[2,0]"), commit, event, ""],
        [first, commit.replacing("2", with: "18446744073709551615"), event, commit, event, ""],
        [first, commit.replacing("2", with: "10"), event, ""],
        [first, commit.replacing("5", with: "9223372036854775807"), event, ""],
        [first, commit, event.replacing("Reading", with: String(repeating: "a", count: 1001)), ""],
        [first, String(repeating: "\n", count: 15 << 20)],
        [first, commit, event.replacing("1}", with: "1},"), ""],
        [first, commit, event.replacing(#"{"celsius":1}"#, with: "[1]"), ""],
        [first, commit, event.replacing("1}", with: String(repeating: "[", count: 99)), ""],
        [first, commit, "", event, ""],
    ])
    func `forged texts are errors`(lines: [String]) throws {
        let bytes = try encoded(lines.joined(separator: "\n"))
        expectError(.corruption) { _ = try EventBatch(decoding: bytes) }
    }

    @Test func `a length beyond the maximum allocates nothing`() throws {
        let text = try String(decoding: encoded("").prefix { $0 != 10 }, as: UTF8.self)
        for length in ["99999999999", "-1", "16777217", "1e3"] {
            let header = text.replacing(#""bytes":0"#, with: #""bytes":\#(length)"#) + "\n"
            expectError(.corruption) {
                _ = try EventBatch(decoding: Array(header.utf8) + [0x28, 0xB5, 0x2F, 0xFD, 0, 0])
            }
        }
    }
}
