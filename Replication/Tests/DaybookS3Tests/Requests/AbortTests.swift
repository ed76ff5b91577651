import Daybook
import Testing

@testable import DaybookS3

@Suite struct AbortTests {
    /// Runs an upload whose second part is refused, with an answer to the removal of the parts.
    private func run(
        _ step: ScriptedServer.Step, _ options: S3Options,
        _ body: (ScriptedServer, Task<Bool, any Error>) async throws -> Void
    ) async throws {
        let steps = [
            UploadSteps.begin, UploadSteps.part, .failure(403, "AccessDenied"), step,
        ]
        try await ScriptedServer.with(steps) { server in
            let task = Task { try await UploadSteps.create(server, options: options) }
            try await body(server, task)
            let error = try await storageFailure { _ = try await task.value }
            #expect(error.code == .permissionDenied)
            #expect(server.requests.count <= 4)
        }
    }

    @Test func `a failed removal of parts is not tried again`() async throws {
        try await run(.status(503), TestBucket.options()) { _, _ in }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a removal of parts without an answer ends in an error`() async throws {
        var options = TestBucket.options()
        options.timeout = .seconds(1000)
        options.abortTimeout = .milliseconds(200)
        try await run(.hang, options) { _, _ in }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a cancellation ends the removal of parts`() async throws {
        var options = TestBucket.options()
        options.timeout = .seconds(120)
        options.abortTimeout = .seconds(120)
        options.cancelledAbortTimeout = .milliseconds(50)
        try await run(.hang, options) { server, task in
            try await eventually { server.requests.count == 4 }
            task.cancel()
        }
    }
}
