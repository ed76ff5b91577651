import Daybook
@testable import DaybookArchive
import DaybookReplica
import Foundation
import ReplicationTestSupport
import Testing

/// Many segments, long transactions, unusual paths, and interruptions.
@Suite struct LimitTests {
    @Test func `the end of an archive with thousands of segments is found`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let storage = MemoryStorage()
            var options = ArchiverOptions()
            options.segmentSizeBytesMax = 1
            let settings = options
            for _ in 0..<2100 { try notes.put(["note"]) }
            let archiver = try await Archiver(notes.store, in: storage, options: settings)
            try await archiver.push()
            let last = try notes.store.sequence
            let archive = try await Archive.open(storage)
            #expect(try await archive.lastSegmentSequence() == last)
            for limit in [1, 2, 999, 1000, 1001, 1500, 2000, last - 1] {
                #expect(try await archive.lastSegmentSequence(through: limit) == limit)
            }
            try notes.put(["last"])
            let second = try await Archiver(notes.store, in: storage, options: settings)
            #expect(try await second.push() == last + 1)
            #expect(second.status.segmentCount == 1)
            let path = directory.file("restored")
            let report = try await archive.restore(
                to: URL(filePath: path), until: .sequence(1700))
            #expect(report.segmentCount == 1700)
            #expect(try await archive.status().segmentCount == Int(last + 1))
        }
    }

    @Test func `a long transaction has a segment of its own`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archiver = try await notes.archiver(segmentSizeBytesMax: 2000)
            let random = (0..<1000).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }
            try notes.put(["short", random.joined(), "short again"])
            try await archiver.push()
            let archive = try await Archive.open(notes.storage)
            let last = try notes.store.sequence
            #expect(try await archive.allSegmentSequences() == [1, last - 1, last])
            #expect(try await notes.restored().count == 3)
        }
    }

    @Test func `paths with slashes at their ends and dots name the same directories`() async throws
    {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one"])
            let archiver = try await notes.archiver()
            try await archiver.addBase()
            let archive = try await Archive.open(notes.storage)
            for (number, suffix) in ["/", "/.", "/x/..", ""].enumerated() {
                let path = directory.file("restored-\(number)")
                try await archive.restore(to: URL(filePath: path + suffix))
                let replica = directory.file("replica-\(number)")
                let end = try await archive.catchUp(directoryPath: replica + suffix, after: 0)
                #expect(end.sequence == (try notes.store.sequence))
                #expect(try Replica.isReplica(directoryPath: replica))
            }
            let slashed = try await Store(
                path: directory.file("restored-0/"), entities: [Note.self])
            let other = DirectoryStorage(path: directory.file("other/"))
            try await Archiver(slashed, in: other).addBase()
            #expect(try await Archive.open(other).status().bases.count == 1)
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(!names.contains { $0.hasPrefix(".") }, "\(names)")
        }
    }

    @Test(arguments: FaultyStorage.Fault.allCases)
    func `an interrupted new replica begins again`(fault: FaultyStorage.Fault) async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one"])
            let archiver = try await notes.archiver()
            try await archiver.push()
            let base = try await archiver.addBase()
            try notes.put(["two"])
            try await archiver.push()
            try await Archive.open(notes.storage).purge(before: .sequence(base))
            let storage = FaultyStorage(notes.storage)
            let archive = try await Archive.open(storage)
            var number = 0
            while true {
                storage.fail(fault, atCall: number)
                let path = directory.file("replica-\(number)")
                do {
                    _ = try await archive.catchUp(directoryPath: path, after: 0)
                } catch let error as DaybookError where error.code == .storageUnavailable {
                    #expect(!FileManager.default.fileExists(atPath: path))
                    _ = try await archive.catchUp(directoryPath: path, after: 0)
                }
                let replica = try Replica.open(directoryPath: path)
                #expect(replica.lastSequence == (try notes.store.sequence))
                try replica.close()
                guard storage.callCount > number else { break }
                number += 1
            }
            #expect(number > 8)
        }
    }

    @Test func `a replica older than a purged archive gets an error with the remedy`() async throws
    {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archiver = try await notes.archiver()
            try notes.put(["one"])
            try await archiver.push()
            let archive = try await Archive.open(notes.storage)
            let path = directory.file("replica")
            _ = try await archive.catchUp(directoryPath: path, after: 0)
            let known = try notes.store.sequence
            try notes.put(["two"])
            let base = try await archiver.addBase()
            try await archive.purge(before: .sequence(base))
            let error = await #expect(throws: DaybookError.self) {
                _ = try await archive.catchUp(directoryPath: path, after: known)
            }
            #expect(error?.code == .archiveIncomplete)
            #expect(error?.message.contains("empty directory") == true)
        }
    }

    @Test func `an older copy is refused by an archive without a log`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one"])
            try await notes.store.sync()
            try FileManager.default.copyItem(
                atPath: directory.file("store"), toPath: directory.file("copy"))
            try notes.put(["two"])
            let base = try await notes.archiver().addBase()
            let archive = try await Archive.open(notes.storage)
            try await archive.purge(before: .sequence(base))
            let copy = try await Store(path: directory.file("copy"), entities: [Note.self])
            let error = await #expect(throws: DaybookError.self) {
                try await Archiver(copy, in: notes.storage).push()
            }
            #expect(error?.code == .historyOfAnotherStore)
        }
    }

    @Test func `a valid segment of another archive is found`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one", "two", "three"])
            try await notes.archiver(segmentSizeBytesMax: 1).push()
            let other = DirectoryStorage(path: directory.file("other"))
            try await Archiver(notes.store, in: other).push()
            let key = ArchiveKey.segment(1)
            let whole = try #require(try await other.read(key, nil))
            try await notes.storage.remove(key)
            #expect(try await notes.storage.create(key, whole))
            #expect(try await !Archive.open(notes.storage).verify().isIntact)
            let error = await #expect(throws: DaybookError.self) { _ = try await notes.restored() }
            #expect([.corruption, .archiveIncomplete].contains(error?.code))
        }
    }

    @Test func `a segment that does not follow the one before is not restored`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one", "two", "three"])
            try await notes.archiver(segmentSizeBytesMax: 1).push()
            let key = try #require(
                try await notes.storage.list(prefix: "log/", after: nil, countMax: 99).last?.key)
            let bytes = try #require(try await notes.storage.read(key, nil))
            var segment = try ArchiveSegment.decode(bytes).segment
            segment.predecessor = try ArchiveSegment.decode(bytes).hash
            try await notes.storage.remove(key)
            #expect(try await notes.storage.create(key, segment.encoded().bytes))
            #expect(try await !Archive.open(notes.storage).verify().isIntact)
            let error = await #expect(throws: DaybookError.self) { _ = try await notes.restored() }
            #expect(error?.code == .corruption)
            #expect(error?.message.contains("does not follow") == true)
        }
    }

    @Test func `a damaged header ends in an error`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one", "two"])
            try await notes.archiver(segmentSizeBytesMax: 1).push()
            let key = try #require(
                try await notes.storage.list(prefix: "log/", after: nil, countMax: 99).last?.key)
            let bytes = try #require(try await notes.storage.read(key, nil))
            for offset in 0..<ArchiveSegment.headerLength {
                var damaged = bytes
                damaged[offset] ^= 0xFF
                try await notes.storage.remove(key)
                #expect(try await notes.storage.create(key, damaged))
                let archive = try await Archive.open(notes.storage)
                #expect(try await !archive.verify().isIntact)
                // The header alone is not checked by its hash.
                do {
                    _ = try await archive.status()
                } catch let error as DaybookError {
                    #expect([.corruption, .formatTooNew].contains(error.code))
                }
            }
        }
    }

    @Test func `a storage that replaces objects is refused`() async throws {
        struct Replacing: ObjectStorage {
            let storage = MemoryStorage()
            var name: String { storage.name }
            func read(_ key: String, _ range: Range<Int>?) async throws -> [UInt8]? {
                try await storage.read(key, range)
            }
            func create(_ key: String, _ bytes: [UInt8]) async throws -> Bool {
                try await storage.remove(key)
                return try await storage.create(key, bytes)
            }
            func create(_ key: String, fromFile path: String) async throws -> Bool { true }
            func list(
                prefix: String, after key: String?, countMax: Int
            ) async throws -> [ObjectEntry] {
                try await storage.list(prefix: prefix, after: key, countMax: countMax)
            }
            func remove(_ key: String) async throws { try await storage.remove(key) }
        }
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let error = await #expect(throws: DaybookError.self) {
                _ = try await Archiver(notes.store, in: Replacing())
            }
            #expect(error?.code == .invalidArgument)
        }
    }
}
