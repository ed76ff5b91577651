import Daybook
import DaybookArchive
import ReplicationTestSupport
import Testing

@testable import DaybookS3

@Suite struct RetryTests {
    /// Answers that do not count.
    static let transient: [ScriptedServer.Step] = [
        .failure(503, "SlowDown"), .failure(500, "InternalError"), .status(502), .status(504),
        .status(429), .status(408), .failure(400, "ServiceUnavailable"),
        .failure(400, "RequestTimeout"), .failure(409, "OperationAborted"),
        .failure(409, "ConditionalRequestConflict"), .answerAndClose(""),
        .answerAndClose("HTTP/1.1 200 OK\r\nContent-Le"),
        .answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"),
        .answerAndClose("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"),
        .answerAndClose("garbage\r\n\r\n"),
        .status(503, headers: ["Retry-After: 100"]),
        .status(503, headers: ["Retry-After: -1"]),
    ]

    @Test(arguments: transient.indices)
    func `a read is tried again`(_ index: Int) async throws {
        try await ScriptedServer.with([Self.transient[index], .status(200, "abc")]) { server in
            let bucket = try TestBucket.open(server.url)
            #expect(try await bucket.read("k", nil) == Array("abc".utf8))
            #expect(server.lines == ["GET /examples/k", "GET /examples/k"])
        }
    }

