import Daybook
import Foundation
import ReplicationTestSupport
import Testing

@testable import DaybookS3

/// Buckets and errors for tests.
enum TestBucket {
    /// The credentials of all test servers.
    static let credentials = S3Credentials(
        accessKey: "ACCESSKEYEXAMPLE", secretKey: "secretKeyOfTheTests")

    /// Returns options with short waits.
    static func options() -> S3Options {
        var options = S3Options()
        options.retryDelay = .milliseconds(1) ... .milliseconds(5)
        options.retryAfterMax = .milliseconds(1)
        options.attemptCountMax = 3
        // A busy computer needs longer than the defaults to send a request.
        options.abortTimeout = .seconds(60)
        options.cancelledAbortTimeout = .seconds(60)
        return options
    }

    /// Returns the bucket `examples` of a server.
    static func open(
        _ url: String, bucket: String = "examples", prefix: String = "",
        credentials: S3Credentials = credentials, options: S3Options = options(),
        partSizeBytesMin: Int = 5 << 20
    ) throws -> S3Bucket {
        let location = try S3Location(
            "s3://\(bucket)/\(prefix)?endpoint=\(url)&region=us-east-1", environment: [:])
        return S3Bucket(
            location, { credentials }, options, partSizeBytesMin: partSizeBytesMin)
    }
}

/// Returns the error of a call; fails the test if it has another type or none.
func storageFailure(
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async throws -> DaybookError {
    do {
        try await body()
    } catch {
        return try #require(error as? DaybookError, "\(error)", sourceLocation: sourceLocation)
    }
    throw Program.Failure(description: "The call did not fail.")
}

/// Returns the error of a call; fails the test if there is none.
func storageFailure(
    sourceLocation: SourceLocation = #_sourceLocation, of body: () throws(DaybookError) -> Void
) throws -> DaybookError {
    do throws(DaybookError) {
        try body()
    } catch {
        return error
    }
    throw Program.Failure(description: "The call did not fail.")
}

/// Waits until a state occurs. Fails after 30 seconds.
func eventually(
    isolation: isolated (any Actor)? = #isolation, _ state: () async throws -> Bool
) async throws {
    let start = ContinuousClock.now
    while start.duration(to: .now) < .seconds(30) {
        if try await state() { return }
        try await Task.sleep(for: .milliseconds(20))
    }
    throw Program.Failure(description: "An expected state did not occur within 30 seconds.")
}
