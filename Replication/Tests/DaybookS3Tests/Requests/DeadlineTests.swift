import Daybook
import Testing

@testable import DaybookS3

@Suite struct DeadlineTests {
    @Test(.timeLimit(.minutes(1)))
    func `a server that sends much and then stops ends in an error`() async throws {
        let text = String(repeating: "x", count: 64 << 10)
        let step = ScriptedServer.Step.answer(
            "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + text)
        try await ScriptedServer.with([step]) { server in
            var options = TestBucket.options()
            options.timeout = .seconds(1)
            options.transferRateBytesPerSecondMin = 1
            options.attemptCountMax = 1
            let bucket = try TestBucket.open(server.url, options: options)
            let error = try await storageFailure { _ = try await bucket.read("k", nil) }
            #expect(error.code == .storageUnavailable)
            #expect(error.cause is TransportProblem)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a server that sends few bytes for a long time ends in an error`() async throws {
        var options = S3Options()
        options.timeout = .milliseconds(200)
        let deadline = AttemptDeadline(options, sentBytes: 0)
        let drip = Task {
            while true {
                deadline.receive(bytes: 1)
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        try await deadline.wait()
        drip.cancel()
    }

    @Test func `bytes that are sent or received in time move the end`() async throws {
        var options = S3Options()
        options.timeout = .milliseconds(100)
        options.transferRateBytesPerSecondMin = 1000
        let start = ContinuousClock.now
        let deadline = AttemptDeadline(options, sentBytes: 200)
        try await Task.sleep(for: .milliseconds(250))
        deadline.receive(bytes: 1_000_000)
        try await deadline.wait()
        #expect(start.duration(to: .now) >= .milliseconds(350))
    }
}
