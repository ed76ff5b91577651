import Daybook
import DaybookArchive
import Testing

@testable import DaybookS3

@Suite struct RefusalTests {
    /// An answer, the code of the error, and a word of its remedy.
    struct Refusal: Sendable, CustomTestStringConvertible {
        var step: ScriptedServer.Step
        var code: DaybookError.Code
        var word: String
        var testDescription: String { "\(code) \(word)" }
    }

    static let refusals = [
        Refusal(step: .failure(403, "AccessDenied"), code: .permissionDenied, word: "policy"),
        Refusal(
            step: .failure(403, "RequestTimeTooSkewed"), code: .permissionDenied, word: "clock"),
        Refusal(
            step: .failure(403, "SignatureDoesNotMatch"), code: .permissionDenied,
            word: "credentials"),
        Refusal(
            step: .failure(403, "InvalidAccessKeyId"), code: .permissionDenied,
            word: "credentials"),
        Refusal(step: .failure(400, "ExpiredToken"), code: .permissionDenied, word: "Renew"),
        Refusal(step: .status(403), code: .permissionDenied, word: "credentials"),
        Refusal(step: .failure(404, "NoSuchBucket"), code: .storageUnavailable, word: "Create"),
        Refusal(step: .status(404, "<html>"), code: .storageUnavailable, word: "compatible"),
        Refusal(step: .status(507), code: .outOfSpace, word: "space"),
        Refusal(step: .failure(403, "QuotaExceeded"), code: .outOfSpace, word: "quota"),
        Refusal(step: .failure(503, "XMinioStorageFull"), code: .outOfSpace, word: "space"),
        Refusal(
            step: .failure(501, "NotImplemented"), code: .storageUnavailable, word: "conditional"),
        Refusal(step: .failure(400, "Other"), code: .storageUnavailable, word: "Other"),
        Refusal(
            step: .status(301, headers: ["x-amz-bucket-region: eu-north-1"]),
            code: .invalidArgument, word: "eu-north-1"),
        Refusal(
            step: .status(307, headers: ["Location: http://127.0.0.1:1/other"]),
            code: .invalidArgument, word: "endpoint"),
        Refusal(
            step: .status(
                400,
                "<Error><Code>AuthorizationHeaderMalformed</Code>"
                    + "<Region>eu-north-2</Region></Error>"
            ), code: .invalidArgument, word: "eu-north-2"),
    ]

    @Test(arguments: refusals)
    func `a refusal is a typed error with a remedy after one request`(
        _ refusal: Refusal
    ) async throws {
        try await ScriptedServer.with([refusal.step]) { server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure { _ = try await bucket.create("k", [1]) }
            #expect(error.code == refusal.code)
            #expect(error.message.contains(refusal.word))
            #expect(error.message.hasSuffix("."))
            #expect(error.details["bucket"] == "examples")
            #expect(error.details["key"] == "k")
            #expect(error.details["status"] != nil)
            #expect(server.lines == ["PUT /examples/k"])
        }
    }

    @Test(arguments: [
        "AWS4-HMAC-SHA256 of you", "Signature=abc", "Credential=ACCESSKEYEXAMPLE/x",
        "x-amz-security-token:t",
    ])
    func `an answer that repeats the authorization is not shown`(_ message: String) async throws {
        try await ScriptedServer.with([.failure(403, "AccessDenied", message)]) { server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure { _ = try await bucket.read("k", nil) }
            #expect(!"\(error)\(error.details)".contains(message))
            #expect(error.message.contains("AccessDenied"))
        }
    }

    @Test func `a message of the service is shown without control characters`() async throws {
        let text = "Line\u{9B}" + String(repeating: "x", count: 300)
        try await ScriptedServer.with([.failure(403, "AccessDenied", text)]) { server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure { _ = try await bucket.read("k", nil) }
            #expect(error.message.contains("\"Line xxx"))
            #expect(!error.message.contains(String(repeating: "x", count: 200)))
        }
    }

    @Test func `a missing object is no error`() async throws {
        let steps: [ScriptedServer.Step] = [.failure(404, "NoSuchKey"), .status(404), .status(204)]
        try await ScriptedServer.with(steps) { server in
            let bucket = try TestBucket.open(server.url, prefix: "a b")
            #expect(try await bucket.read("k", nil) == nil)
            try await bucket.remove("k")
            try await bucket.remove("k")
            #expect(
                server.lines == [
                    "GET /examples/a%20b/k", "DELETE /examples/a%20b/k", "DELETE /examples/a%20b/k",
                ])
        }
    }

    @Test func `a removal in a missing bucket is an error`() async throws {
        try await ScriptedServer.with([.failure(404, "NoSuchBucket")]) { server in
            let bucket = try TestBucket.open(server.url)
            let error = try await storageFailure { try await bucket.remove("k") }
            #expect(error.code == .storageUnavailable)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `an existing object refuses a creation`() async throws {
        let steps: [ScriptedServer.Step] = [.failure(412, "PreconditionFailed"), .status(412)]
        try await ScriptedServer.with(steps) { server in
            let bucket = try TestBucket.open(server.url)
            #expect(try await bucket.create("k", [1]) == false)
            #expect(try await bucket.create("k", [1]) == false)
            #expect(server.requests.count == 2)
        }
    }

    @Test(arguments: ["", "/k", "a/../b"])
    func `an invalid key sends nothing`(_ key: String) async throws {
        try await ScriptedServer.with([]) { server in
            let bucket = try TestBucket.open(server.url)
            let errors = [
                try await storageFailure { _ = try await bucket.create(key, []) },
                try await storageFailure {
                    _ = try await bucket.create(key, fromFile: "/etc/hosts")
                },
                try await storageFailure { _ = try await bucket.read(key, nil) },
                try await storageFailure { try await bucket.remove(key) },
            ]
            #expect(errors.allSatisfy { $0.code == .invalidArgument })
            #expect(server.requests.isEmpty)
        }
    }
}
