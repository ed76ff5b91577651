import Daybook
import DaybookNATS
@testable import DaybookReplication
import Foundation
import ReplicationTestSupport
import NIOCore
import Synchronization
import Testing

/// Prints rates of replicas beside those of the servers alone, if the variable
/// `DAYBOOK_NATS_RATES` is set.
@Suite(
    .serialized, .timeLimit(.minutes(30)),
    .enabled(if: ProcessInfo.processInfo.environment["DAYBOOK_NATS_RATES"] != nil))
struct ReplicationRateTests {
    private static let duration = Duration.seconds(5)
    /// A text of one kilobyte that compression does not shorten much.
    private static var text: String {
        (0..<64).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
            .prefix(1000).description
    }

    /// Runs a cluster of three servers with a log during `body`.
    private static func withLog(
        _ body: (TestDirectory, ReplicatedLog) async throws -> Void
    ) async throws {
        try await TestServer.withCluster { servers in
            let connection = try await servers[0].connect(try TestServer.options(servers))
            let log = ReplicatedLog(try JetStream(connection), stream: "NOTES")
            try await eventually { await failure { try await log.create() } == nil ? true : nil }
            try await TestDirectory.with { try await body($0, log) }
            await connection.close()
        }
    }

    /// Repeats an operation in some tasks. Prints the rate and the times.
    private static func measure(
        _ name: String, taskCount: Int, _ operation: @escaping @Sendable () async throws -> Void
    ) async throws {
        let start = ContinuousClock.now
        let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for _ in 0..<taskCount {
                group.addTask {
                    var times: [Duration] = []
                    while start.duration(to: .now) < duration {
                        let begin = ContinuousClock.now
                        try await operation()
                        times.append(begin.duration(to: .now))
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }.sorted()
        }
        #expect(!times.isEmpty)
        let seconds = start.duration(to: .now) / .seconds(1)
        print(
            "\(name), \(taskCount) writers: \(Int(Double(times.count) / seconds)) per second,"
                + " p50 \(milliseconds(times[times.count / 2])) ms,"
                + " p99 \(milliseconds(times[times.count * 99 / 100])) ms")
    }

    private static func milliseconds(_ duration: Duration) -> String {
        String(format: "%.2f", duration / .milliseconds(1))
    }

    @Test(arguments: [1, 16, 64])
    func `commits of one kilobyte`(taskCount: Int) async throws {
        try await Self.withLog { directory, log in
            let raw = StreamConfiguration(name: "RAW", subjects: ["raw.>"])
            try await log.jetStream.createStream(raw)
            let jetStream = log.jetStream
            let text = Self.text
            for _ in 0..<2 {
                try await Self.measure("messages", taskCount: taskCount) {
                    try await jetStream.publish(ByteBuffer(string: text), to: "raw.a")
                }
                let writer = try await ReplicatedStore.open(directory.file("a"), log.frames)
                let notes = writer.store.box(for: Note.self)
                try await Self.measure("commits", taskCount: taskCount) {
                    try await notes.put(Note(text))
                }
                try await writer.close()
            }
        }
    }

    @Test func `bulk transactions and their catch-up`() async throws {
        try await Self.withLog { directory, log in
            let raw = StreamConfiguration(name: "RAW", subjects: ["raw.>"])
            try await log.jetStream.createStream(raw)
            let texts = (0..<20_000).map { _ in Self.text }
            let megabytes = Double(texts.reduce(0) { $0 + $1.utf8.count }) / 1e6
            var start = ContinuousClock.now
            var last: UInt64 = 0
            for part in stride(from: 0, to: texts.count, by: 1000) {
                let payload = ByteBuffer(string: texts[part..<(part + 1000)].joined())
                last = try await log.jetStream.publish(
                    payload, to: "raw.a", expectedLastSequence: last
                ).sequence
            }
            Self.report("messages of 1 MB, one in flight", megabytes, start)
            // A transaction of several messages is one batch, which the servers store as a whole.
            let batch = stride(from: 0, to: texts.count, by: 1000).map { part in
                BatchMessage(
                    ByteBuffer(string: texts[part..<(part + 1000)].joined()), to: "raw.a")
            }
            start = .now
            try await log.jetStream.publishBatch(batch)
            Self.report("messages of 1 MB, as one atomic batch", megabytes, start)
            let writer = try await ReplicatedStore.open(directory.file("a"), log.frames)
            start = .now
            try await writer.store.box(for: Note.self).put(texts.map { Note($0) })
            Self.report("one transaction of 20,000 objects", megabytes, start)
            start = .now
            let follower = try await Follower.open(directory.file("b"), log.frames)
            try await follower.wait(for: writer.store.sequence)
            Self.report("catch-up of a new follower", megabytes, start)
            #expect(try await follower.store.box(for: Note.self).count() == texts.count)
            try await follower.close()
            try await writer.close()
        }
    }

    private static func report(
        _ name: String, _ megabytes: Double, _ start: ContinuousClock.Instant
    ) {
        let seconds = start.duration(to: .now) / .seconds(1)
        print("\(name): \(Int(megabytes / seconds)) MB/s")
    }

    @Test(arguments: [1, 10, 100]) func `delay of followers`(followerCount: Int) async throws {
        try await Self.withLog { directory, log in
            let writer = try await ReplicatedStore.open(directory.file("a"), log.frames)
            var followers: [Follower] = []
            for index in 0..<followerCount {
                followers.append(
                    try await Follower.open(directory.file("f\(index)"), log.frames))
            }
            let delays = Mutex<[Duration]>([])
            let notes = writer.store.box(for: Note.self)
            let text = Self.text
            let all = followers
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask { @Sendable in
                        for _ in 0..<200 {
                            try await notes.put(Note(text))
                            let (sequence, begin) = (try writer.store.sequence, ContinuousClock.now)
                            try await all[task % followerCount].wait(for: sequence)
                            delays.withLock { $0.append(begin.duration(to: .now)) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let sorted = delays.withLock { $0.sorted() }
            #expect(sorted.count == 1600)
            print(
                "delay of \(followerCount) followers: p50 \(Self.milliseconds(sorted[800])) ms,"
                    + " p99 \(Self.milliseconds(sorted[1584])) ms")
            let (last, hash) = (try writer.store.sequence, try await writer.stateHash())
            for follower in followers {
                try await follower.wait(for: last)
                #expect(try await follower.stateHash() == hash)
                try await follower.close()
            }
            try await writer.close()
        }
    }
}
