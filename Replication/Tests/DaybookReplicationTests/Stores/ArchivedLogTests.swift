import Daybook
import DaybookArchive
import DaybookReplica
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

    @Test func `a replica at the end of the archive takes the later place from it`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream) {
                $0.heartbeatInterval = .milliseconds(5)
            }
            try await writer.store.box(for: Note.self).put(Note("one"))
            let first = try await Follower.open(directory.file("b"), stream)
            try await first.wait(for: writer.store.sequence)
            try await first.close()
            let place = first.status.streamSequence
            // The writer is idle: the stream continues without commits.
            while writer.status.streamSequence < place + 4 {
                try await Task.sleep(for: .milliseconds(5))
            }
            let archiver = try await Archiver(writer.store, in: storage(directory)) {
                try writer.durablePosition()
            }
            try await archiver.push()
            stream.purge(below: place + 3)
            let archive = try await Archive.open(storage(directory))
            let second = try await Follower.open(directory.file("b"), stream) {
                $0.archive = archive
            }
            #expect(try await second.texts(at: writer.store.sequence) == ["one"])
            try await second.close()
            try await writer.close()
        }
    }

    @Test func `unshipped commits after the end of the archive are removed`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            try await Self.leaveTail(directory, stream)
            let new = try await ReplicatedStore.open(directory.file("b"), stream)
            let archiver = try await Archiver(new.store, in: storage(directory)) {
                try new.durablePosition()
            }
            let last = try await archiver.push()
            stream.purge(below: new.status.streamSequence)
            let archive = try await Archive.open(storage(directory))
            let follower = try await Follower.open(directory.file("a"), stream) {
                $0.archive = archive
            }
            #expect(follower.removedSequences == [(last + 1)...(last + 2)])
            #expect(try await follower.texts(at: last) == ["shipped"])
            #expect(try await follower.stateHash() == new.stateHash())
            try await follower.close()
            try await new.close()
        }
    }

    @Test func `a writer ships its last commits after it has read the archive`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            try await Self.leaveTail(directory, stream)
            // A follower archives the log, and the stream keeps its end only.
            let follower = try await Follower.open(directory.file("b"), stream)
            let archiver = try await Archiver(follower.store, in: storage(directory)) {
                try follower.durablePosition()
            }
            let last = try await archiver.push()
            try await follower.close()
            stream.purge(below: follower.status.streamSequence + 1)
            let path = directory.file("a")
            try Self.forgetPlace(path)
            #expect(
                await code { _ = try await ReplicatedStore.open(path, stream) } == .streamTruncated)
            let archive = try await Archive.open(storage(directory))
            let writer = try await ReplicatedStore.open(path, stream) { $0.archive = archive }
            #expect(writer.removedSequences == [])
            let texts = try await writer.store.box(for: Note.self).all().map(\.text)
            #expect(texts == ["shipped", "tail one", "tail two"])
            #expect(writer.status.logSequence >= last + 2)
            try await writer.close()
        }
    }

    /// Leaves a replica whose last two commits were not shipped.
    private static func leaveTail(
        _ directory: TestDirectory, _ stream: MemoryStream
    ) async throws {
        let writer = try await ReplicatedStore.open(directory.file("a"), stream) {
            $0.acknowledgement = .local
            $0.timeout = .milliseconds(300)
        }
        let notes = writer.store.box(for: Note.self)
        try await notes.put(Note("shipped"))
        try await writer.waitUntilShipped()
        stream.setReachable(false)
        for text in ["tail one", "tail two"] { try await notes.put(Note(text)) }
        try await writer.close()
        stream.setReachable(true)
    }

    /// Sets the place of a writer back to its claim, as if the process had been killed.
    private static func forgetPlace(_ path: String) throws {
        var place = try #require(
            try Replica.place(directoryPath: path).flatMap { ReplicaPlace(decoding: $0) })
        place.streamSequence -= 1
        place.lastSequence -= 1
        try Replica.save(place: try place.encoded(), directoryPath: path)
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
