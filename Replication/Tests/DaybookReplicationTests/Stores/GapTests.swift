import Daybook
@testable import DaybookReplication
import NIOCore
import ReplicationTestSupport
import Testing

/// Logs whose messages do not have consecutive sequences.
@Suite(.timeLimit(.minutes(3))) struct GapTests {
    @Test(
        arguments: [
            [], [.lostRequest], [.lostAnswer], [.falseRefusal], [.lateRequest],
            [.lateRequest, .lostAnswer, .falseRefusal],
        ] as [[MemoryStream.Fault]])
    func `a log with gaps has each commit once`(faults: [MemoryStream.Fault]) async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream(frameSizeBytesMax: 4096, gap: 5)
            stream.add(ByteBuffer(string: "foreign"))
            let writer = try await ReplicatedStore.open(directory.file("a"), stream)
            let follower = try await Follower.open(directory.file("b"), stream)
            let notes = writer.store.box(for: Note.self)
            var expected: [String] = []
            for number in 0..<6 {
                if number % 2 == 1 { for fault in faults { stream.fail(fault) } }
                // The last one is longer than a frame.
                let text = String(repeating: "\(number)", count: number == 5 ? 20_000 : 10)
                try await notes.put(Note(text))
                expected.append(text)
                if number == 3 { stream.add(ByteBuffer(string: "foreign")) }
            }
            #expect(try await follower.texts(at: writer.store.sequence) == expected)
            #expect(follower.status.skippedCount >= 2)
            try await writer.close()
            let next = try await ReplicatedStore.open(directory.file("c"), stream)
            try await next.store.box(for: Note.self).put(Note("next"))
            #expect(
                try await follower.texts(at: next.store.sequence) == expected + ["next"])
            #expect(try await follower.stateHash() == next.stateHash())
            try await follower.close()
            try await next.close()
        }
    }

    @Test func `a purged message is noticed in a log with gaps`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream(gap: 5)
            let writer = try await ReplicatedStore.open(directory.file("a"), stream)
            let notes = writer.store.box(for: Note.self)
            try await notes.put(Note("one"))
            let follower = try await Follower.open(directory.file("b"), stream)
            _ = try await follower.texts(at: writer.store.sequence)
            let place = follower.status.streamSequence
            try await follower.close()
            try await notes.put(Note("two"))
            stream.purge(below: place + 1)
            let again = try await Follower.open(directory.file("b"), stream)
            #expect(try await again.texts(at: writer.store.sequence) == ["one", "two"])
            try await again.close()
            for text in ["three", "four"] { try await notes.put(Note(text)) }
            stream.purge(below: writer.status.streamSequence)
            #expect(
                await code { _ = try await Follower.open(directory.file("b"), stream) }
                    == .streamTruncated)
            try await writer.close()
        }
    }
}
