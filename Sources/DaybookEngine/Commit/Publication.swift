import DaybookPages
import Synchronization

/// What has been committed: versions wait here until they are durable, then become visible, then
/// the signal tells how far that is.
package final class Publication: Sendable {
    private struct Waiting {
        var sequence: UInt64
        var version: PageVersion
        /// Whose version it is; another one may be in use when it is published.
        var space: PageSpace
    }

    private struct State {
        var waiting: [Waiting] = []
        /// The last sequence that became durable.
        var durable: UInt64 = 0
        /// The last sequence that became visible.
        var visible: UInt64 = 0
    }

    /// Who reads the log hears here of what is durable and visible.
    let signal = CommitSignal()

    private let slot: PageSpaceSlot
    private let state = Mutex(State())
    /// Keeps versions in order when two syncs end close together.
    private let order = Mutex(())

    /// Whether a version is visible as soon as it is written, before it is durable.
    private let showsUnsynced: Bool

    init(_ slot: PageSpaceSlot, showsUnsynced: Bool) {
        self.slot = slot
        self.showsUnsynced = showsUnsynced
    }

    /// A store was opened with all up to `sequence` durable and visible.
    func begin(at sequence: UInt64) {
        state.withLock { state in
            state.durable = max(state.durable, sequence)
            state.visible = max(state.visible, sequence)
        }
        signal.advance(to: sequence)
    }

    /// A commit was applied. It becomes visible when it is durable, or now if the options allow it.
    /// The caller holds the writer lock.
    func enqueue(_ version: PageVersion, of sequence: UInt64) {
        let space = slot.current
        if showsUnsynced {
            space.publish(version)
            return becameVisible(sequence)
        }
        let isLate = state.withLock { state in
            state.waiting.append(Waiting(sequence: sequence, version: version, space: space))
            return sequence <= state.durable
        }
        // Another writer's sync has covered this commit between its append and here.
        if isLate { becameDurable(sequence) }
    }

    /// The trees were changed without a commit; the version contains the commits up to `sequence`,
    /// and may be seen when those may.
    func enqueue(_ version: PageVersion, afterSequence sequence: UInt64) {
        if showsUnsynced { return slot.current.publish(version) }
        state.withLock {
            $0.waiting.append(Waiting(sequence: sequence, version: version, space: slot.current))
        }
    }

    /// Everything up to `sequence` is synced: it becomes visible, and is to be told. Calls nobody,
    /// for the caller may hold any lock.
    func becameDurable(_ sequence: UInt64) {
        order.withLock { _ in
            let visible = state.withLock { state in
                state.durable = max(state.durable, sequence)
                let count = state.waiting.prefix { $0.sequence <= sequence }.count
                defer { state.waiting.removeFirst(count) }
                return state.waiting[..<count].last
            }
            guard let visible else { return }
            visible.space.publish(visible.version)
            // IMPORTANT: only now, for another thread may tell it at once.
            becameVisible(visible.sequence)
        }
    }

    /// All up to `sequence` is visible: in a version that was published, or in trees that were
    /// built anew.
    func becameVisible(_ sequence: UInt64) {
        state.withLock { $0.visible = max($0.visible, sequence) }
    }

    /// Tells what is durable and visible. Called without the locks of the writer, the trees and the
    /// log, so that who is told may read, write and sync.
    func tell() {
        signal.advance(to: state.withLock { min($0.durable, $0.visible) })
    }

    /// The trees are built anew, all that was waiting included.
    func forgetPending() { state.withLock { $0.waiting = [] } }
}
