import DaybookPages
import Synchronization

/// The published state of commits: a version waits here until it is durable, becomes visible, and
/// then the signal announces it.
package final class Publication: Sendable {
    private struct Waiting {
        var sequence: UInt64
        var version: PageVersion
        /// The space of the version. The engine may use another space when the version is
        /// published.
        var space: PageSpace
        /// Whether the version moves rows instead of containing a commit.
        var isRelocation = false
    }

    private struct State {
        var waiting: [Waiting] = []
        /// The last sequence that became durable.
        var durable: UInt64 = 0
        /// The last sequence that was shipped to other replicas.
        var shipped: UInt64 = 0
        /// The last sequence that became visible.
        var visible: UInt64 = 0
    }

    /// Notifies subscribers of the log about durable and visible commits.
    let signal = CommitSignal()
    /// Notifies subscribers about visible commits, which may not be durable yet.
    let visibleSignal = CommitSignal()

    private let slot: PageSpaceSlot
    private let state = Mutex(State())
    /// Keeps versions in order if two syncs end at nearly the same time.
    private let order = Mutex(())

    private let waitsForSync: Bool
    private let waitsForShipping: Bool

    /// Whether a version is visible as soon as it is written, before it is durable.
    var showsUnsynced: Bool { !waitsForSync && !waitsForShipping }

    /// A version becomes visible when its commits are synced and shipped, as far as it waits for
    /// that.
    init(_ slot: PageSpaceSlot, waitsForSync: Bool, waitsForShipping: Bool) {
        self.slot = slot
        self.waitsForSync = waitsForSync
        self.waitsForShipping = waitsForShipping
    }

    /// Sets the state of a newly opened store: all commits up to `sequence` are durable and
    /// visible.
    func begin(at sequence: UInt64) {
        state.withLock { state in
            state.durable = max(state.durable, sequence)
            state.shipped = max(state.shipped, sequence)
            state.visible = max(state.visible, sequence)
        }
        publishWaiting()
        visibleSignal.advance(to: sequence)
        signal.advance(to: sequence)
    }

    /// The last sequence that was shipped.
    var shippedSequence: UInt64 { state.withLock { $0.shipped } }

    /// The last sequence that may be visible.
    var visibleLimit: UInt64 { state.withLock { limit($0) } }

    /// Whether a version waits that moves rows. The published one then has old locations.
    var hasWaitingRelocation: Bool {
        state.withLock { $0.waiting.contains { $0.isRelocation } }
    }

    /// Publishes an applied commit. It becomes visible when it is durable, or immediately if the
    /// options allow it. The caller holds the writer lock.
    func enqueue(_ version: PageVersion, of sequence: UInt64) {
        let space = slot.current
        if showsUnsynced {
            space.publish(version)
            return becameVisible(sequence)
        }
        let isLate = state.withLock { state in
            state.waiting.append(Waiting(sequence: sequence, version: version, space: space))
            return sequence <= limit(state)
        }
        // Another writer's sync covered this commit after its append, or the shipper was faster.
        if isLate { publishWaiting() }
    }

    /// Publishes a change of the trees without a commit. The version contains the commits up to
    /// `sequence`, and becomes visible when they may be visible.
    func enqueue(_ version: PageVersion, afterSequence sequence: UInt64) {
        if showsUnsynced { return slot.current.publish(version) }
        let space = slot.current
        let isLate = state.withLock { state in
            state.waiting.append(
                Waiting(sequence: sequence, version: version, space: space, isRelocation: true))
            return sequence <= limit(state)
        }
        if isLate { publishWaiting() }
    }

    /// Makes the synced commits up to `sequence` visible, unless they are not shipped yet. It
    /// notifies no subscriber, because the caller may hold any lock.
    func becameDurable(_ sequence: UInt64) {
        state.withLock { $0.durable = max($0.durable, sequence) }
        publishWaiting()
    }

    /// Makes the shipped commits up to `sequence` visible, unless they are not synced yet. It
    /// notifies no subscriber.
    func becameShipped(_ sequence: UInt64) {
        state.withLock { $0.shipped = max($0.shipped, sequence) }
        publishWaiting()
    }

    /// The last sequence that may be visible.
    private func limit(_ state: State) -> UInt64 {
        min(waitsForSync ? state.durable : .max, waitsForShipping ? state.shipped : .max)
    }

    private func publishWaiting() {
        order.withLock { _ in
            let visible = state.withLock { state in
                let limit = limit(state)
                let count = state.waiting.prefix { $0.sequence <= limit }.count
                defer { state.waiting.removeFirst(count) }
                return state.waiting[..<count].last
            }
            guard let visible else { return }
            visible.space.publish(visible.version)
            // IMPORTANT: after the publication, because another thread may announce the commit
            // immediately.
            becameVisible(visible.sequence)
        }
    }

    /// Records that all commits up to `sequence` are visible, in a published version or in rebuilt
    /// trees.
    func becameVisible(_ sequence: UInt64) {
        state.withLock { $0.visible = max($0.visible, sequence) }
    }

    /// Announces the visible commits, and the durable ones. Called without the locks of the writer,
    /// the trees and the log, so that subscribers may read, write and sync.
    func tell() {
        let (durable, visible) = state.withLock { ($0.durable, $0.visible) }
        visibleSignal.advance(to: visible)
        // A power failure cannot undo a shipped commit.
        signal.advance(to: waitsForShipping ? visible : min(durable, visible))
    }

    /// Announces that the store is closed.
    func end() {
        visibleSignal.end()
        signal.end()
    }

    /// Discards the waiting versions, because the rebuilt trees contain them.
    func forgetPending() { state.withLock { $0.waiting = [] } }
}
