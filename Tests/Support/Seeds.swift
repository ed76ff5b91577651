// DaybookTestSupport: shared by the tests of several modules. Reproducible seeds, temporary
// directories, test file systems, and stores that compare their indexes with the log when they
// close. It must not depend on any single test.

import Foundation

/// The seeds of the random tests. A failing test prints its seed; `DAYBOOK_SEED=7 swift test` runs
/// only that seed.
public enum Seeds {
    /// The seed that the environment requests.
    private static var asked: UInt64? {
        ProcessInfo.processInfo.environment["DAYBOOK_SEED"].flatMap { UInt64($0) }
    }

    /// The factor for the number of rounds: `DAYBOOK_ROUNDS=100 swift test`.
    public static var rounds: UInt64 {
        max(1, ProcessInfo.processInfo.environment["DAYBOOK_ROUNDS"].flatMap { UInt64($0) } ?? 1)
    }

    /// Returns the seeds 1 to `count`, or the seed that the environment requests.
    public static func first(_ count: UInt64) -> [UInt64] {
        asked.map { [$0] } ?? Array(1...count)
    }

    /// Returns the seeds 1 to `count`, the higher seeds that once found a bug, and `fresh` unused
    /// seeds; or the seed that the environment requests.
    public static func first(_ count: UInt64, found: [UInt64], fresh: Int) -> [UInt64] {
        if let asked { return [asked] }
        let new = (0..<fresh).map { _ in UInt64.random(in: 1 << 32 ... .max) }
        return Array(1...count) + found.filter { $0 > count } + new
    }
}