    @Test(arguments: transient.indices)
    func `a creation is tried again`(_ index: Int) async throws {
        try await ScriptedServer.with([Self.transient[index], .status(200)]) { server in
            let bucket = try TestBucket.open(server.url)
            #expect(try await bucket.create("k", [1, 2, 3]))
            #expect(server.lines == ["PUT /examples/k", "PUT /examples/k"])
            for head in server.requests { #expect(head.contains("if-none-match: *")) }
        }
    }

    @Test func `the last failure is the cause`() async throws {
        let steps = Array(repeating: ScriptedServer.Step.failure(503, "SlowDown"), count: 3)
        try await ScriptedServer.with(steps) { server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure { _ = try await bucket.create("k", []) }
            #expect(error.code == .storageUnavailable)
            #expect(error.details["status"] == "503")
            #expect(error.details["code"] == "SlowDown")
            #expect(error.details["bucket"] == "examples")
            #expect(error.details["key"] == "k")
            #expect(error.cause != nil)
            #expect(server.requests.count == 3)
        }
    }

    @Test func `a server that does not answer ends in an error`() async throws {
        try await ScriptedServer.with([.hang, .hang]) { server in
            var options = TestBucket.options()
            options.timeout = .seconds(1)
            options.attemptCountMax = 2
            let bucket = try TestBucket.open(server.url, options: options)
            let error = try await storageFailure { _ = try await bucket.read("k", nil) }
            #expect(error.code == .storageUnavailable)
            #expect(error.cause is TransportProblem)
            #expect(error.message.contains("in 2 attempts"))
            // On a busy computer an attempt may end before its request arrives.
            #expect((1...2).contains(server.requests.count))
        }
    }

    @Test func `a server that stops within an answer ends in an error`() async throws {
        let step = ScriptedServer.Step.answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
        try await ScriptedServer.with([step, step]) { server in
            var options = TestBucket.options()
            options.timeout = .seconds(1)
            options.attemptCountMax = 2
            let bucket = try TestBucket.open(server.url, options: options)
            let error = try await storageFailure { _ = try await bucket.read("k", nil) }
            #expect(error.code == .storageUnavailable)
            #expect(error.message.contains("in 2 attempts"))
            // On a busy computer an attempt may end before its request arrives.
            #expect((1...2).contains(server.requests.count))
        }
    }

    @Test func `a server that is not there is an error`() async throws {
        // No program listens on the first port.
        let bucket = try TestBucket.open("http://127.0.0.1:1")
        let error = try await storageFailure { _ = try await bucket.read("k", nil) }
        #expect(error.code == .storageUnavailable)
        #expect(error.cause != nil)
    }

    @Test func `a cancelled call ends`() async throws {
        try await ScriptedServer.with([.hang]) { server in
            let bucket = try TestBucket.open(server.url)
            let task = Task { try await bucket.read("k", nil) }
            try await eventually { server.requests.count == 1 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a call that waits for the next attempt can be cancelled`() async throws {
        try await ScriptedServer.with([.status(503)]) { server in
            var options = TestBucket.options()
            options.retryDelay = .seconds(1000) ... .seconds(1000)
            let bucket = try TestBucket.open(server.url, options: options)
            let task = Task { try await bucket.read("k", nil) }
            try await eventually { server.requests.count == 1 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func `waits grow up to their limit`() {
        var options = S3Options()
        options.retryDelay = .seconds(1) ... .seconds(4)
        options.retryAfterMax = .seconds(8)
        var delay = RetryDelay(options)
        for base in [1, 2, 4, 4] {
            let wait = delay.take(serverWait: nil)
            #expect(wait >= .seconds(base) / 2)
            #expect(wait <= .seconds(base))
        }
        #expect(delay.take(serverWait: .seconds(7)) == .seconds(7))
        #expect(delay.take(serverWait: .seconds(70)) == .seconds(8))
    }

    @Test func `credentials are asked for before each attempt`() async throws {
        try await ScriptedServer.with([.status(503), .status(200)]) { server in
            let location = try S3Location(
                "s3://examples?endpoint=\(server.url)", environment: [:])
            let counter = Counter()
            let bucket = S3Bucket(
                location,
                credentials: {
                    S3Credentials(
                        accessKey: "KEY\(await counter.next())", secretKey: "s", sessionToken: "t")
                }, options: TestBucket.options())
            #expect(try await bucket.create("k", []))
            let names = server.requests.map { $0.contains("KEY1/") ? 1 : 2 }
            #expect(names == [1, 2])
            #expect(server.requests.allSatisfy { $0.contains("x-amz-security-token: t") })
        }
    }

    @Test func `missing credentials are not tried again`() async throws {
        try await ScriptedServer.with([]) { server in
            let location = try S3Location(
                "s3://examples?endpoint=\(server.url)", environment: [:])
            let bucket = S3Bucket(
                location, credentials: { throw Program.Failure(description: "none") },
                options: TestBucket.options())
            let error = try await storageFailure { _ = try await bucket.read("k", nil) }
            #expect(error.code == .permissionDenied)
            #expect(server.requests.isEmpty)
        }
    }

    static let refusedCredentials = [
        S3Credentials(accessKey: "HIDDEN\n", secretKey: "s"),
        S3Credentials(accessKey: "HID DEN", secretKey: "s"),
        S3Credentials(accessKey: "k", secretKey: "s", sessionToken: "HIDDEN\r\n"),
        S3Credentials(accessKey: "k", secretKey: "s", sessionToken: "HIDDEN\u{7F}"),
    ]

    @Test(arguments: refusedCredentials.indices)
    func `credentials with control characters are not sent and not shown`(
        _ index: Int
    ) async throws {
        try await ScriptedServer.with([]) { server in
            let location = try S3Location("s3://examples?endpoint=\(server.url)", environment: [:])
            let counter = Counter()
            let bucket = S3Bucket(
                location,
                credentials: {
                    _ = await counter.next()
                    return Self.refusedCredentials[index]
                }, options: TestBucket.options())
            let error = try await storageFailure { _ = try await bucket.read("k", nil) }
            #expect(error.code == .permissionDenied)
            #expect(!"\(error) \(error.details)".contains("HID"))
            #expect(await counter.next() == 2)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `an invalid address is not tried again`() async throws {
        var location = try S3Location("s3://examples?endpoint=http://[::1]:1", environment: [:])
        location.addressing = .virtualHost
        let counter = Counter()
        let bucket = S3Bucket(
            location,
            credentials: {
                _ = await counter.next()
                return TestBucket.credentials
            }, options: TestBucket.options())
        let error = try await storageFailure { _ = try await bucket.read("k", nil) }
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains("http://[::1]:1"))
        #expect(await counter.next() == 2)
    }
}

/// Counts calls.
private actor Counter {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
