import Daybook
import DaybookNATS
import DaybookReplica
@testable import DaybookReplication
import NIOCore
import ReplicationTestSupport
import Testing

/// Logs of several stores in one stream. The tests run one after another.
@Suite(.serialized, .enabled(if: ServerProgram.isInstalled), .timeLimit(.minutes(5)))
struct SharedStreamTests {
    /// Runs one server with a shared stream during `body`.
    private static func withStream(
        _ body: (TestDirectory, SharedStream) async throws -> Void
    ) async throws {
        try await TestServer.with { server in
            let connection = try await server.connect()
            let stream = SharedStream(try JetStream(connection), name: "TENANTS")
            try await stream.create(replicaCount: 1)
            try await TestDirectory.with { try await body($0, stream) }
            await connection.close()
        }
    }

    private static func put(_ text: String, _ writer: ReplicatedStore) async throws {
        try await writer.store.box(for: Note.self).put(Note(text))
    }

    @Test func `stores in one stream have independent logs`() async throws {
        try await Self.withStream { directory, stream in
            let names = ["a", "b", "c"]
            var writers: [ReplicatedStore] = []
            var followers: [Follower] = []
            for name in names {
                let log = try stream.log(name)
                #expect(log.subject == "daybook.TENANTS.\(name)")
                writers.append(
                    try await ReplicatedStore.open(directory.file("writer-\(name)"), log.frames))
                followers.append(
                    try await Follower.open(directory.file("follower-\(name)"), log.frames))
            }
            let long = String(repeating: "x", count: 3 << 20)
            for round in 0..<5 {
                for (name, writer) in zip(names, writers) {
                    try await Self.put("\(name)\(round)", writer)
                }
            }
            // Several frames, in one batch.
            try await Self.put(long, writers[1])
            for (index, name) in names.enumerated() {
                let expected = (0..<5).map { "\(name)\($0)" } + (index == 1 ? [long] : [])
                let last = try writers[index].store.sequence
                #expect(try await followers[index].texts(at: last) == expected)
                #expect(
                    try await followers[index].stateHash() == writers[index].stateHash())
                let status = try await stream.log(name).status()
                #expect(status.sequence == last && status.term == 1)
                #expect(followers[index].status.skippedCount == 0)
            }
            for replica in followers { try await replica.close() }
            for replica in writers { try await replica.close() }
        }
    }

    @Test func `a takeover fences the writer of one log only`() async throws {
        try await Self.withStream { directory, stream in
            let (log, other) = (try stream.log("a"), try stream.log("b"))
            let first = try await ReplicatedStore.open(directory.file("first"), log.frames)
            let neighbour = try await ReplicatedStore.open(directory.file("other"), other.frames)
            try await Self.put("one", first)
            let second = try await ReplicatedStore.open(directory.file("second"), log.frames)
            #expect(await code { try await Self.put("lost", first) } == .fenced)
            try await Self.put("two", second)
            try await Self.put("neighbour", neighbour)
            #expect(second.status.term == 2 && neighbour.status.term == 1)
            try await first.close()
            let again = try await Follower.open(directory.file("first"), log.frames)
            #expect(try await again.texts(at: second.store.sequence) == ["one", "two"])
            #expect(again.removedSequences.count == 1)
            // The directory belongs to one log.
            try await again.close()
            #expect(
                await code { _ = try await Follower.open(directory.file("first"), other.frames) }
                    == .streamReplaced)
            try await second.close()
            try await neighbour.close()
        }
    }

    @Test func `foreign messages on a subject are skipped, wherever they are`() async throws {
        try await Self.withStream { directory, stream in
            let log = try stream.log("a")
            let foreign = ByteBuffer(string: "foreign")
            try await stream.jetStream.publish(foreign, to: "daybook.TENANTS.b")
            try await stream.jetStream.publish(foreign, to: log.subject)
            try await stream.jetStream.publish(foreign, to: "daybook.TENANTS.b")
            try await stream.jetStream.publish(foreign, to: log.subject)
            let writer = try await ReplicatedStore.open(directory.file("a"), log.frames)
            let follower = try await Follower.open(directory.file("b"), log.frames)
            try await Self.put("one", writer)
            try await stream.jetStream.publish(foreign, to: log.subject)
            try await Self.put("two", writer)
            #expect(try await follower.texts(at: writer.store.sequence) == ["one", "two"])
            #expect(follower.status.skippedCount == 3 && writer.status.skippedCount == 3)
            try await stream.jetStream.publish(foreign, to: log.subject)
            #expect(try await log.status().sequence == writer.store.sequence)
            try await follower.close()
            let again = try await Follower.open(directory.file("b"), log.frames)
            #expect(try await again.texts(at: writer.store.sequence) == ["one", "two"])
            try await again.close()
            try await writer.close()
        }
    }

    @Test func `a follower notices purged messages of its log only`() async throws {
        try await Self.withStream { directory, stream in
            let (log, other) = (try stream.log("a"), try stream.log("b"))
            let writer = try await ReplicatedStore.open(directory.file("a"), log.frames)
            let neighbour = try await ReplicatedStore.open(directory.file("n"), other.frames)
            for number in 0..<4 {
                try await Self.put("\(number)", writer)
                try await Self.put("\(number)", neighbour)
            }
            let follower = try await Follower.open(directory.file("b"), log.frames)
            _ = try await follower.texts(at: writer.store.sequence)
            try await follower.close()
            // Up to the place of the follower: nothing that it needs is missing.
            let place = try writer.durablePosition().place
            #expect(try await log.purge(before: place) > 3)
            await #expect(throws: DaybookError.self) { try await other.purge(before: place) }
            let again = try await Follower.open(directory.file("b"), log.frames)
            try await again.close()
            for number in 4..<8 { try await Self.put("\(number)", writer) }
            #expect(try await log.purge(before: try writer.durablePosition().place) > 3)
            #expect(
                await code { _ = try await Follower.open(directory.file("b"), log.frames) }
                    == .streamTruncated)
            #expect(
                await code { _ = try await Follower.open(directory.file("new"), log.frames) }
                    == .streamTruncated)
            let copy = try await Follower.open(directory.file("c"), other.frames)
            #expect(try await copy.texts(at: neighbour.store.sequence).count == 4)
            for replica in [writer, neighbour] { try await replica.close() }
            try await copy.close()
        }
    }

    /// The last known message is gone, and the first remaining one names no predecessor.
    @Test func `a foreign message does not hide purged ones`() async throws {
        try await Self.withStream { directory, stream in
            let log = try stream.log("a")
            let writer = try await ReplicatedStore.open(directory.file("a"), log.frames)
            try await Self.put("one", writer)
            let follower = try await Follower.open(directory.file("b"), log.frames)
            _ = try await follower.texts(at: writer.store.sequence)
            try await follower.close()
            try await Self.put("two", writer)
            let foreign = try await stream.jetStream.publish(
                ByteBuffer(string: "foreign"), to: log.subject)
            try await Self.put("three", writer)
            try await stream.jetStream.purge(
                stream: "TENANTS", below: foreign.sequence, on: log.subject)
            for name in ["b", "new"] {
                #expect(
                    await code { _ = try await Follower.open(directory.file(name), log.frames) }
                        == .streamTruncated)
            }
            #expect(
                await code { _ = try await ReplicatedStore.open(directory.file("x"), log.frames) }
                    == .streamTruncated)
            try await writer.close()
        }
    }

    @Test func `a read names no predecessor across purged messages`() async throws {
        try await Self.withStream { _, stream in
            let log = try stream.log("a")
            for _ in 1...4 {
                try await stream.jetStream.publish(ByteBuffer(string: "x"), to: log.subject)
            }
            func predecessors() async throws -> [UInt64?] {
                try await log.frames.messages(after: 1, sizeBytesMax: 1 << 20)
                    .map(\.predecessor)
            }
            #expect(try await predecessors() == [1, 2, 3])
            try await stream.jetStream.purge(stream: "TENANTS", below: 3, on: log.subject)
            #expect(try await predecessors() == [nil, nil])
        }
    }

    /// A foreign program can publish with headers that name another predecessor.
    @Test func `foreign messages with headers of batches are skipped`() async throws {
        try await Self.withStream { directory, stream in
            let (log, jetStream) = (try stream.log("a"), stream.jetStream)
            let writer = try await ReplicatedStore.open(directory.file("a"), log.frames)
            let follower = try await Follower.open(directory.file("b"), log.frames)
            try await Self.put("one", writer)
            try await jetStream.publish(ByteBuffer(), to: "daybook.TENANTS.other")
            let subjects = ["daybook.TENANTS.other", log.subject]
            try await jetStream.publishBatch(subjects.map { BatchMessage(ByteBuffer(), to: $0) })
            var headers = NATSHeaders()
            try headers.set("Nats-Batch-Sequence", "7")
            _ = try? await jetStream.publish(ByteBuffer(), to: log.subject, headers: headers)
            try await Self.put("two", writer)
            #expect(try await follower.texts(at: writer.store.sequence) == ["one", "two"])
            #expect(follower.status.skippedCount > 0 && follower.status.stopped == nil)
            try await follower.close()
            let again = try await Follower.open(directory.file("c"), log.frames)
            #expect(try await again.texts(at: writer.store.sequence) == ["one", "two"])
            try await again.close()
            try await writer.close()
        }
    }

    @Test func `a place that an answer cannot name is refused`() {
        for (sequence, count, last): (UInt64, Int, UInt64) in [
            (0, 1, 0), (5, 1, 5), (6, 2, 5), (.max, 1, 5), (1, 1, .max - 1),
        ] {
            #expect(!SubjectLog.isPlace(sequence, of: count, after: last))
        }
        #expect(SubjectLog.isPlace(7, of: 2, after: 5) && SubjectLog.isPlace(9, of: 2, after: 5))
    }

    @Test func `the commands find a log in a shared stream`() async throws {
        try await TestServer.with { server in
            try await TestDirectory.with { directory in
                let place = ["--stream", "TENANTS", "--log", "a", "--server", server.url]
                let path = directory.file("a")
                let store = try await Store(directoryPath: path, entities: Note.self)
                try await store.box(for: Note.self).put(Note("one"))
                try await store.close()
                func run(_ arguments: String...) throws -> CommandRun.Result {
                    try CommandRun("daybook-replicate", arguments + place).end()
                }
                #expect(try run("create", "--copies", "1").code == 0)
                #expect(try run("status").errors.contains("TENANTS.a"))
                #expect(try run("takeover", path).code == 0)
                #expect(try run("status").output.contains(#""term":1"#))
            }
        }
    }

    @Test(arguments: ["", "a.b", "a b", "*", ">", "é", String(repeating: "a", count: 256)])
    func `a name that is no token is refused`(name: String) async throws {
        try await Self.withStream { _, stream in
            #expect(await code { _ = try stream.log(name) } == .invalidArgument)
            let valid = try stream.log("Aa0-_")
            #expect(valid.name == "Aa0-_")
        }
    }
}
