import DaybookBytes
import Foundation
import Testing

/// The seeds of the random tests. A failing test names its seed; `DAYBOOK_SEED=7 swift test` runs
/// only that seed.
enum Seeds {
    static func first(_ count: UInt64) -> [UInt64] {
        if let text = ProcessInfo.processInfo.environment["DAYBOOK_SEED"], let seed = UInt64(text) {
            return [seed]
        }
        return Array(1...count)
    }
}
