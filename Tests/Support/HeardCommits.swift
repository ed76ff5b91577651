package import DaybookEngine
import Synchronization

/// The commits that a store's signal has told of. The signal says how far they go: it may leave out
/// some on the way, and calls may come out of turn.
package final class HeardCommits: Sendable {
    private struct State {
        var last: UInt64
        var sequences: [UInt64] = []
    }

    private let state: Mutex<State>

    /// Commits behind `start`.
    package init(after start: UInt64) { state = Mutex(State(last: start)) }

    /// Listens to a store from now on; returns what to stop it by.
    package func listen(to engine: Engine) -> Int {
        engine.commitSignal.add { self.hear($0) }
    }

    /// All up to `sequence` is told.
    package func hear(_ sequence: UInt64) {
        state.withLock { state in
            guard sequence > state.last else { return }
            state.sequences += (state.last + 1)...sequence
            state.last = sequence
        }
    }

    /// Those that were told, in order.
    package var sequences: [UInt64] { state.withLock { $0.sequences } }
}
