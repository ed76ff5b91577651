// DaybookTestSupport: what the tests of several modules share. Seeds that replay, directories that
// go away, doubles of the file system, and engines that prove their indexes against the log when
// they close. It must not know what any one test is about.

import Foundation

/// The seeds of the random tests. A failing test names its seed; `DAYBOOK_SEED=7 swift test` runs
/// that one alone.
public enum Seeds {
    /// The seeds 1 to `count`, or the one that the environment asks for.
    public static func first(_ count: UInt64) -> [UInt64] {
        if let text = ProcessInfo.processInfo.environment["DAYBOOK_SEED"], let seed = UInt64(text) {
            return [seed]
        }
        return Array(1...count)
    }
}
