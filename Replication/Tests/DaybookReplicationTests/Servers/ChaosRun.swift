import Daybook
import DaybookNATS
@testable import DaybookReplication
import Foundation
import ReplicationTestSupport
import Testing

/// Writers that hand over under load, and followers, while servers and their network fail.
struct ChaosRun {
    /// The results of one run.
    struct Report {
        var frameCount: UInt64 = 0
        var acknowledgedCount = 0
        var unknownCount = 0
        var skippedCount = 0
        var handoverCount = 0
        var removedCount = 0
    }

    private static let writerTaskCount = 4
    private static let followerCount = 2
    private let cluster: TestCluster
    private let directory: TestDirectory
    private let logs: [ReplicatedLog]
    private let ledger = Ledger()
    private(set) var report = Report()

    /// Runs one scenario on a new cluster: each fault once, with a handover after it. The log has a
    /// stream of its own, or a part of a shared one.
    static func run(
        _ faults: [ChaosFault], faultDuration: Duration, isShared: Bool
    ) async throws -> Report {
        try await TestCluster.with { cluster in
            try await TestDirectory.with { directory in
                var run = try await ChaosRun(cluster, directory, isShared)
                try await run.run(faults, faultDuration)
                for log in run.logs { await log.jetStream.connection.close() }
                return run.report
            }
        }
    }

    private init(
        _ cluster: TestCluster, _ directory: TestDirectory, _ isShared: Bool
    ) async throws {
        self.cluster = cluster
        self.directory = directory
        var logs: [ReplicatedLog] = []
        for index in 0..<3 {
            // Each connection begins with another server, so that the writers use different ones.
            let servers = (0..<3).map { cluster.servers[($0 + index) % 3] }
            var options = try TestServer.options(servers)
            options.requestTimeout = .seconds(2)
            options.connectTimeout = .seconds(2)
            options.pingInterval = .seconds(1)
            let connection = try await servers[0].connect(options)
            let jetStream = try JetStream(connection)
            logs.append(
                isShared
                    ? try SharedStream(jetStream, name: "SHARED").log("notes")
                    : ReplicatedLog(jetStream, stream: "NOTES"))
        }
        self.logs = logs
        // The servers may not have elected a leader yet.
        try await retrying { try await logs[0].create() }
    }

    private mutating func run(_ faults: [ChaosFault], _ faultDuration: Duration) async throws {
        var writer = try await open(0)
        var followers: [Follower] = []
        for index in 0..<Self.followerCount {
            let log = logs[index + 1]
            let path = directory.file("follower-\(index)")
            followers.append(
                try await retrying { try await Follower.open(path, log.frames) })
        }
        for (round, fault) in faults.enumerated() {
            let load = Load(
                writer, named: "round \(round)", taskCount: Self.writerTaskCount, ledger)
            try await Task.sleep(for: .milliseconds(1500))
            try await fault.run(
                cluster, server: Int.random(in: 0..<3), for: faultDuration)
            let next = try await open(round + 1)
            await load.wait()
            #expect(writer.status.stopped?.code == .fenced)
            try? await writer.close()
            writer = next
            report.handoverCount += 1
            report.removedCount += next.removedSequences.reduce(0) { $0 + $1.count }
        }
        try await check(writer, followers)
        for follower in followers { try await follower.close() }
        try await writer.close()
    }

    /// Opens a writer in one of two directories, in turn.
    private func open(_ round: Int) async throws -> ReplicatedStore {
        let (path, log) = (directory.file("writer-\(round % 2)"), logs[round % 3])
        return try await retrying { try await ReplicatedStore.open(path, log.frames) }
    }

    /// Repeats an opening while the servers are not reachable.
    private func retrying<Value>(_ open: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        while true {
            do {
                return try await open()
            } catch {
                guard start.duration(to: .now) < .seconds(90) else { throw error }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Checks that all replicas are equal, and have each acknowledged commit once.
    private mutating func check(
        _ writer: ReplicatedStore, _ followers: [Follower]
    ) async throws {
        let last = try writer.store.sequence
        let hash = try await writer.stateHash()
        for follower in followers {
            try await follower.wait(for: last, timeout: .seconds(90))
            #expect(try await follower.stateHash() == hash)
            #expect(follower.status.stopped == nil)
        }
        let texts = try await writer.store.box(for: Note.self).all().map(\.text)
        let found = Set(texts)
        let acknowledged = ledger.acknowledged
        #expect(found.count == texts.count, "a commit is in the log twice")
        #expect(Set(acknowledged).subtracting(found) == [], "an acknowledged commit is lost")
        #expect(found.subtracting(acknowledged).isSubset(of: ledger.unknown))
        #expect(found.intersection(ledger.refused) == [], "a refused commit is in the log")
        report.frameCount = writer.status.streamSequence
        report.acknowledgedCount = acknowledged.count
        report.unknownCount = ledger.unknown.count
        report.skippedCount = writer.status.skippedCount
    }
}
