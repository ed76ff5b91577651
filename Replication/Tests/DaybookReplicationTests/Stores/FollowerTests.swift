import Daybook
@testable import DaybookReplication
import ReplicationTestSupport
import NIOCore
import Testing

@Suite(.timeLimit(.minutes(3))) struct FollowerTests {
    @Test func `a follower continues at its place after a restart`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream)
            let notes = writer.store.box(for: Note.self)
            try await notes.put(Note("one"))
            let first = try await Follower.open(directory.file("b"), stream)
            #expect(try await first.texts(at: writer.store.sequence) == ["one"])
            let place = first.status.streamSequence
            try await first.close()
            try await notes.put(Note("two"))
            // The messages before the place are not needed.
            stream.purge(below: place + 1)
            let second = try await Follower.open(directory.file("b"), stream)
            #expect(try await second.texts(at: writer.store.sequence) == ["one", "two"])
            #expect(second.status.logSequence == writer.status.logSequence)
            try await second.close()
            try await notes.put(Note("three"))
            stream.purge(below: writer.status.streamSequence + 1)
            let error = await code { _ = try await Follower.open(directory.file("b"), stream) }
            #expect(error == .streamTruncated)
            try await writer.close()
        }
    }

    @Test func `an old read removes no transactions of a replica`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream)
            let first = try await Follower.open(directory.file("b"), stream)
            try await writer.store.box(for: Note.self).put(Note("one"))
            let last = try writer.store.sequence
            try await first.wait(for: last)
            try await first.close()
            try await writer.close()
            for directoryName in ["a", "b"] {
                // The beginning, and the frame of the saved place, are read before.
                stream.beStale(readCount: 1, after: 2)
                let follower = try await Follower.open(directory.file(directoryName), stream)
                #expect(follower.removedSequences.isEmpty)
                #expect(try await follower.texts(at: last) == ["one"])
                try await follower.close()
            }
        }
    }

    @Test func `a new follower needs the beginning of the log`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            #expect(
                await code { _ = try await Follower.open(directory.file("b"), stream) }
                    == .streamNotFound)
            stream.add(ByteBuffer(string: "foreign"))
            #expect(
                await code { _ = try await Follower.open(directory.file("b"), stream) }
                    == .streamNotFound)
            let writer = try await ReplicatedStore.open(directory.file("a"), stream)
            try await writer.store.box(for: Note.self).put(Note("one"))
            stream.purge(below: 3)
            #expect(
                await code { _ = try await Follower.open(directory.file("b"), stream) }
                    == .streamTruncated)
            try await writer.close()
        }
    }

    @Test func `the stream of another store is refused`() async throws {
        try await TestDirectory.with { directory in
            let (one, other) = (MemoryStream(), MemoryStream())
            for (name, stream) in [("a", one), ("b", other)] {
                let writer = try await ReplicatedStore.open(directory.file(name), stream)
                try await writer.store.box(for: Note.self).put(Note(name))
                try await writer.close()
            }
            #expect(
                await code { _ = try await Follower.open(directory.file("a"), other) }
                    == .streamReplaced)
            #expect(
                await code { _ = try await ReplicatedStore.open(directory.file("a"), other) }
                    == .streamReplaced)
            // A stream that was removed and created again.
            #expect(
                await code { _ = try await Follower.open(directory.file("a"), MemoryStream()) }
                    == .streamReplaced)
            let taken = await code {
                _ = try await ReplicatedStore.open(directory.file("a"), MemoryStream())
            }
            #expect(taken == .streamReplaced)
            let again = try await ReplicatedStore.open(directory.file("a"), one)
            #expect(try await again.store.box(for: Note.self).all().map(\.text) == ["a"])
            try await again.close()
        }
    }

    @Test func `foreign messages change nothing and are counted`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream)
            let follower = try await Follower.open(directory.file("b"), stream)
            stream.add(ByteBuffer(string: "foreign"))
            for message in stream.messages { stream.add(message) }
            let notes = writer.store.box(for: Note.self)
            try await notes.put(Note("one"))
            #expect(try await follower.texts(at: writer.store.sequence) == ["one"])
            #expect(follower.status.skippedCount > 1)
            #expect(follower.status.skippedCount == writer.status.skippedCount)
            #expect(try await follower.stateHash() == writer.stateHash())
            try await follower.close()
            try await writer.close()
        }
    }

    @Test func `a follower waits for a commit, at most for a time`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream)
            let follower = try await Follower.open(directory.file("b"), stream)
            let next = try writer.store.sequence + 1
            #expect(
                await code { try await follower.wait(for: next, timeout: .milliseconds(30)) }
                    == .replicationTimedOut)
            let waiting = Task { try await follower.wait(for: next, timeout: .seconds(60)) }
            try await writer.store.box(for: Note.self).put(Note("one"))
            try await waiting.value
            let cancelled = Task { try await follower.wait(for: next + 1, timeout: .seconds(60)) }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            try await follower.close()
            try await writer.close()
        }
    }

    @Test func `a follower continues after an outage of the stream`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream) {
                $0.acknowledgement = .local
            }
            let follower = try await Follower.open(directory.file("b"), stream)
            stream.setReachable(false)
            try await eventually { follower.status.failure != nil ? true : nil }
            try await writer.store.box(for: Note.self).put(Note("one"))
            stream.setReachable(true)
            #expect(try await follower.texts(at: writer.store.sequence) == ["one"])
            #expect(follower.status.stopped == nil)
            try await follower.close()
            try await writer.close()
        }
    }
}
