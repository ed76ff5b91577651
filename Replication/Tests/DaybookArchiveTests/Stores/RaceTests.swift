import Daybook
@testable import DaybookArchive
import Foundation
import ReplicationTestSupport
import Synchronization
import Testing

/// Archivers, purges and compactions at the same time.
@Suite struct RaceTests {
    @Test func `an archiver that paused during a purge continues after the base`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let (paused, active) = (try await notes.archiver(), try await notes.archiver())
            try notes.put(["one"])
            try await paused.push()
            try notes.put(["two", "three"])
            try await active.push()
            let base = try await active.addBase()
            let archive = try await Archive.open(notes.storage)
            #expect(try await archive.purge(before: .sequence(base)).firstSequence == base + 1)
            #expect(try await archive.allSegmentSequences() == [])
            // The archiver creates the segment after its own last one, which the purge has removed.
            try notes.put(["four"])
            #expect(try await paused.push() == notes.store.sequence)
            let keys = try await archive.allKeys("log/")
            #expect(keys == [ArchiveKey.segment(base + 1)])
            #expect(try await archive.verify().isIntact)
            #expect(try await notes.restored() == ["four", "one", "three", "two"])
            // An archiver that was killed before it removed its segment leaves it.
            let other = DirectoryStorage(path: directory.file("other"))
            try await Archiver(notes.store, in: other).push()
            let whole = try #require(try await other.read(ArchiveKey.segment(1), nil))
            #expect(try await notes.storage.create(ArchiveKey.segment(1), whole))
            #expect(try await archive.verify().isIntact)
            let restored = try await notes.restored(name: "ignored")
            #expect(restored == ["four", "one", "three", "two"])
            let replica = try await archive.catchUp(
                directoryPath: directory.file("replica"), after: 0)
            #expect(replica.sequence == (try notes.store.sequence))
            // The next purge removes it.
            try await archive.purge(before: .sequence(base))
            #expect(try await archive.allKeys("log/") == keys)
        }
    }

    @Test func `an archiver with the whole history accepts the gap of another one`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one"])
            try await notes.archiver().push()
            let archived = try notes.store.sequence
            let box = notes.store.box(for: Note.self)
            let note = Note("first")
            for text in ["first", "second"] {
                note.text = text
                try await box.put(note)
            }
            try await notes.store.sync()
            try FileManager.default.copyItem(
                atPath: directory.file("store"), toPath: directory.file("copy"))
            let copy = try await Store(path: directory.file("copy"), entities: [Note.self])
            // The archiver of the copy knows the end of the archive before the gap.
            let limit = Mutex(archived)
            let whole = try await Archiver(copy, in: notes.storage) {
                var position = try copy.durablePosition()
                position.sequence = min(position.sequence, limit.withLock { $0 })
                return position
            }
            try await whole.push()
            limit.withLock { $0 = .max }
            try await notes.store.compact(keeping: .latest)
            let base = try await notes.archiver().addBase()
            #expect(try await whole.push() == base)
            let verification = try await Archive.open(notes.storage).verify()
            #expect(verification.isIntact)
            #expect(verification.gaps == [(archived + 1)...base])
        }
    }

    @Test func `two gaps in succession are restored around`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archiver = try await notes.archiver()
            try notes.put(["one"])
            try await archiver.push()
            let box = notes.store.box(for: Note.self)
            let note = Note("")
            var bases: [UInt64] = []
            for round in 0..<2 {
                for text in ["a", "b"] {
                    note.text = "\(text)\(round)"
                    try await box.put(note)
                }
                try await notes.store.compact(keeping: .latest)
                bases.append(try await archiver.addBase())
            }
            try notes.put(["last"])
            try await archiver.push()
            let verification = try await Archive.open(notes.storage).verify()
            #expect(verification.isIntact && verification.gaps.count == 2)
            let first = try await notes.restored(until: .sequence(bases[0]), name: "first")
            #expect(first == ["b0", "one"])
            let second = try await notes.restored(until: .sequence(bases[1]), name: "second")
            #expect(second == ["b1", "one"])
            #expect(try await notes.restored() == ["b1", "last", "one"])
        }
    }

    @Test func `archivers and bases run while the program commits`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archivers = [
                try await notes.archiver(segmentSizeBytesMax: 1),
                try await notes.archiver(segmentSizeBytesMax: 1000),
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for number in 0..<150 { try notes.put(["note \(number)"]) } }
                for archiver in archivers {
                    group.addTask { for _ in 0..<15 { try await archiver.push() } }
                }
                group.addTask { for _ in 0..<3 { try await archivers[0].addBase() } }
                try await group.waitForAll()
            }
            try await archivers[0].push()
            let verification = try await Archive.open(notes.storage).verify()
            #expect(verification.isIntact && verification.gaps == [])
            #expect(try await notes.restored() == ArchivedNotes.texts(notes.store))
        }
    }

    @Test func `a base that another program adds survives a purge, a forgotten one does not`()
        async throws
    {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archiver = try await notes.archiver()
            try notes.put(["one"])
            let old = try await archiver.addBase()
            let base = try await archiver.addBase()
            #expect(old == base)
            let now = UInt64(Date.now.timeIntervalSince1970 * 1e6)
            let young = ArchiveKey.baseName(base, timeMicroseconds: now)
            let forgotten = ArchiveKey.baseName(base, timeMicroseconds: now - 8 * 86_400_000_000)
            for name in [young, forgotten] {
                #expect(
                    try await notes.storage.create(ArchiveKey.file("CURRENT", of: name), [1]))
            }
            let archive = try await Archive.open(notes.storage)
            let kept = try #require(try await archive.baseNames().last)
            try await archive.purge(before: .sequence(base))
            #expect(try await archive.baseNames() == [kept])
            let names = Set(
                try await archive.allKeys("files/").map {
                    String($0.dropFirst("files/".count).prefix { $0 != "/" })
                })
            #expect(names == [kept, young])
        }
    }

    @Test func `a purge does not rely on a base without its files`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archiver = try await notes.archiver()
            try notes.put(["one"])
            let first = try await archiver.addBase()
            try notes.put(["two"])
            let second = try await archiver.addBase()
            let archive = try await Archive.open(notes.storage)
            let name = try #require(try await archive.baseNames().last)
            let key = try #require(try await archive.allKeys("files/" + name).first)
            try await notes.storage.remove(key)
            let purge = try await archive.purge(before: .sequence(second))
            #expect(purge.baseSequence == first)
            #expect(try await notes.restored() == ["one", "two"])
        }
    }

    @Test func `a late segment below the mark is no end of the log`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let storage = FaultyStorage(notes.storage)
            let paused = try await Archiver(notes.store, in: storage)
            let active = try await notes.archiver()
            try notes.put(["one"])
            try await paused.push()
            try notes.put(["two"])
            let base = try await active.addBase()
            let archive = try await Archive.open(notes.storage)
            try await archive.purge(before: .sequence(base))
            try notes.put(["three", "four"])
            // The segment is created, and the answer is lost: the archiver does not read the mark.
            storage.fail(.lostAnswer, atCall: 0)
            let error = await #expect(throws: DaybookError.self) { try await paused.push() }
            #expect(error?.code == .storageUnavailable)
            try notes.put(["five"])
            try await active.push()
            try notes.put(["six"])
            #expect(try await paused.push() == notes.store.sequence)
            #expect(try await archive.verify().isIntact)
            let segments = try await archive.allKeys("log/")
            #expect(segments.first == ArchiveKey.segment(base + 1))
            let whole = try ArchivedNotes.texts(notes.store)
            #expect(try await notes.restored() == whole)
        }
    }

    @Test func `bases that two programs add at the same time are complete`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one", "two"])
            let archivers = [try await notes.archiver(), try await notes.archiver()]
            for _ in 0..<4 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for archiver in archivers {
                        group.addTask { _ = try await archiver.addBase() }
                    }
                    try await group.waitForAll()
                }
                try notes.put(["more"])
            }
            let archive = try await Archive.open(notes.storage)
            #expect(try await archive.status().bases.count == 8)
            #expect(try await archive.verify().isIntact)
        }
    }

    @Test func `work that a killed process left is removed, and running work is not`() async throws
    {
        try await TestDirectory.with { directory in
            let target = directory.file("store")
            let running = try WorkDirectory(beside: target, "base")
            try FileManager.default.createDirectory(
                atPath: running.path, withIntermediateDirectories: true)
            let left = directory.file(".store.daybook-base-left")
            for path in [left, directory.file(".store.daybook-base-mine")] {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true)
            }
            _ = try directory.write("", to: ".store.daybook-base-left.lock")
            try await WorkDirectory(beside: target, "base").use { path in
                #expect(path != running.path)
                #expect(!FileManager.default.fileExists(atPath: left))
                #expect(!FileManager.default.fileExists(atPath: left + ".lock"))
                #expect(FileManager.default.fileExists(atPath: running.path))
            }
            try await running.use { _ in }
            // A directory without a lock is not of this module.
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(names == [".store.daybook-base-mine"])
        }
    }

    @Test func `a directory storage whose disk is gone takes no objects`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one"])
            let archiver = try await notes.archiver()
            try await archiver.push()
            try notes.put(["two"])
            try FileManager.default.moveItem(
                atPath: notes.storage.path, toPath: directory.file("unmounted"))
            let error = await #expect(throws: DaybookError.self) { try await archiver.push() }
            #expect(error?.code == .storageUnavailable)
            #expect(!FileManager.default.fileExists(atPath: notes.storage.path))
            try FileManager.default.moveItem(
                atPath: directory.file("unmounted"), toPath: notes.storage.path)
            try await archiver.push()
            #expect(try await notes.restored() == ["one", "two"])
        }
    }
}
