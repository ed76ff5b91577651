package import Dispatch
package import DaybookBytes
import Synchronization

/// Group commit: waiting commits share syncs.
///
/// The first waiting commit becomes the leader. It syncs everything appended so far, calls
/// `onDurable`, and wakes the covered commits. The first remaining commit then leads. A failed sync
/// is final: all waiting and later commits get `.durabilityUnknown`.
package final class GroupCommit: Sendable {
    private enum Verdict: Sendable {
        case durable
        case lead
        case failed(DaybookError)
    }

    private struct Waiter {
        var sequence: UInt64
        var wake: @Sendable (Verdict) -> Void
    }

    private struct State {
        var appended: UInt64
        var durable: UInt64
        /// The file that the next sync must cover. It is retained, so that it stays open for a
        /// leader even after a roll and a compaction.
        var file: any File
        var isSyncing = false
        var waiters: [Waiter] = []
        var failure: DaybookError?
    }

    private let state: Mutex<State>
    private let syncing = Mutex(())
    private let onDurable: @Sendable (UInt64) -> Void
    private let observer: LogObserver?

    init(
        durable: UInt64, file: any File, observer: LogObserver? = nil,
        onDurable: @escaping @Sendable (UInt64) -> Void
    ) {
        state = Mutex(State(appended: durable, durable: durable, file: file))
        self.onDurable = onDurable
        self.observer = observer
    }

    /// The highest sequence that a completed sync covers.
    package var durableSequence: UInt64 { state.withLock { $0.durable } }

    /// The error that ended syncing, if any.
    package var failure: DaybookError? { state.withLock { $0.failure } }

    /// Records that frames up to `sequence` were written to the operating system.
    func appended(_ sequence: UInt64) { state.withLock { $0.appended = sequence } }

    /// Records that the log continues in another file. Everything before is synced.
    func rolled(to file: any File, durable: UInt64) {
        // Publish first: a writer that sees its commit as durable must also see it as visible.
        onDurable(durable)
        state.withLock { state in
            state.file = file
            state.durable = max(state.durable, durable)
        }
    }

    /// Ends syncing: all waiting and later commits get `error`.
    package func poison(_ error: DaybookError) {
        let (waiters, isFirst) = state.withLock { state in
            let isFirst = state.failure == nil
            state.failure = state.failure ?? error
            defer { state.waiters = [] }
            return (state.waiters, isFirst)
        }
        if isFirst { observer?.didStop(error) }
        for waiter in waiters { waiter.wake(.failed(error)) }
    }

    /// Blocks until `sequence` is durable. Leads the sync if there is no leader. Throws
    /// `.durabilityUnknown` after a failed sync.
    package func wait(for sequence: UInt64) throws(DaybookError) {
        let semaphore = DispatchSemaphore(value: 0)
        let answer = Mutex<Verdict>(.durable)
        switch enter(
            sequence,
            { verdict in
                answer.withLock { $0 = verdict }
                semaphore.signal()
            })
        {
        case .durable: return
        case .failed(let error): throw error
        case .lead: try lead(for: sequence)
        case nil:
            semaphore.wait()
            switch answer.withLock({ $0 }) {
            case .durable: return
            case .failed(let error): throw error
            case .lead: try lead(for: sequence)
            }
        }
    }

    /// Calls `done` when `sequence` is durable or the sync failed. If this call has to lead, the
    /// sync runs on `queue`, so the caller never blocks.
    package func whenDurable(
        _ sequence: UInt64, on queue: DispatchQueue,
        _ done: @escaping @Sendable (DaybookError?) -> Void
    ) {
        let act: @Sendable (Verdict) -> Void = { verdict in
            switch verdict {
            case .durable: done(nil)
            case .failed(let error): done(error)
            case .lead:
                queue.async {
                    do throws(DaybookError) {
                        try self.lead(for: sequence)
                        done(nil)
                    } catch {
                        done(error)
                    }
                }
            }
        }
        if let verdict = enter(sequence, act) { act(verdict) }
    }

    /// Enqueues a waiter; nil means that `wake` will be called.
    private func enter(
        _ sequence: UInt64, _ wake: @escaping @Sendable (Verdict) -> Void
    ) -> Verdict? {
        state.withLock { state in
            if sequence <= state.durable { return .durable }
            if let failure = state.failure { return .failed(failure) }
            guard state.isSyncing else {
                state.isSyncing = true
                return .lead
            }
            state.waiters.append(Waiter(sequence: sequence, wake: wake))
            return nil
        }
    }

    /// Syncs a file of the log; a failure is final.
    ///
    /// Only one sync runs at a time: the operating system reports a failure once, so a concurrent
    /// sync of the same file might report success.
    func sync(_ file: any File) throws(DaybookError) {
        try syncing.withLock { _ throws(DaybookError) in
            if let failure { throw failure }
            let signpost = Signpost("sync")
            defer { signpost.end() }
            let start = observer == nil ? nil : ContinuousClock.now
            do throws(DaybookError) {
                try file.sync()
                if let start { observer?.didSync(start.duration(to: .now)) }
            } catch {
                let unknown = Self.unknown(after: state.withLock { $0.durable }, error)
                poison(unknown)
                throw unknown
            }
        }
    }

    private func lead(for sequence: UInt64) throws(DaybookError) {
        let (file, target) = state.withLock { ($0.file, $0.appended) }
        try sync(file)
        // Publish first, then count as durable: a writer that returns must find its commit visible.
        onDurable(target)
        let (covered, next) = state.withLock { state -> ([Waiter], Waiter?) in
            state.durable = max(state.durable, target)
            let covered = state.waiters.filter { $0.sequence <= state.durable }
            state.waiters.removeAll { $0.sequence <= state.durable }
            guard !state.waiters.isEmpty else {
                state.isSyncing = false
                return (covered, nil)
            }
            return (covered, state.waiters.removeFirst())
        }
        next?.wake(.lead)
        for waiter in covered { waiter.wake(.durable) }
    }

    private static func unknown(after sequence: UInt64, _ cause: DaybookError) -> DaybookError {
        DaybookError(
            .durabilityUnknown,
            "A sync failed, so it is unknown which commits after sequence \(sequence) reached the"
                + " disk. Close the store and open it again: recovery will show that.",
            cause: cause, details: ["durableSequence": String(sequence)])
    }
}
