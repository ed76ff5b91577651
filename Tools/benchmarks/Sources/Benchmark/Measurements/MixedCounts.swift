import Foundation
import Synchronization

/// The figures of a ``MixedRun`` since its last line.
final class MixedCounts: Sendable {
    private struct Counts {
        var commitSeconds: [Double] = []
        var readCount = 0
        var isEnded = false
    }

    private let counts = Mutex(Counts())

    func committed(_ seconds: Double) { counts.withLock { $0.commitSeconds.append(seconds) } }
    func didRead(_ count: Int) { counts.withLock { $0.readCount += count } }

    /// Ends the threads of the run.
    func end() { counts.withLock { $0.isEnded = true } }
    var isEnded: Bool { counts.withLock { $0.isEnded } }

    static let heading = """
        | minute | commits | p50 | p99 | reads | memory | files | disk | follower | consumer |
        | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
        """

    /// Returns the figures and begins the next minute.
    ///
    /// - Parameters:
    ///   - lag: the number of commits that the follower has not read.
    ///   - waiting: the number of commits that the consumer has not acknowledged.
    func line(_ minute: Int, _ directory: String, lag: UInt64, waiting: UInt64) -> String {
        let (seconds, reads) = counts.withLock { counts in
            defer { (counts.commitSeconds, counts.readCount) = ([], 0) }
            return (counts.commitSeconds.sorted(), counts.readCount)
        }
        func part(_ fraction: Double) -> String {
            guard !seconds.isEmpty else { return "" }
            let time = seconds[Int(fraction * Double(seconds.count - 1))]
            return String(format: "%.0f µs", time * 1e6)
        }
        return String(
            format: "| %d | %d | %@ | %@ | %d | %.0f MiB | %d | %.0f MiB | %d | %d |", minute,
            seconds.count, part(0.5), part(0.99), reads, ProcessMemory.anonymousMebibytes,
            OpenFiles.count, DiskUsage.mebibytes(of: directory), Int(lag), Int(waiting))
    }
}
