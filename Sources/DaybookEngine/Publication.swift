import DaybookPages
import Synchronization

/// What has been committed and who is told: versions wait here until they are durable, then become
/// visible, then the subscribers hear of them.
package final class Publication: Sendable {
    /// One commit, as subscribers hear of it.
    package struct Notice: Sendable {
        package var sequence: UInt64
        package var timeMicroseconds: UInt64
        /// How many index changes it made.
        package var changeCount: Int
    }

    private struct Waiting {
        var sequence: UInt64
        var version: PageVersion
        /// Whose version it is; another one may be in use when it is published.
        var space: PageSpace
        /// Nil where the trees changed without a commit.
        var notice: Notice?
    }

    private struct State {
        var waiting: [Waiting] = []
        /// The last sequence that became durable.
        var durable: UInt64 = 0
        /// The last sequence that became visible.
        var visible: UInt64 = 0
        /// Visible and not told yet, each with those who were subscribed when it became so.
        var due: [(notice: Notice, subscribers: [@Sendable (Notice) -> Void])] = []
        var isTelling = false
        var subscribers: [Int: @Sendable (Notice) -> Void] = [:]
        var nextSubscriber = 0

        mutating func add(_ notice: Notice) {
            visible = max(visible, notice.sequence)
            guard !subscribers.isEmpty else { return }
            due.append((notice, Array(subscribers.values)))
        }

        /// What is to be told, or nil where there is nothing or somebody tells already.
        mutating func beginTelling() -> [(Notice, [@Sendable (Notice) -> Void])]? {
            guard !isTelling, !due.isEmpty else { return nil }
            isTelling = true
            defer { due = [] }
            return due
        }
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

    /// A commit was folded; it becomes visible when it is durable, or now where the options say so.
    /// The caller holds the writer lock.
    func enqueue(_ version: PageVersion, _ notice: Notice) {
        let space = slot.current
        if showsUnsynced { space.publish(version) }
        let isLate = state.withLock { state in
            if showsUnsynced { state.visible = max(state.visible, notice.sequence) }
            // Nobody waits for a sync that may never come.
            if showsUnsynced, state.subscribers.isEmpty { return false }
            state.waiting.append(
                Waiting(
                    sequence: notice.sequence, version: version, space: space, notice: notice))
            return notice.sequence <= state.durable
        }
        // Another writer's sync has covered this commit between its append and here.
        if isLate { becameDurable(notice.sequence) }
    }

    /// The trees were changed without a commit; the version contains the commits up to `sequence`,
    /// and may be seen when those may.
    func enqueue(_ version: PageVersion, afterSequence sequence: UInt64) {
        if showsUnsynced { return slot.current.publish(version) }
        state.withLock {
            $0.waiting.append(
                Waiting(sequence: sequence, version: version, space: slot.current, notice: nil))
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
                return Array(state.waiting.prefix(count))
            }
            guard let last = visible.last else { return }
            if !showsUnsynced { last.space.publish(last.version) }
            // IMPORTANT: only now, for another thread may tell it at once.
            state.withLock { state in
                state.visible = max(state.visible, last.sequence)
                for notice in visible.compactMap(\.notice) { state.add(notice) }
            }
        }
    }

    /// A commit became visible with trees that were built anew: only its telling is left.
    func announce(_ notice: Notice) { state.withLock { $0.add(notice) } }

    /// Tells what became visible. Called without the locks of the writer, the trees and the log, so
    /// that who is told may read, write and sync. Where a thread tells already, that one goes on
    /// with what has come since.
    func tell() {
        signal.advance(to: state.withLock { min($0.durable, $0.visible) })
        while let due = state.withLock({ $0.beginTelling() }) {
            for (notice, subscribers) in due {
                for tell in subscribers { tell(notice) }
            }
            state.withLock { $0.isTelling = false }
        }
    }

    /// The trees are built anew, all that was waiting included.
    func forgetPending() { state.withLock { $0.waiting = [] } }

    /// Trees that were built anew are in use: all up to `sequence` is visible.
    func becameVisible(_ sequence: UInt64) {
        state.withLock { $0.visible = max($0.visible, sequence) }
    }

    /// Calls `tell` for every commit from now on, in order, once each is durable. The calls come
    /// one at a time on a thread that commits or syncs, after its locks are released; be brief, for
    /// that thread waits.
    package func subscribe(_ tell: @escaping @Sendable (Notice) -> Void) -> Int {
        state.withLock { state in
            state.nextSubscriber += 1
            state.subscribers[state.nextSubscriber] = tell
            return state.nextSubscriber
        }
    }

    /// Ends a subscription; a call that is under way may still finish.
    package func unsubscribe(_ number: Int) {
        state.withLock { _ = $0.subscribers.removeValue(forKey: number) }
    }
}
