import Daybook
import DaybookArchive
import Foundation
import ReplicationTestSupport
import Testing

@testable import DaybookS3

@Suite struct UploadTests {
    private static let beginLine = "POST /examples/k?uploads="
    private static let partLines = [1, 2].map {
        "PUT /examples/k?partNumber=\($0)&uploadId=u%2F1"
    }
    private static let completeLine = "POST /examples/k?uploadId=u%2F1"
    private static let abortLine = "DELETE /examples/k?uploadId=u%2F1"

    private func create(
        _ server: ScriptedServer, _ text: String = "123456789012345"
    ) async throws -> Bool {
        try await UploadSteps.create(server, text)
    }

    @Test func `a short file is sent at once`() async throws {
        try await ScriptedServer.with([.status(200), .status(412), .status(200)]) { server in
            let results = [
                try await create(server, "1234567890"), try await create(server, "1234567890"),
                try await create(server, ""),
            ]
            #expect(results == [true, false, true])
            #expect(server.lines == Array(repeating: "PUT /examples/k", count: 3))
            #expect(server.requests.allSatisfy { $0.contains("if-none-match: *") })
        }
    }

    @Test func `a long file is sent in parts`() async throws {
        let steps = [UploadSteps.begin, UploadSteps.part, UploadSteps.part, UploadSteps.complete]
        try await ScriptedServer.with(steps) { server in
            let isCreated = try await create(server)
            #expect(isCreated)
            #expect(server.lines == [Self.beginLine] + Self.partLines + [Self.completeLine])
            #expect(server.requests.last?.contains("if-none-match: *") == true)
        }
    }

    /// Answers to the completion after which the object exists already.
    static let refusals: [ScriptedServer.Step] = [
        .status(412), .failure(412, "PreconditionFailed"), .failure(200, "PreconditionFailed"),
    ]

