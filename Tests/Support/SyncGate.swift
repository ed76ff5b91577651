import Foundation
import DaybookBytes
import Synchronization

/// Holds up every sync of a ``GatedFileSystem`` while it is shut, counts them, and fails them on
/// demand.
package final class SyncGate: Sendable {
    private struct State {
        var isShut = false
        var isBroken = false
        var waitingCount = 0
        var syncCount = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// How many syncs began.
    package var syncCount: Int { state.withLock { $0.syncCount } }
    /// How many syncs stand before the shut gate.
    package var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// From now on syncs wait.
    package func shut() { state.withLock { $0.isShut = true } }
    /// Lets all go on.
    package func open() { state.withLock { $0.isShut = false } }
    /// From now on each sync fails, also those that wait.
    package func fail() { state.withLock { $0.isBroken = true } }

    /// From now on syncs succeed again.
    package func mend() { state.withLock { $0.isBroken = false } }

    /// Blocks until somebody stands before the gate.
    package func awaitWaiter() { while waitingCount == 0 { Thread.sleep(forTimeInterval: 0.001) } }

    func pass() throws(DaybookError) {
        state.withLock { state in
            state.syncCount += 1
            state.waitingCount += 1
        }
        while state.withLock({ $0.isShut }) { Thread.sleep(forTimeInterval: 0.001) }
        let isBroken = state.withLock { state in
            state.waitingCount -= 1
            return state.isBroken
        }
        if isBroken {
            throw DaybookError(.inputOutput, "The disk does not answer.", details: ["errno": "5"])
        }
    }
}
