import Daybook
import DaybookArchive
import ReplicationTestSupport
import Testing

@testable import DaybookS3

@Suite struct ListAnswerTests {
    private static func page(_ keys: [String], token: String? = nil, isTruncated: Bool = false)
        -> ScriptedServer.Step
    {
        let contents = keys.map { "<Contents><Key>\($0)</Key><Size>7</Size></Contents>" }.joined()
        let next = token.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
        return .status(
            200,
            "<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>\(isTruncated)"
                + "</IsTruncated>\(next)\(contents)</ListBucketResult>")
    }

    @Test func `pages are joined`() async throws {
        let steps = [
            Self.page(["p/a", "p/b%2B+"], token: "t/1", isTruncated: true),
            Self.page([], token: "t2", isTruncated: true),
            Self.page(["p/c"], isTruncated: true), Self.page(["p/d", "p/dir/", "p/e"]),
        ]
        try await ScriptedServer.with(steps) { server in
            let bucket = try TestBucket.open(server.url, prefix: "p")
            let entries = try await bucket.list(prefix: "", after: "A", countMax: 10)
            #expect(entries.map(\.key) == ["a", "b+ ", "c", "d", "e"])
            #expect(entries.allSatisfy { $0.sizeBytes == 7 })
            let begin = "GET /examples?"
            let end = "prefix=p%2F"
            #expect(
                server.lines == [
                    "\(begin)encoding-type=url&list-type=2&max-keys=10&\(end)&start-after=p%2FA",
                    "\(begin)continuation-token=t%2F1&encoding-type=url&list-type=2&max-keys=8"
                        + "&\(end)",
                    "\(begin)continuation-token=t2&encoding-type=url&list-type=2&max-keys=8&\(end)",
                    "\(begin)encoding-type=url&list-type=2&max-keys=7&\(end)&start-after=p%2Fc",
                ])
        }
    }

    @Test func `a list ends at the count`() async throws {
        try await ScriptedServer.with([Self.page(["a", "b", "c"], isTruncated: true)]) { server in
            let bucket = try TestBucket.open(server.url)
            #expect(
                try await bucket.list(prefix: "", after: nil, countMax: 2).map(\.key) == ["a", "b"])
            for count in [0, -1, Int.min] {
                #expect(try await bucket.list(prefix: "", after: nil, countMax: count).isEmpty)
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a list of a directory ends at the count`() async throws {
        try await TestDirectory.with { directory in
            let storage = DirectoryStorage(path: directory.path)
            #expect(try await storage.create("archive.json", [1]))
            for (count, keys) in [(1, ["archive.json"]), (0, []), (-1, [])] {
                let entries = try await storage.list(prefix: "", after: nil, countMax: count)
                #expect(entries.map(\.key) == keys)
            }
        }
    }

    static let malformed: [ScriptedServer.Step] = [
        .status(200, "garbage"), .status(200), .status(200, "<ListBucketResult>"),
        .status(200, "<html></html>"), page(["p/b", "p/a"]), page(["p/a", "p/a"]), page(["q"]),
        page(["p/%"]), page([], isTruncated: true), page(["p/A"]),
    ]

    @Test(arguments: malformed.indices)
    func `an answer that is not a list in order is an error`(_ index: Int) async throws {
        try await ScriptedServer.with([Self.malformed[index]]) { server in
            let bucket = try TestBucket.open(server.url, prefix: "p")
            let error = try await storageFailure {
                _ = try await bucket.list(prefix: "", after: "B", countMax: 10)
            }
            #expect(error.code == .storageUnavailable)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `endless pages without objects are an error`() async throws {
        let steps = (0..<200).map { Self.page([], token: "t\($0)", isTruncated: true) }
        try await ScriptedServer.with(steps) { server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure {
                _ = try await bucket.list(prefix: "", after: nil, countMax: 10)
            }
            #expect(error.code == .storageUnavailable)
        }
    }
}
