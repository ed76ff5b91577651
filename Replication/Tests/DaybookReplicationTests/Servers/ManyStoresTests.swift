import Daybook
import DaybookNATS
@testable import DaybookReplication
import Foundation
import NIOCore
import ReplicationTestSupport
import Testing

/// The logs of many stores in a few streams of three servers. The variable `DAYBOOK_STORES` is the
/// number of stores; 200 without it. Prints rates and the memory of the servers.
@Suite(.serialized, .enabled(if: ServerProgram.isInstalled), .timeLimit(.minutes(120)))
struct ManyStoresTests {
    private static let storeCount =
        ProcessInfo.processInfo.environment["DAYBOOK_STORES"].flatMap { Int($0) } ?? 200
    private static let streamCount = 4
    private static let taskCount = 64

    /// The last frame of a store's log, as its writer knows it.
    private struct Writer {
        var appender: FrameAppender

        /// Appends a claim, or transactions of a kilobyte.
        mutating func append(isClaim: Bool) async throws {
            let chain = appender.chain
            let text = String(repeating: "x", count: 1000)
            let frame =
                isClaim
                ? TestFrames.claim(after: chain) : TestFrames.transactions(after: chain, text)
            let outcome = try await appender.append([frame]) { error, elapsed in
                if elapsed > .seconds(60) { throw error ?? CancellationError() }
            }
            #expect(outcome == .stored)
        }
    }

    @Test func `each store has its own log among many`() async throws {
        try await TestServer.withCluster { servers in
            let connection = try await servers[0].connect(try TestServer.options(servers))
            let jetStream = try JetStream(connection)
            let streams = (0..<Self.streamCount).map { SharedStream(jetStream, name: "T\($0)") }
            for stream in streams {
                try await eventually {
                    await failure { try await stream.create() } == nil ? true : nil
                }
            }
            let before = servers.map(\.residentSizeBytes)
            var writers = try (0..<Self.storeCount).map { number in
                try Self.writer(number, streams[number % Self.streamCount])
            }
            for round in ["claims", "commits", "later commits"] {
                writers = try await Self.append(writers, round)
            }
            let growth = zip(servers.map(\.residentSizeBytes), before).map { ($0 - $1) >> 20 }
            Self.report("\(Self.storeCount) stores: memory of the servers grew by \(growth) MiB")
            try await Self.check(writers)
            try await Self.useStore(in: streams[0])
            await connection.close()
        }
    }

    private static func writer(_ number: Int, _ stream: SharedStream) throws -> Writer {
        let log = try stream.log("store-\(number)")
        let identity = String(format: "01234567-89ab-4cde-8f01-%012x", number)
        let chain = ReplicationChain(store: identity)
        return Writer(appender: FrameAppender(stream: log.frames, chain: chain))
    }

    /// Appends a frame to each log, with some writers at a time.
    private static func append(_ writers: [Writer], _ name: String) async throws -> [Writer] {
        let start = ContinuousClock.now
        let result = try await withThrowingTaskGroup(of: [Writer].self) { group in
            for task in 0..<taskCount {
                group.addTask {
                    var own = stride(from: task, to: writers.count, by: taskCount)
                        .map { writers[$0] }
                    for index in own.indices {
                        try await own[index].append(isClaim: name == "claims")
                    }
                    return own
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        report("\(name): \(Int(Double(writers.count) / seconds)) per second")
        return result
    }

    /// Reads some of the logs as a follower does.
    private static func check(_ writers: [Writer]) async throws {
        for index in stride(from: 0, to: writers.count, by: max(writers.count / 100, 1)) {
            let writer = writers[index]
            var chain = ReplicationChain(store: writer.appender.chain.store)
            let stream = writer.appender.stream
            for message in try await stream.messages(after: 0, sizeBytesMax: 1 << 20) {
                #expect(try chain.next(message, of: stream.name) != .skipped)
            }
            #expect(chain.hash == writer.appender.chain.hash)
            #expect(chain.lastSequence == writer.appender.chain.lastSequence)
        }
    }

    /// Writes and follows a real store whose log is among the others.
    private static func useStore(in stream: SharedStream) async throws {
        try await TestDirectory.with { directory in
            let log = try stream.log("real")
            let writer = try await ReplicatedStore.open(directory.file("a"), log.frames)
            let notes = writer.store.box(for: Note.self)
            var times: [Duration] = []
            for number in 0..<100 {
                let start = ContinuousClock.now
                try await notes.put(Note("\(number)"))
                times.append(start.duration(to: .now))
            }
            let start = ContinuousClock.now
            let follower = try await Follower.open(directory.file("b"), log.frames)
            let opening = start.duration(to: .now)
            #expect(try await follower.texts(at: writer.store.sequence).count == 100)
            report("a commit: p50 \(times.sorted()[50]); opening a follower: \(opening)")
            try await follower.close()
            try await writer.close()
        }
    }

    private static func report(_ line: String) {
        FileHandle.standardError.write(Data(("many stores: " + line + "\n").utf8))
    }
}
