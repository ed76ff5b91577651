import Daybook
import DaybookArchive
import Foundation
import ReplicationTestSupport
import Testing

@testable import DaybookS3

@Suite struct FileTests {
    @Test(arguments: StorageProgram.installed)
    func `a file of several parts is created once`(_ program: StorageProgram) async throws {
        var options = TestBucket.options()
        options.partSizeBytes = 5 << 20
        let bucket = try await ObjectStorageServer.bucket(program, options: options)
        try await TestDirectory.with { directory in
            let content = Data(
                (0..<3 << 20).flatMap { number -> [UInt8] in
                    [
                        UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8),
                        UInt8(truncatingIfNeeded: number >> 16), 0,
                    ]
                })
            let path = directory.file("large")
            try content.write(to: URL(fileURLWithPath: path))
            #expect(try await bucket.create("large", fromFile: path))
            let stored = try await bucket.read("large", nil)
            #expect(stored == Array(content))
            let part = try await bucket.read("large", (5 << 20) - 2..<(5 << 20) + 2)
            #expect(part == Array(content[(5 << 20) - 2..<(5 << 20) + 2]))
            try Data(repeating: 1, count: 12 << 20).write(to: URL(fileURLWithPath: path))
            #expect(try await bucket.create("large", fromFile: path) == false)
            let entries = try await bucket.list(prefix: "", after: nil, countMax: 10)
            #expect(entries == [ObjectEntry(key: "large", sizeBytes: 12 << 20)])
            let unchanged = try await bucket.read("large", nil)
            #expect(unchanged == Array(content))
            #expect(try await uploadCount(bucket) == 0)
        }
    }

    @Test(arguments: StorageProgram.installed)
    func `a short file is created once`(_ program: StorageProgram) async throws {
        let bucket = try await ObjectStorageServer.bucket(program)
        try await TestDirectory.with { directory in
            let path = try directory.write("short", to: "file")
            #expect(try await bucket.create("k", fromFile: path))
            #expect(try await bucket.create("k", fromFile: path) == false)
            #expect(try await bucket.read("k", nil) == Array("short".utf8))
        }
    }

    /// Returns the count of uploads in parts that did not end.
    private func uploadCount(_ bucket: S3Bucket) async throws -> Int {
        var request = S3Request(.get, "list", key: nil)
        request.query = [QueryItem("uploads"), QueryItem("prefix", bucket.location.prefix)]
        let answer = try await bucket.sender.sendChecked(request)
        let document = try XMLNode.parse(answer.body)
        #expect(document.name == "ListMultipartUploadsResult")
        return document.children.filter { $0.name == "Upload" }.count
    }
}
