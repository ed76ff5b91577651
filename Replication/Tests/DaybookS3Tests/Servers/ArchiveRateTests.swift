import Daybook
import DaybookArchive
import DaybookReplica
import Foundation
import ReplicationTestSupport
import Testing

/// Prints rates of archives; see `Replication/README.md`. Runs with `DAYBOOK_ARCHIVE_RATES`, which
/// is the number of objects.
@Suite(.serialized) struct ArchiveRateTests {
    private static let objectCount = ProcessInfo.processInfo.environment["DAYBOOK_ARCHIVE_RATES"]
        .flatMap { Int($0) }

    @Test(.enabled(if: objectCount != nil), arguments: StorageProgram.installed)
    func `a large store is archived, and restored to a time`(program: StorageProgram) async throws {
        let count = try #require(Self.objectCount)
        try await TestDirectory.with { directory in
            let storage = try await ObjectStorageServer.bucket(program)
            let path = directory.file("store")
            let store = try await Store(path: path, entities: [Note.self])
            try await Self.fill(store, count)
            let (date, hash, sequence) = (Date.now, try store.stateHash(), try store.sequence)
            try await Task.sleep(for: .milliseconds(2))
            let notes = store.box(for: Note.self)
            for batch in 0..<10 { try await notes.put((0..<100).map { Note("\(batch) \($0)") }) }
            let archiver = try await Archiver(store, in: storage)
            let push = try await Self.seconds { try await archiver.push() }
            let bytes = archiver.status.sizeBytes
            let archive = try await Archive.open(storage)
            Self.report(program, "push", push, bytes)
            let copy = directory.file("restored")
            let restore = try await Self.seconds {
                let report = try await archive.restore(
                    to: URL(filePath: copy), until: .date(date))
                #expect(report.store.sequence == sequence)
            }
            let restored = try await Store(path: copy, entities: [Note.self])
            #expect(try restored.stateHash() == hash)
            try await restored.close()
            Self.report(program, "restore", restore, bytes)
            for isBased in [false, true] {
                if isBased {
                    let base = try await Self.seconds { try await archiver.addBase() }
                    Self.report(
                        program, "base", base, try await archive.status().bases[0].sizeBytes)
                }
                let replica = directory.file("replica-\(isBased)")
                let catchUp = try await Self.seconds {
                    _ = try await archive.catchUp(directoryPath: replica, after: 0)
                }
                Self.report(program, isBased ? "replica from base" : "replica", catchUp, bytes)
            }
            try await store.close()
        }
    }

    /// The length of a text: as long as a row with some properties.
    private static let textLength = 200

    /// Commits notes in transactions of 1,000. A half of each text is random.
    private static func fill(_ store: Store, _ count: Int) async throws {
        let notes = store.box(for: Note.self)
        var generator = SystemRandomNumberGenerator()
        let same = String(repeating: "the same in all texts ", count: 5)
        for first in stride(from: 0, to: count, by: 1000) {
            let batch = (first..<min(count, first + 1000)).map { _ in
                let random = (0..<8).map { _ in String(generator.next(), radix: 36) }.joined()
                return Note(String((random.prefix(100) + same).prefix(textLength)))
            }
            try await notes.put(batch)
        }
    }

    private static func seconds<Value>(_ body: () async throws -> Value) async throws -> Double {
        let start = ContinuousClock.now
        _ = try await body()
        return start.duration(to: .now) / .seconds(1)
    }

    /// Prints a time for all objects, and the rate of their texts before compression.
    private static func report(
        _ program: StorageProgram, _ name: String, _ seconds: Double, _ bytes: Int
    ) {
        let text = Double(textLength * (objectCount ?? 0)) / 1e6
        let line =
            "\(program) \(name): \(seconds) s, \(text / max(seconds, 1e-9)) MB/s of text,"
            + " \(bytes) bytes in the storage\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}
