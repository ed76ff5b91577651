import Foundation
import DaybookBytes
import Synchronization

/// Blocks every sync of a ``GatedFileSystem`` while it is shut, counts syncs, and fails them on
/// request.
package final class SyncGate: Sendable {
    private struct State {
        var isShut = false
        var isBroken = false
        var waitingCount = 0
        var syncCount = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of syncs that began.
    package var syncCount: Int { state.withLock { $0.syncCount } }
    /// The number of syncs that wait at the shut gate.
    package var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// Makes later syncs wait.
    package func shut() { state.withLock { $0.isShut = true } }
    /// Lets all waiting syncs continue.
    package func open() { state.withLock { $0.isShut = false } }
    /// Makes each later sync fail, including waiting ones.
    package func fail() { state.withLock { $0.isBroken = true } }

    /// Makes later syncs succeed again.
    package func repair() { state.withLock { $0.isBroken = false } }

    /// The maximum time of a wait. A test fails after it; without it, the test would hang.
    private static let waitSecondsMax: TimeInterval = 600

    /// Blocks until a sync waits at the gate, at most ``waitSecondsMax``.
    package func awaitWaiter() {
        let end = Date().addingTimeInterval(Self.waitSecondsMax)
        while waitingCount == 0, Date() < end { Thread.sleep(forTimeInterval: 0.001) }
    }

    func pass() throws(DaybookError) {
        state.withLock { state in
            state.syncCount += 1
            state.waitingCount += 1
        }
        let end = Date().addingTimeInterval(Self.waitSecondsMax)
        while state.withLock({ $0.isShut }), Date() < end {
            Thread.sleep(forTimeInterval: 0.001)
        }
        let isBroken = state.withLock { state in
            state.waitingCount -= 1
            return state.isBroken || state.isShut
        }
        if isBroken {
            throw DaybookError(.inputOutput, "The disk does not answer.", details: ["errno": "5"])
        }
    }
}
