import ReplicationTestSupport

@testable import DaybookS3

/// The answers to the requests of an upload in parts.
enum UploadSteps {
    /// The answer to the begin.
    static let begin = ScriptedServer.Step.status(
        200,
        "<InitiateMultipartUploadResult><UploadId>u/1</UploadId></InitiateMultipartUploadResult>")
    /// The answer to a part.
    static let part = ScriptedServer.Step.status(200, headers: ["ETag: \"tag\""])
    /// The answer to the completion.
    static let complete = ScriptedServer.Step.status(
        200, "\n <CompleteMultipartUploadResult><ETag>t</ETag></CompleteMultipartUploadResult>")
    /// The answer to the removal of the parts.
    static let abort = ScriptedServer.Step.status(204)

    /// Creates an object with a file of 15 bytes and parts of 10 bytes, one at a time.
    static func create(
        _ server: ScriptedServer, _ text: String = "123456789012345",
        options: S3Options = TestBucket.options()
    ) async throws -> Bool {
        try await TestDirectory.with { directory in
            let path = try directory.write(text, to: "file")
            var options = options
            options.partSizeBytes = 10
            options.partsInFlightMax = 1
            let bucket = try TestBucket.open(server.url, options: options, partSizeBytesMin: 1)
            return try await bucket.create("k", fromFile: path)
        }
    }
}
