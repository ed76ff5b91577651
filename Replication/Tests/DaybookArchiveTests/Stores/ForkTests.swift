import Daybook
import DaybookArchive
import DaybookReplica
import Foundation
import ReplicationTestSupport
import Testing

@Suite struct ForkTests {
    /// Returns the code of the error of a call; nil if it succeeds.
    private func code(_ body: () async throws -> Void) async -> DaybookError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? DaybookError)?.code
        }
    }

    @Test func `the archive of another store is refused`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one"])
            try await notes.archiver().push()
            let other = try await Store(path: directory.file("other"), entities: [Note.self])
            #expect(
                await code { _ = try await Archiver(other, in: notes.storage) }
                    == .historyOfAnotherStore)
            // A restored store has an identity of its own.
            _ = try await notes.restored()
            let restored = try await Store(path: directory.file("restored"), entities: [Note.self])
            #expect(
                await code { _ = try await Archiver(restored, in: notes.storage) }
                    == .historyOfAnotherStore)
        }
    }

    @Test func `a copy of the directory that committed on its own is refused`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one"])
            try await notes.archiver().push()
            try await notes.store.sync()
            try FileManager.default.copyItem(
                atPath: directory.file("store"), toPath: directory.file("copy"))
            try notes.put(["original"])
            try await notes.archiver().push()
            let copy = try await Store(path: directory.file("copy"), entities: [Note.self])
            // The copy lacks a commit of the archive.
            let behind = try await Archiver(copy, in: notes.storage)
            #expect(await code { try await behind.push() } == .historyOfAnotherStore)
            // It has another one instead.
            for text in ["forged", "and more"] {
                try await copy.box(for: Note.self).put(Note(text))
            }
            let forked = try await Archiver(copy, in: notes.storage)
            #expect(await code { try await forked.push() } == .historyOfAnotherStore)
            #expect(await code { try await behind.push() } == .historyOfAnotherStore)
            #expect(try await notes.restored() == ["one", "original"])
        }
    }

    @Test func `a fork that both copies archive at the same time is noticed`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one"])
            try await notes.archiver().push()
            try await notes.store.sync()
            try FileManager.default.copyItem(
                atPath: directory.file("store"), toPath: directory.file("copy"))
            let copy = try await Store(path: directory.file("copy"), entities: [Note.self])
            let original = try await notes.archiver()
            let forked = try await Archiver(copy, in: notes.storage)
            try await original.push()
            try await forked.push()
            try notes.put(["original"])
            try await copy.box(for: Note.self).put(Note("forged"))
            try await original.push()
            // The archiver of the copy knows the end of the archive, and loses the race for it.
            #expect(await code { try await forked.push() } == .historyOfAnotherStore)
            #expect(try await notes.restored() == ["one", "original"])
        }
    }

    @Test func `a replica needs an archiver that knows its replicated log`() async throws {
        try await TestDirectory.with { directory in
            let replica = try Replica.open(directoryPath: directory.file("replica"))
            let store = try replica.store(entities: [])
            let storage = DirectoryStorage(path: directory.file("archive"))
            #expect(await code { _ = try await Archiver(store, in: storage) } == .invalidArgument)
            try await store.close()
        }
    }

    @Test func `a read-only store archives the commits of another process`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            var options = StoreOptions()
            options.isReadOnly = true
            try notes.put(["one"])
            let reader = try await Store(
                path: directory.file("store"), entities: [Note.self], options: options)
            let archiver = try await Archiver(reader, in: notes.storage)
            #expect(try await archiver.push() == notes.store.sequence)
            try notes.put(["two", "three"])
            #expect(try await archiver.push() == notes.store.sequence)
            #expect(try await notes.restored() == ["one", "three", "two"])
        }
    }

    @Test func `wrong options are refused`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            for size in [0, -1, 1 << 40] {
                #expect(
                    await code { _ = try await notes.archiver(segmentSizeBytesMax: size) }
                        == .invalidArgument)
            }
            #expect(
                await code { _ = try await Archive.open(notes.storage) } == .archiveNotFound)
        }
    }
}
