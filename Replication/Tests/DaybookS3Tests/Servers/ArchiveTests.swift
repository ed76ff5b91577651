import Daybook
import DaybookArchive
import DaybookS3
import Foundation
import ReplicationTestSupport
import Testing

/// Archives on real servers.
@Suite(.timeLimit(.minutes(5))) struct ArchiveTests {
    @Test(arguments: StorageProgram.installed)
    func `a store is restored from a bucket to each moment`(program: StorageProgram) async throws {
        try await TestDirectory.with { directory in
            let storage = try await ObjectStorageServer.bucket(program)
            let store = try await Store(path: directory.file("store"), entities: [Note.self])
            var options = ArchiverOptions()
            options.segmentSizeBytesMax = 1 << 14
            let archiver = try await Archiver(store, in: storage, options: options)
            var moments: [(sequence: UInt64, count: Int)] = []
            let notes = store.box(for: Note.self)
            for round in 0..<4 {
                try await notes.put((0..<500).map { Note("note \(round) \($0 * 7919)") })
                moments.append((try store.sequence, try await notes.count()))
                if round == 1 { try await archiver.addBase() } else { try await archiver.push() }
            }
            let archive = try await Archive.open(storage)
            #expect(try await archive.verify().isIntact)
            for (sequence, count) in moments {
                let path = directory.file("restored-\(sequence)")
                let report = try await archive.restore(
                    to: URL(filePath: path), until: .sequence(sequence))
                #expect(report.store.sequence == sequence)
                let restored = try await Store(path: path, entities: [Note.self])
                #expect(try await restored.box(for: Note.self).count() == count)
                try await restored.close()
            }
            let purge = try await archive.purge(before: .sequence(moments[2].sequence))
            #expect(purge.baseSequence == moments[1].sequence && purge.segmentCount > 0)
            #expect(try await archive.verify().isIntact)
            try await store.close()
        }
    }

    @Test(arguments: StorageProgram.installed)
    func `archivers of one store race in a bucket`(program: StorageProgram) async throws {
        try await TestDirectory.with { directory in
            let storage = try await ObjectStorageServer.bucket(program)
            let store = try await Store(path: directory.file("store"), entities: [Note.self])
            let archivers = [
                try await Archiver(store, in: storage), try await Archiver(store, in: storage),
            ]
            for round in 0..<3 {
                try await store.box(for: Note.self).put(Note("note \(round)"))
                let last = try store.sequence
                try await withThrowingTaskGroup(of: UInt64.self) { group in
                    for archiver in archivers { group.addTask { try await archiver.push() } }
                    for try await end in group { #expect(end == last) }
                }
            }
            let verification = try await Archive.open(storage).verify()
            #expect(verification.isIntact && verification.gaps == [])
            #expect(verification.segmentCount == 3)
            try await store.close()
        }
    }
}
