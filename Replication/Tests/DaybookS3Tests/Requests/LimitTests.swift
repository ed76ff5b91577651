import Daybook
import Foundation
import ReplicationTestSupport
import Testing

@testable import DaybookS3

@Suite struct LimitTests {
    @Test func `options outside their ranges count as the closest ones inside`() {
        var options = S3Options()
        options.partSizeBytes = Int.max
        options.partsInFlightMax = Int.max
        options.answerSizeBytesMax = Int.max
        options = options.limited(partSizeBytesMin: 5 << 20)
        #expect(options.partSizeBytes == 1 << 30)
        #expect(options.partsInFlightMax == 8)
        #expect(options.answerSizeBytesMax == 2 << 30)
        options.partSizeBytes = 0
        options.partsInFlightMax = 0
        options.answerSizeBytesMax = -1
        options = options.limited(partSizeBytesMin: 5 << 20)
        #expect(options.partSizeBytes == 5 << 20)
        #expect(options.partsInFlightMax == 1)
        #expect(options.answerSizeBytesMax == 0)
    }

    @Test func `bytes that could not be read again are refused`() async throws {
        try await ScriptedServer.with([.status(200)]) { server in
            var options = TestBucket.options()
            options.answerSizeBytesMax = 3
            let bucket = try TestBucket.open(server.url, options: options)
            #expect(try await bucket.create("k", [1, 2, 3]))
            let error = try await storageFailure { _ = try await bucket.create("k", [1, 2, 3, 4]) }
            #expect(error.code == .invalidValue)
            #expect(error.details["sizeBytesMax"] == "3")
            #expect(error.message.contains("answerSizeBytesMax"))
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a file beyond the limit of uploads is refused`() async throws {
        try await TestDirectory.with { directory in
            let path = try directory.write("", to: "file")
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            // Some file systems have no files of this length.
            guard (try? handle.truncate(atOffset: 10 << 40)) != nil else { return }
            try await ScriptedServer.with([]) { server in
                let bucket = try TestBucket.open(server.url)
                let error = try await storageFailure {
                    _ = try await bucket.create("k", fromFile: path)
                }
                #expect(error.code == .invalidValue)
                #expect(server.requests.isEmpty)
            }
        }
    }
}
