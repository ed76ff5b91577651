import Daybook
import DaybookNATS
@testable import DaybookReplication
import Foundation
import ReplicationTestSupport
import Testing

/// Replicas with NATS servers. The tests run one after another.
@Suite(.serialized, .enabled(if: ServerProgram.isInstalled), .timeLimit(.minutes(30)))
struct ReplicationServerTests {
    /// Runs a cluster of three servers with a log during `body`.
    private static func withLog(
        _ body: (TestDirectory, [TestServer], ReplicatedLog) async throws -> Void
    ) async throws {
        try await TestServer.withCluster { servers in
            let connection = try await servers[0].connect(try TestServer.options(servers))
            let log = ReplicatedLog(try JetStream(connection), stream: "NOTES")
            // The servers may not have elected a leader yet.
            try await eventually {
                await failure { try await log.create() } == nil ? true : nil
            }
            try await TestDirectory.with { try await body($0, servers, log) }
            await connection.close()
        }
    }

    @Test func `a follower reads the commits of a writer from one server`() async throws {
        try await TestServer.with { server in
            let connection = try await server.connect()
            let log = ReplicatedLog(try JetStream(connection), stream: "NOTES")
            try await log.create(replicaCount: 1)
            try await TestDirectory.with { directory in
                let missing = await code {
                    _ = try await Follower.open(directory.file("b"), log.frames)
                }
                #expect(missing == .streamNotFound)
                let writer = try await ReplicatedStore.open(
                    directoryPath: directory.file("a"), entities: Note.self, log: log)
                let notes = writer.store.box(for: Note.self)
                try await notes.put(Note("one"))
                let follower = try await Follower.open(
                    directoryPath: directory.file("b"), entities: Note.self, log: log)
                let text = String(repeating: "x", count: 3 << 20)
                try await notes.put([Note("two"), Note(text)])
                let texts = try await follower.texts(at: writer.store.sequence)
                #expect(texts == ["one", "two", text])
                #expect(try await follower.stateHash() == writer.stateHash())
                try await follower.close()
                try await writer.close()
            }
            await connection.close()
        }
    }

    @Test func `no acknowledged commit is lost when servers are killed and paused`() async throws {
        try await Self.withLog { directory, servers, log in
            // A new stream may not answer reads at once.
            let writer = try await eventually {
                try? await ReplicatedStore.open(directory.file("a"), log.frames)
            }
            let follower = try await eventually {
                try? await Follower.open(directory.file("b"), log.frames)
            }
            let ledger = Ledger()
            let load = Load(writer, named: "note", taskCount: 4, ledger)
            for (round, server) in servers.enumerated() {
                try await Task.sleep(for: .milliseconds(700))
                if round == 1 { server.pause() } else { server.kill() }
                try await Task.sleep(for: .milliseconds(1500))
                if round == 1 { server.resume() } else { try server.start() }
            }
            try await eventually { ledger.acknowledged.count > 20 ? true : nil }
            await load.end()
            try await writer.waitUntilShipped(timeout: .seconds(60))
            try await Self.expectComplete(ledger, writer, follower)
            try await follower.close()
            try await writer.close()
        }
    }

    /// The variable `DAYBOOK_REPLICATION_HANDOVERS` is the number of handovers; 6 without it.
    private static let handoverCount =
        ProcessInfo.processInfo
        .environment["DAYBOOK_REPLICATION_HANDOVERS"].flatMap { Int($0) } ?? 6

    @Test func `no acknowledged commit is lost in handovers under load`() async throws {
        try await Self.withLog { directory, _, log in
            let ledger = Ledger()
            var outages: [Duration] = []
            var writer = try await eventually {
                try? await ReplicatedStore.open(directory.file("0"), log.frames)
            }
            let follower = try await eventually {
                try? await Follower.open(directory.file("f"), log.frames)
            }
            for round in 1...Self.handoverCount {
                let load = Load(writer, named: "round \(round)", taskCount: 3, ledger)
                try await Task.sleep(for: .milliseconds(200))
                let start = ContinuousClock.now
                let next = try await ReplicatedStore.open(
                    directory.file("\(round % 2)"), log.frames)
                try await next.store.box(for: Note.self).put(Note("first of \(round)"))
                ledger.acknowledge("first of \(round)")
                outages.append(start.duration(to: .now))
                await load.wait()
                #expect(writer.status.stopped?.code == .fenced)
                try await writer.close()
                writer = next
            }
            #expect(writer.status.term == UInt64(Self.handoverCount + 1))
            #expect(ledger.acknowledged.count > 20)
            outages.sort()
            print(
                "handovers: \(outages.count), \(ledger.acknowledged.count) acknowledged commits,"
                    + " outage p50 \(outages[outages.count / 2]),"
                    + " p99 \(outages[outages.count * 99 / 100])")
            try await Self.expectComplete(ledger, writer, follower)
            try await follower.close()
            try await writer.close()
        }
    }

    /// Checks that a writer and a follower are equal, and have each acknowledged commit once.
    private static func expectComplete(
        _ ledger: Ledger, _ writer: ReplicatedStore, _ follower: Follower
    ) async throws {
        let texts = try await follower.texts(at: writer.store.sequence)
        let found = Set(texts)
        #expect(found.count == texts.count)
        #expect(Set(ledger.acknowledged).subtracting(found) == [])
        #expect(found.subtracting(ledger.acknowledged).isSubset(of: ledger.unknown))
        #expect(found.intersection(ledger.refused) == [])
        #expect(try await follower.stateHash() == writer.stateHash())
    }
}
