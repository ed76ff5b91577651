// DaybookTestSupport: what the tests of several modules share. Seeds that replay, directories that
// go away, doubles of the file system, and engines that prove their indexes against the log when
// they close. It must not know what any one test is about.

import Foundation

/// The seeds of the random tests. A failing test names its seed; `DAYBOOK_SEED=7 swift test` runs
/// that one alone.
public enum Seeds {
    /// The one that the environment asks for.
    private static var asked: UInt64? {
        ProcessInfo.processInfo.environment["DAYBOOK_SEED"].flatMap { UInt64($0) }
    }

    /// How many times as much is to be tried as usual: `DAYBOOK_ROUNDS=100 swift test`.
    public static var rounds: UInt64 {
        max(1, ProcessInfo.processInfo.environment["DAYBOOK_ROUNDS"].flatMap { UInt64($0) } ?? 1)
    }

    /// The seeds 1 to `count`, or the one that the environment asks for.
    public static func first(_ count: UInt64) -> [UInt64] {
        asked.map { [$0] } ?? Array(1...count)
    }

    /// The seeds 1 to `count`, those above that once found something, and as many as `fresh` says
    /// that nobody has tried; or the one that the environment asks for.
    public static func first(_ count: UInt64, found: [UInt64], fresh: Int) -> [UInt64] {
        if let asked { return [asked] }
        let new = (0..<fresh).map { _ in UInt64.random(in: 1 << 32 ... .max) }
        return Array(1...count) + found.filter { $0 > count } + new
    }
}
