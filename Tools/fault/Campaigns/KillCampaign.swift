import DaybookBytes
import DaybookEngine
import DaybookMaintenance
import DaybookTesting
import Foundation

/// Kills a process (SIGKILL) at random times while it writes from several threads, writes snapshots
/// and compacts, then opens its store in another process, and repeats.
struct KillCampaign {
    private let seed: UInt64
    private let count: Int
    private var report: CampaignReport
    private var commitCount: UInt64 = 0
    private var audit = ConsumerAudit()
    /// Every `lateEvery`-th writer has a consumer whose position the history no longer contains.
    private static let lateEvery = 8

    init(_ arguments: FaultArguments) {
        seed = arguments.seed
        count =
            arguments.count("count") ?? (arguments.isLong ? 5_000 : arguments.isQuick ? 120 : 200)
        report = CampaignReport("kill", seed: seed)
    }

    /// Runs the campaign. Returns whether no violation was found.
    mutating func run() -> Bool {
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent("daybook-fault-\(ProcessIdentity.current)").path
        do {
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true)
            try killAgainAndAgain(place)
            try FileManager.default.removeItem(atPath: place)
        } catch {
            report.violation("seed \(seed), the store stays in \(place)\n\(error)", replay: replay)
        }
        if commitCount == 0, count > 1 {
            report.violation(
                "no commit was acknowledged before any kill, so nothing was tested", replay: replay)
        }
        if audit.stateCount == 0, count >= Self.lateEvery {
            report.violation("no consumer received a whole state", replay: replay)
        }
        return report.finish(
            "\(count) kills, \(commitCount) commits acknowledged before them; a consumer received"
                + " \(audit.deliveryCount), \(audit.repeatedCount) of them again, and"
                + " \(audit.stateCount) whole states")
    }

    private var replay: String { "kill --seed \(seed) --count \(count)" }

    private mutating func killAgainAndAgain(_ place: String) throws {
        var random = SeededGenerator(seed: seed)
        var acknowledged = [UInt64](repeating: 0, count: Int(WriterProcess.threadCount))
        for round in 0..<count {
            let isLate = (round + 1).isMultiple(of: Self.lateEvery)
            let child = try WriterChild(
                directory: place + "/store", words: place + "/words", seed: random.next(),
                isLate: isLate)
            // On a busy machine a child may be killed before its first commit. Every second child
            // therefore runs until it has committed.
            if isLate { child.await("S") } else if round.isMultiple(of: 2) { child.await("A") }
            Thread.sleep(forTimeInterval: Double(random.next() % 90) / 1_000)
            child.kill()
            let (told, complaint) = try child.told(after: acknowledged)
            if let complaint { throw Violation("round \(round): the writer said: \(complaint)") }
            do { try audit.read(child.words) } catch { throw Violation("round \(round): \(error)") }
            for (now, before) in zip(told, acknowledged) { commitCount += now - before }
            do {
                acknowledged = try WriterCheck(path: place + "/store").run(
                    told, issued: told, isWriting: !random.next().isMultiple(of: 3))
            } catch {
                throw Violation("round \(round): \(error)")
            }
        }
    }
}

/// Checks the store of a writer after the writer's death.
struct WriterCheck {
    let path: String

    /// Returns the last recovered transaction of each thread.
    ///
    /// With `isWriting`, recovers the store and opens it a second time. Otherwise opens it
    /// read-only and leaves the recovery to the next writer.
    func run(
        _ acknowledged: [UInt64], issued: [UInt64], isWriting: Bool
    ) throws -> [UInt64] {
        let fileSystem = RealFileSystem()
        guard try fileSystem.kind(of: path + "/CURRENT") != nil else {
            // The process died before it had created a store.
            guard acknowledged.allSatisfy({ $0 == 0 }) else { throw Violation("the store is gone") }
            return acknowledged
        }
        let store = try FaultStore(
            fileSystem, path: path, WriterProcess.options(), access: isWriting ? .write : .read,
            registering: false)
        let state = try check(store, acknowledged, issued)
        guard isWriting else { return state.threads.map(\.last) }
        let again = try FaultStore(
            fileSystem, path: path, WriterProcess.options(), registering: false)
        guard again.engine.openReport.recovery.wasClosedCleanly else {
            throw Violation("the second opening found work to do")
        }
        let found = state.threads.map(\.last)
        return try check(again, found, found).threads.map(\.last)
    }

    private func check(
        _ store: FaultStore, _ acknowledged: [UInt64], _ issued: [UInt64]
    ) throws -> WriterState {
        let state = try WriterState(store)
        try state.check(against: acknowledged, issued: issued)
        guard try store.engine.checkReplay().isEqual else {
            throw Violation("a replay of the log gives another state")
        }
        try store.engine.close()
        return state
    }
}
