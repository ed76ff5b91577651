import Daybook
import DaybookArchive
@testable import DaybookReplication
import Foundation
import ReplicationTestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct ArchivedLogTests {
    /// The archive in a directory of a test.
    private func storage(_ directory: TestDirectory) -> DirectoryStorage {
        DirectoryStorage(path: directory.file("archive"))
    }

    @Test func `a new follower begins with the archive and continues with the stream`() async throws
    {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream)
            let notes = writer.store.box(for: Note.self)
            try await notes.put(Note("one"))
            let archiver = try await Archiver(writer.store, in: storage(directory)) {
                try writer.durablePosition()
            }
            for isBased in [false, true] {
                try await notes.put(Note("two \(isBased)"))
                if isBased { try await archiver.addBase() } else { try await archiver.push() }
                stream.purge(below: writer.status.streamSequence)
                try await notes.put(Note("three \(isBased)"))
                let path = directory.file("b-\(isBased)")
                #expect(
                    await code { _ = try await Follower.open(path, stream) } == .streamTruncated)
                let archive = try await Archive.open(storage(directory))
                let follower = try await Follower.open(path, stream) { $0.archive = archive }
                let texts = try await follower.texts(at: writer.store.sequence)
                #expect(texts == (try await notes.all().map(\.text)))
                #expect(try await follower.stateHash() == writer.stateHash())
                try await follower.close()
            }
            try await writer.close()
        }
    }

    @Test func `a follower that was away longer than the stream keeps messages catches up`()
        async throws
    {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream)
            let notes = writer.store.box(for: Note.self)
            try await notes.put(Note("one"))
            let first = try await Follower.open(directory.file("b"), stream)
            try await first.close()
            for text in ["two", "three"] { try await notes.put(Note(text)) }
            let archiver = try await Archiver(writer.store, in: storage(directory)) {
                try writer.durablePosition()
            }
            try await archiver.push()
            stream.purge(below: writer.status.streamSequence + 1)
            let archive = try await Archive.open(storage(directory))
            let second = try await Follower.open(directory.file("b"), stream) {
                $0.archive = archive
            }
            #expect(try await second.texts(at: writer.store.sequence) == ["one", "two", "three"])
            #expect(second.removedSequences.isEmpty)
            try await second.close()
            try await writer.close()
        }
    }

    @Test func `commits of a replaced writer are removed while it reads the archive`() async throws
    {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let old = try await ReplicatedStore.open(directory.file("a"), stream) {
                $0.acknowledgement = .local
                $0.timeout = .milliseconds(300)
            }
            try await old.store.box(for: Note.self).put(Note("both"))
            try await old.waitUntilShipped()
            stream.setReachable(false)
            for text in ["lost one", "lost two"] {
                try await old.store.box(for: Note.self).put(Note(text))
            }
            try await old.close()
            stream.setReachable(true)
            let new = try await ReplicatedStore.open(directory.file("b"), stream)
            for text in ["kept one", "kept two", "kept three"] {
                try await new.store.box(for: Note.self).put(Note(text))
            }
            let archiver = try await Archiver(new.store, in: storage(directory)) {
                try new.durablePosition()
            }
            try await archiver.push()
            stream.purge(below: new.status.streamSequence + 1)
            let archive = try await Archive.open(storage(directory))
            let follower = try await Follower.open(directory.file("a"), stream) {
                $0.archive = archive
            }
            let texts = try await follower.texts(at: new.store.sequence)
            #expect(texts == ["both", "kept one", "kept two", "kept three"])
            #expect(follower.removedSequences.map(\.count) == [2])
            try await follower.close()
            try await new.close()
        }
    }

    @Test func `a follower archives the log as far as it has it`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream)
            let notes = writer.store.box(for: Note.self)
            try await notes.put(Note("one"))
            let follower = try await Follower.open(directory.file("b"), stream)
            try await follower.wait(for: writer.store.sequence)
            let fast = try await Archiver(writer.store, in: storage(directory)) {
                try writer.durablePosition()
            }
            let slow = try await Archiver(follower.store, in: storage(directory)) {
                try follower.durablePosition()
            }
            for text in ["two", "three"] {
                try await notes.put(Note(text))
                #expect(try await fast.push() == writer.store.sequence)
                // The follower may be behind the archive.
                #expect(try await slow.push() == writer.store.sequence)
            }
            try await notes.put(Note("four"))
            try await follower.wait(for: writer.store.sequence)
            #expect(try await slow.push() == writer.store.sequence)
            #expect(slow.status.segmentCount == 1)
            let verification = try await Archive.open(storage(directory)).verify()
            #expect(verification.isIntact && verification.gaps.isEmpty)
            #expect(verification.segmentCount == 3)
            try await follower.close()
            try await writer.close()
        }
    }
}