    @Test(arguments: refusals.indices)
    func `an existing object refuses the completion, and the parts are removed`(
        _ index: Int
    ) async throws {
        let steps = [
            UploadSteps.begin, UploadSteps.part, UploadSteps.part, Self.refusals[index],
            UploadSteps.abort,
        ]
        try await ScriptedServer.with(steps) { server in
            let isCreated = try await create(server)
            #expect(!isCreated)
            #expect(
                server.lines == [Self.beginLine] + Self.partLines
                    + [Self.completeLine, Self.abortLine])
        }
    }

    @Test func `an error within a successful completion is tried again`() async throws {
        let steps = [
            UploadSteps.begin, UploadSteps.part, UploadSteps.part, .failure(200, "InternalError"),
            .failure(200, "ServiceUnavailable"), UploadSteps.complete,
        ]
        try await ScriptedServer.with(steps) { server in
            let isCreated = try await create(server)
            #expect(isCreated)
            #expect(server.lines.suffix(3) == Array(repeating: Self.completeLine, count: 3))
        }
    }

    @Test func `an error within a successful completion is an error`() async throws {
        let steps = [
            UploadSteps.begin, UploadSteps.part, UploadSteps.part, .failure(200, "AccessDenied"),
            UploadSteps.abort,
        ]
        try await ScriptedServer.with(steps) { server in
            let error = try await storageFailure { _ = try await create(server) }
            #expect(error.code == .permissionDenied)
            #expect(server.lines.contains(Self.abortLine))
        }
    }

    @Test func `a completion without an answer may have created the object`() async throws {
        let steps = [
            UploadSteps.begin, UploadSteps.part, UploadSteps.part, .answerAndClose(""),
            .failure(404, "NoSuchUpload"), UploadSteps.abort, .status(206, "1"),
        ]
        try await ScriptedServer.with(steps) { server in
            let isCreated = try await create(server)
            #expect(!isCreated)
            #expect(server.lines.suffix(2) == [Self.abortLine, "GET /examples/k"])
        }
    }

    /// Answers after which only another upload may succeed.
    static let losses: [[ScriptedServer.Step]] = [
        [UploadSteps.part, UploadSteps.part, .status(200, "garbage")],
        [UploadSteps.part, UploadSteps.part, .failure(409, "ConditionalRequestConflict")],
        [UploadSteps.part, UploadSteps.part, .failure(200, "ConditionalRequestConflict")],
        [UploadSteps.part, .failure(404, "NoSuchUpload")],
    ]

    @Test(arguments: losses.indices)
    func `a lost upload begins again`(_ index: Int) async throws {
        let steps =
            [UploadSteps.begin] + Self.losses[index]
            + [UploadSteps.abort, .failure(404, "NoSuchKey"), UploadSteps.begin]
            + [UploadSteps.part, UploadSteps.part, UploadSteps.complete]
        try await ScriptedServer.with(steps) { server in
            let isCreated = try await create(server)
            #expect(isCreated)
            #expect(server.lines.last == Self.completeLine)
            #expect(server.requests.count == steps.count)
        }
    }

    @Test func `a lost upload waits before it begins again`() async throws {
        let steps = [
            UploadSteps.begin, .failure(404, "NoSuchUpload"), UploadSteps.abort,
            .failure(404, "NoSuchKey"),
        ]
        try await ScriptedServer.with(steps) { server in
            var options = TestBucket.options()
            options.retryDelay = .seconds(1000) ... .seconds(1000)
            let task = Task { [options] in try await UploadSteps.create(server, options: options) }
            try await eventually { server.requests.count == 4 }
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(server.requests.count == 4)
        }
    }

    @Test func `an upload that is always lost is an error`() async throws {
        let round = [
            UploadSteps.begin, UploadSteps.part, UploadSteps.part, .failure(404, "NoSuchUpload"),
            UploadSteps.abort, .failure(404, "NoSuchKey"),
        ]
        try await ScriptedServer.with(round + round + round) { server in
            let error = try await storageFailure { _ = try await create(server) }
            #expect(error.code == .storageUnavailable)
            #expect(server.requests.count == 18)
        }
    }

    /// Answers to the second part.
    static let failedParts: [(step: ScriptedServer.Step, code: DaybookError.Code)] = [
        (.status(507), .outOfSpace), (.failure(403, "AccessDenied"), .permissionDenied),
        (.status(200), .storageUnavailable),
    ]

    @Test(arguments: failedParts.indices)
    func `a failed part removes the others`(_ index: Int) async throws {
        let steps = [
            UploadSteps.begin, UploadSteps.part, Self.failedParts[index].step, UploadSteps.abort,
        ]
        try await ScriptedServer.with(steps) { server in
            let error = try await storageFailure { _ = try await create(server) }
            #expect(error.code == Self.failedParts[index].code)
            #expect(server.lines == [Self.beginLine] + Self.partLines + [Self.abortLine])
        }
    }

    @Test func `an upload without an id is an error`() async throws {
        for body in ["", "<a/>", "garbage"] {
            try await ScriptedServer.with([.status(200, body)]) { server in
                let error = try await storageFailure { _ = try await create(server) }
                #expect(error.code == .storageUnavailable)
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test func `a cancelled upload removes its parts`() async throws {
        let steps = [UploadSteps.begin, UploadSteps.part, .hang, UploadSteps.abort]
        try await ScriptedServer.with(steps) { server in
            let task = Task { try await create(server) }
            try await eventually { server.requests.count == 3 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(server.lines.contains(Self.abortLine))
        }
    }

    @Test(arguments: ["12345678901", "12345678901234567890"])
    func `a file that changes its length is an error`(_ text: String) async throws {
        try await TestDirectory.with { directory in
            let path = try directory.write("123456789012345", to: "file")
            let file = try UploadFile(path)
            #expect(file.sizeBytes == 15)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let error = try storageFailure { () throws(DaybookError) in
                _ = try file.read(15)
                try file.checkEnd()
            }
            #expect(error.code == .inputOutput)
            #expect(error.details["path"] == path)
        }
    }

    @Test func `a file that changes during an upload removes the parts`() async throws {
        // The part may be sent or not before the error.
        let steps = [UploadSteps.begin, UploadSteps.part, UploadSteps.abort]
        try await TestDirectory.with { directory in
            let path = try directory.write("123456789012345", to: "file")
            try await ScriptedServer.with(steps) { server in
                let location = try S3Location(
                    "s3://examples?endpoint=\(server.url)", environment: [:])
                var options = TestBucket.options()
                options.partSizeBytes = 10
                // The file changes as soon as the upload asks for the credentials of its begin.
                let bucket = S3Bucket(
                    location,
                    {
                        let handle = try FileHandle(
                            forWritingTo: URL(fileURLWithPath: path))
                        try handle.truncate(atOffset: 12)
                        return TestBucket.credentials
                    }, options, partSizeBytesMin: 1)
                let error = try await storageFailure {
                    _ = try await bucket.create("k", fromFile: path)
                }
                #expect(error.code == .inputOutput)
                #expect(server.lines.first == Self.beginLine)
                #expect(server.lines.contains(Self.abortLine))
            }
        }
    }

    @Test func `a file that cannot be read is an error`() async throws {
        try await ScriptedServer.with([]) { server in
            let bucket = try TestBucket.open(server.url)
            try await TestDirectory.with { directory in
                var error = try await storageFailure {
                    _ = try await bucket.create("k", fromFile: directory.file("none"))
                }
                #expect(error.code == .fileNotFound)
                error = try await storageFailure {
                    _ = try await bucket.create("k", fromFile: directory.path)
                }
                #expect(error.code == .inputOutput)
            }
            #expect(server.requests.isEmpty)
        }
    }
}
