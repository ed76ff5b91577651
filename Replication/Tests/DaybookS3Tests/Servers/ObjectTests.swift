import Daybook
import DaybookArchive
import Foundation
import Testing

@testable import DaybookS3

@Suite struct ObjectTests {
    @Test(arguments: StorageProgram.installed)
    func `an object is created, read, listed and removed`(_ program: StorageProgram) async throws {
        let bucket = try await ObjectStorageServer.bucket(program)
        #expect(try await bucket.read("a/b", nil) == nil)
        #expect(try await bucket.read("a/b", 0..<2) == nil)
        #expect(try await bucket.read("a/b", 2..<2) == nil)
        #expect(try await bucket.create("a/b", Array("content".utf8)))
        #expect(try await bucket.read("a/b", nil) == Array("content".utf8))
        #expect(
            try await bucket.list(prefix: "", after: nil, countMax: 10)
                == [ObjectEntry(key: "a/b", sizeBytes: 7)])
        try await bucket.remove("a/b")
        #expect(try await bucket.read("a/b", nil) == nil)
        #expect(try await bucket.list(prefix: "", after: nil, countMax: 10).isEmpty)
        try await bucket.remove("a/b")
    }

    @Test(arguments: StorageProgram.installed)
    func `a created object is not replaced`(_ program: StorageProgram) async throws {
        let bucket = try await ObjectStorageServer.bucket(program)
        #expect(try await bucket.create("k", [1, 2]))
        #expect(try await bucket.create("k", [1, 2]) == false)
        #expect(try await bucket.create("k", [3]) == false)
        #expect(try await bucket.read("k", nil) == [1, 2])
    }

    @Test(arguments: StorageProgram.installed)
    func `one of several creations wins`(_ program: StorageProgram) async throws {
        let bucket = try await ObjectStorageServer.bucket(program)
        for round in 0..<(program == .moto ? 20 : 2) {
            let winners = try await withThrowingTaskGroup(of: UInt8?.self) { group in
                for writer in UInt8(0)..<8 {
                    group.addTask {
                        try await bucket.create("round-\(round)", [writer]) ? writer : nil
                    }
                }
                var winners: [UInt8] = []
                for try await winner in group { if let winner { winners.append(winner) } }
                return winners
            }
            #expect(winners.count == 1)
            #expect(try await bucket.read("round-\(round)", nil) == winners)
        }
    }

    @Test(arguments: StorageProgram.installed)
    func `keys may have all characters`(_ program: StorageProgram) async throws {
        let bucket = try await ObjectStorageServer.bucket(program)
        let keys = [
            "a b", "a%20b", "a%b", "a&b<c>", "a+b", "a=b?c#d", "it's \"quoted\"", "tilde~(1)!*",
            "ä/ö ü", "日本", "😀",
        ]
        for key in keys { #expect(try await bucket.create(key, Array(key.utf8))) }
        let entries = try await bucket.list(prefix: "", after: nil, countMax: 100)
        let expected = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(entries.map(\.key) == expected)
        for key in keys {
            #expect(try await bucket.read(key, nil) == Array(key.utf8))
            let after = try await bucket.list(prefix: "", after: key, countMax: 1)
            #expect(
                after.first?.key == expected.first { key.utf8.lexicographicallyPrecedes($0.utf8) })
            try await bucket.remove(key)
        }
        #expect(try await bucket.list(prefix: "", after: nil, countMax: 1).isEmpty)
    }

    @Test(arguments: StorageProgram.installed)
    func `ranges end at the end of the object`(_ program: StorageProgram) async throws {
        let bucket = try await ObjectStorageServer.bucket(program)
        #expect(try await bucket.create("k", Array(0..<100)))
        #expect(try await bucket.read("k", 0..<1) == [0])
        #expect(try await bucket.read("k", 10..<20) == Array(10..<20))
        #expect(try await bucket.read("k", 90..<200) == Array(90..<100))
        #expect(try await bucket.read("k", 0..<Int.max) == Array(0..<100))
        #expect(try await bucket.read("k", 100..<200) == [])
        #expect(try await bucket.read("k", 50..<50) == [])
        #expect(try await bucket.create("empty", []))
        #expect(try await bucket.read("empty", nil) == [])
        #expect(try await bucket.read("empty", 0..<10) == [])
    }

    @Test(arguments: StorageProgram.installed)
    func `a list has pages`(_ program: StorageProgram) async throws {
        let bucket = try await ObjectStorageServer.bucket(program)
        let keys = (0..<1205).map { "log/\(String(10_000 + $0))" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for index in stride(from: writer, to: keys.count, by: 8) {
                        _ = try await bucket.create(keys[index], [1])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await bucket.create("other", []))
        let all = try await bucket.list(prefix: "log/", after: nil, countMax: 5000)
        #expect(all.map(\.key) == keys)
        let exact = try await bucket.list(prefix: "log/", after: nil, countMax: 1100)
        #expect(exact.map(\.key) == Array(keys[..<1100]))
        let later = try await bucket.list(prefix: "log/", after: keys[199], countMax: 1000)
        #expect(later.map(\.key) == Array(keys[200..<1200]))
        let last = try await bucket.list(prefix: "log/", after: keys[1199], countMax: 1000)
        #expect(last.map(\.key) == Array(keys[1200...]))
        let some = try await bucket.list(prefix: "log/110", after: nil, countMax: 1000)
        #expect(some.map(\.key) == Array(keys[1000..<1100]))
        #expect(try await bucket.list(prefix: "log/", after: "log/2", countMax: 10).isEmpty)
    }

    @Test(arguments: StorageProgram.installed)
    func `a missing bucket is named`(_ program: StorageProgram) async throws {
        let server = try await ObjectStorageServer.shared(program)
        let bucket = try TestBucket.open(server.url, bucket: "missing")
        var errors = [
            try await storageFailure { _ = try await bucket.read("k", nil) },
            try await storageFailure {
                _ = try await bucket.list(prefix: "", after: nil, countMax: 1)
            },
        ]
        // SeaweedFS creates the bucket for an administrator.
        if program == .moto {
            errors.append(try await storageFailure { _ = try await bucket.create("k", []) })
        }
        for error in errors {
            #expect(error.code == .storageUnavailable)
            #expect(error.details["code"] == "NoSuchBucket")
            #expect(error.message.contains("Create the bucket missing"))
        }
    }

    @Test(
        .enabled(if: StorageProgram.seaweedFS.path != nil),
        arguments: [
            (
                S3Credentials(accessKey: "ACCESSKEYEXAMPLE", secretKey: "wrong"),
                "SignatureDoesNotMatch"
            ),
            (S3Credentials(accessKey: "UNKNOWN", secretKey: "wrong"), "InvalidAccessKeyId"),
        ])
    func `wrong credentials are refused`(_ credentials: S3Credentials, _ code: String) async throws
    {
        let server = try await ObjectStorageServer.shared(.seaweedFS)
        let bucket = try TestBucket.open(server.url, credentials: credentials)
        let errors = [
            try await storageFailure { _ = try await bucket.read("k", nil) },
            try await storageFailure { _ = try await bucket.create("k", [1]) },
            try await storageFailure {
                _ = try await bucket.list(prefix: "", after: nil, countMax: 1)
            },
            try await storageFailure { try await bucket.remove("k") },
        ]
        for error in errors {
            #expect(error.code == .permissionDenied)
            #expect(error.details["code"] == code)
            #expect(error.message.contains("Check the credentials"))
            #expect(!"\(error)".contains("wrong"))
        }
    }
}
