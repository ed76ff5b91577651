package import DaybookEngine
import Synchronization

/// The commits that a store's signal has reported. The signal reports the last durable sequence: it
/// may skip sequences, and calls may be out of order.
package final class CommitRecorder: Sendable {
    private struct State {
        var last: UInt64
        var sequences: [UInt64] = []
    }

    private let state: Mutex<State>

    /// Records commits after `start`.
    package init(after start: UInt64) { state = Mutex(State(last: start)) }

    /// Starts listening to a store. Returns the token that ends it.
    package func listen(to engine: Engine) -> Int {
        engine.commitSignal.add { self.record($0) }
    }

    /// Records all commits up to `sequence`.
    package func record(_ sequence: UInt64) {
        state.withLock { state in
            guard sequence > state.last else { return }
            state.sequences += (state.last + 1)...sequence
            state.last = sequence
        }
    }

    /// The recorded sequences, in order.
    package var sequences: [UInt64] { state.withLock { $0.sequences } }
}
