package import DaybookBytes
import Dispatch
import Synchronization

/// The part of a store in replication: whether it writes or follows, and which of its commits
/// another log has stored.
///
/// A replica begins as a follower, whose only commits are those of the stream. A writer's commits
/// are shipped by a shipper, which reads them from the log and reports its progress here. If
/// ``isAwaited``, a commit becomes visible, and its call returns, only after it was shipped.
package final class LogShipping: Sendable {
    /// The part of a store.
    package enum Role: Sendable {
        /// Only shipped commits of another replica are added.
        case following
        /// The program commits, and a shipper sends the commits.
        case writing
    }

    private struct Waiter {
        var sequence: UInt64
        var wake: @Sendable (DaybookError?) -> Void
    }

    private struct State {
        var role = Role.following
        var shipped: UInt64 = 0
        var failure: DaybookError?
        /// The error of all waits of a store that is being closed; its last commits still append.
        var closing: DaybookError?
        var waiters: [Waiter] = []
        var didAppend: (@Sendable () -> Void)?
    }

    /// Whether commits wait until they are shipped.
    package let isAwaited: Bool
    private let state = Mutex(State())

    package init(isAwaited: Bool) { self.isAwaited = isAwaited }

    /// The part of the store.
    package var role: Role { state.withLock { $0.role } }

    /// The last sequence that was shipped.
    package var shippedSequence: UInt64 { state.withLock { $0.shipped } }

    /// The error that ended shipping, if any.
    package var failure: DaybookError? { state.withLock { $0.failure } }

    /// Makes the store a writer. `didAppend` is called after each commit, with the writer lock
    /// held, so it must return immediately.
    package func beginWriting(didAppend: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.role = .writing
            state.didAppend = didAppend
        }
    }

    /// Throws the error of shipping, and `.readOnly` in a follower.
    func requireWriting() throws(DaybookError) {
        let (role, failure) = state.withLock { ($0.role, $0.failure) }
        if let failure { throw failure }
        guard role == .writing else { throw Self.follows }
    }

    /// Tells the shipper that there is a new commit.
    func didAppend() { state.withLock { $0.didAppend }?() }

    /// Records the progress of the shipper, without a call of waiting commits.
    func begin(at sequence: UInt64) {
        state.withLock { $0.shipped = max($0.shipped, sequence) }
    }

    /// Records the progress of the shipper and wakes the commits that waited for it. The versions
    /// must be visible before.
    func advance(to sequence: UInt64) {
        let covered = state.withLock { state in
            state.shipped = max(state.shipped, sequence)
            let covered = state.waiters.filter { $0.sequence <= state.shipped }
            state.waiters.removeAll { $0.sequence <= state.shipped }
            return covered
        }
        for waiter in covered { waiter.wake(nil) }
    }

    /// Wakes all waiting commits with an error. Later commits wait again: the shipper may ship
    /// these commits, too, when the stream is reachable again.
    package func failWaiting(_ error: DaybookError) {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.wake(error) }
    }

    /// Ends shipping: all waiting and later commits get an error.
    package func stop(because error: DaybookError) {
        state.withLock { $0.failure = $0.failure ?? error }
        failWaiting(error)
    }

    /// Waits until a commit is shipped, if commits wait for that.
    func wait(for sequence: UInt64) throws(DaybookError) {
        guard isAwaited else { return }
        let semaphore = DispatchSemaphore(value: 0)
        let failure = Mutex<DaybookError?>(nil)
        whenShipped(sequence) { error in
            failure.withLock { $0 = error }
            semaphore.signal()
        }
        semaphore.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Calls `done` when a commit is shipped, or immediately if commits do not wait for that.
    func whenShipped(
        _ sequence: UInt64, _ done: @escaping @Sendable (DaybookError?) -> Void
    ) {
        guard isAwaited else { return done(nil) }
        let (isOver, failure) = state.withLock { state in
            if sequence <= state.shipped { return (true, DaybookError?.none) }
            if let failure = state.failure ?? state.closing { return (true, failure) }
            state.waiters.append(Waiter(sequence: sequence, wake: done))
            return (false, nil)
        }
        if isOver { done(failure) }
    }

    /// Ends all waits, now and later, because the store is being closed.
    package func endWaits() {
        let error = Self.closedMeanwhile
        state.withLock { $0.closing = error }
        failWaiting(error)
    }

    private static var closedMeanwhile: DaybookError {
        DaybookError(
            .closed,
            "The store was closed before the commit was shipped. It is in the local log, and the"
                + " next opening may ship it.")
    }

    private static var follows: DaybookError {
        DaybookError(
            .readOnly,
            "The store follows the writer of a replicated log. Write in the process of the writer,"
                + " or take over the log first.")
    }
}
