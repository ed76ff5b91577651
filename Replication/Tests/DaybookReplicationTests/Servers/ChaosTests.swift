import Foundation
import ReplicationTestSupport
import Testing

/// Random failures of three servers. The variable `DAYBOOK_REPLICATION_RUNS` is the number of runs,
/// each with four faults; without it there are two short runs, the second in a shared stream.
@Suite(.serialized, .enabled(if: ServerProgram.isInstalled), .timeLimit(.minutes(240)))
struct ChaosTests {
    private static let runCount = ProcessInfo.processInfo
        .environment["DAYBOOK_REPLICATION_RUNS"].flatMap { Int($0) }

    @Test func `no acknowledged commit is lost in random failures`() async throws {
        var total = ChaosRun.Report()
        let runCount = Self.runCount ?? 2
        // A wiped server needs more time than the short run gives it.
        let kinds = ChaosFault.allCases.filter { Self.runCount != nil || $0 != .wipeOne }
        var faults = kinds.shuffled()
        for run in 1...runCount {
            let count = Self.runCount == nil ? 1 : 4
            if faults.count < count { faults += kinds.shuffled() }
            let chosen = Array(faults.prefix(count))
            faults.removeFirst(count)
            let report = try await ChaosRun.run(
                chosen, faultDuration: .milliseconds(Self.runCount == nil ? 1500 : 3000),
                isShared: run % 2 == 0)
            total.frameCount += report.frameCount
            total.acknowledgedCount += report.acknowledgedCount
            total.unknownCount += report.unknownCount
            total.skippedCount += report.skippedCount
            total.handoverCount += report.handoverCount
            total.removedCount += report.removedCount
            Self.report(
                "chaos run \(run): \(chosen.map(\.rawValue).joined(separator: ", ")):"
                    + " \(report.frameCount) frames, \(report.acknowledgedCount) acknowledged,"
                    + " \(report.unknownCount) unknown, \(report.removedCount) removed")
        }
        Self.report(
            "chaos: \(runCount) runs, \(total.frameCount) frames,"
                + " \(total.acknowledgedCount) acknowledged commits,"
                + " \(total.unknownCount) unknown, \(total.handoverCount) handovers,"
                + " \(total.skippedCount) skipped messages, \(total.removedCount) removed commits")
        #expect(total.acknowledgedCount > 0)
    }

    /// Writes a line at once; the standard output of tests has a buffer.
    private static func report(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
