import Daybook
import DaybookArchive
import Testing

@testable import DaybookS3

@Suite struct ReadAnswerTests {
    private func partial(_ body: String, _ range: String?) -> ScriptedServer.Step {
        .status(206, body, headers: range.map { ["Content-Range: \($0)"] } ?? [])
    }

    @Test func `a range is requested and checked`() async throws {
        let steps = [
            partial("bcd", "bytes 1-3/9"), partial("bcd", nil), partial("bcd", "bytes 1-3/*"),
        ]
        try await ScriptedServer.with(steps) { server in
            let bucket = try TestBucket.open(server.url)
            for _ in steps {
                #expect(try await bucket.read("k", 1..<4) == Array("bcd".utf8))
            }
            #expect(server.requests.allSatisfy { $0.contains("range: bytes=1-3") })
        }
    }

    @Test(arguments: [
        "bytes 0-2/9", "bytes 1-2/9", "bytes 1-3/2", "bytes 1-4/9", "bytes */9", "rubbish",
        "bytes 3-1/9",
    ])
    func `another range is an error`(_ range: String) async throws {
        try await ScriptedServer.with([partial("bcd", range)]) { server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure { _ = try await bucket.read("k", 1..<4) }
            #expect(error.code == .storageUnavailable)
        }
    }

    @Test(arguments: [0, 1, 2])
    func `a partial answer without its range must be complete`(_ count: Int) async throws {
        try await ScriptedServer.with([partial(String(repeating: "b", count: count), nil)]) {
            server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure { _ = try await bucket.read("k", 1..<4) }
            #expect(error.code == .storageUnavailable)
        }
    }

    @Test(arguments: [201, 203, 206, 416])
    func `a whole object needs the status 200`(_ status: Int) async throws {
        try await ScriptedServer.with([.status(status, "abc")]) { server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure { _ = try await bucket.read("k", nil) }
            #expect(error.code == .storageUnavailable)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a range needs the status 200 or 206`() async throws {
        try await ScriptedServer.with([.status(203, "abc")]) { server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure { _ = try await bucket.read("k", 0..<3) }
            #expect(error.code == .storageUnavailable)
        }
    }

    @Test func `an answer without a length is tried again`() async throws {
        let steps: [ScriptedServer.Step] = [
            .answerAndClose("HTTP/1.1 200 OK\r\n\r\nab"),
            .answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
        ]
        try await ScriptedServer.with(steps) { server in
            let bucket = try TestBucket.open(server.url)
            #expect(try await bucket.read("k", nil) == Array("abc".utf8))
            #expect(server.requests.count == 2)
        }
    }

    @Test func `a server may ignore a range`() async throws {
        let steps = Array(repeating: ScriptedServer.Step.status(200, "abcde"), count: 3)
        try await ScriptedServer.with(steps) { server in
            let bucket = try TestBucket.open(server.url)
            #expect(try await bucket.read("k", 1..<4) == Array("bcd".utf8))
            #expect(try await bucket.read("k", 4..<9) == Array("e".utf8))
            #expect(try await bucket.read("k", 9..<12) == [])
        }
    }

    @Test func `a range beyond the end and an empty range have no bytes`() async throws {
        let steps = [
            .failure(416, "InvalidRange"), partial("b", "bytes 1-1/9"), .failure(404, "NoSuchKey"),
        ]
        try await ScriptedServer.with(steps) { server in
            let bucket = try TestBucket.open(server.url)
            #expect(try await bucket.read("k", 9..<12) == [])
            #expect(try await bucket.read("k", 1..<1) == [])
            #expect(try await bucket.read("k", 1..<1) == nil)
            #expect(server.requests.last?.contains("range: bytes=1-1") == true)
        }
    }

    @Test func `a range below zero sends nothing`() async throws {
        try await ScriptedServer.with([]) { server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure { _ = try await bucket.read("k", -1..<1) }
            #expect(error.code == .invalidArgument)
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 206 OK\r\nContent-Length: 4\r\n\r\nabcd",
        "HTTP/1.1 206 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n",
    ])
    func `an answer beyond its limit is an error after one request`(_ text: String) async throws {
        try await ScriptedServer.with([.answer(text)]) { server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure { _ = try await bucket.read("k", 0..<3) }
            #expect(error.code == .invalidValue)
            #expect(error.details["sizeBytesMax"] != nil)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `an object without a range has the limit of the options`() async throws {
        try await ScriptedServer.with([.status(200, "abc"), .status(200, "abcd")]) { server in
            var options = TestBucket.options()
            options.answerSizeBytesMax = 3
            let bucket = try TestBucket.open(server.url, options: options)
            #expect(try await bucket.read("k", nil) == Array("abc".utf8))
            let error = try await storageFailure { _ = try await bucket.read("k", nil) }
            #expect(error.code == .invalidValue)
        }
    }

    @Test func `a long description of a failure is not read`() async throws {
        let body = String(repeating: "x", count: 100_000)
        try await ScriptedServer.with([.status(403, body)]) { server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure { _ = try await bucket.read("k", nil) }
            #expect(error.code == .permissionDenied)
            #expect(server.requests.count == 1)
        }
    }
}
