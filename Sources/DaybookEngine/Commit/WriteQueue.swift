package import DaybookBytes
import Dispatch
import Synchronization

/// Writes that no caller waits for. They run one after another on a thread of the queue. Writes
/// that wait together, and have the same metadata, share a commit.
final class WriteQueue: Sendable {
    typealias Body = @Sendable (WriteTransaction) throws(DaybookError) -> Void

    /// The number of writes that may wait. A caller with another one waits for a place.
    static let waitingCountMax = 4096

    struct Write: Sendable {
        var metadata: PendingMetadata
        var body: Body
    }

    private struct State {
        var waiting: [Write] = []
        var isRunning = false
        /// The numbers of the last write that was added, and of the last one that is done.
        var lastNumber: UInt64 = 0
        var doneNumber: UInt64 = 0
        var waiters: [(number: UInt64, signal: DispatchSemaphore)] = []
    }

    private let state = Mutex(State())
    private let places = DispatchSemaphore(value: WriteQueue.waitingCountMax)
    private let thread = DispatchQueue(label: "daybook.queue", qos: .userInitiated)

    /// Adds a write. Returns false if there was no place for it until the timeout.
    func add(_ write: Write, to engine: Engine, timeout: DispatchTime) -> Bool {
        guard places.wait(timeout: timeout) == .success else { return false }
        let starts = state.withLock { state in
            state.waiting.append(write)
            state.lastNumber += 1
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { thread.async { self.run(in: engine) } }
        return true
    }

    /// Waits until all writes that were added before are committed or have failed.
    func wait() {
        let signal: DispatchSemaphore? = state.withLock { state in
            guard state.doneNumber < state.lastNumber else { return nil }
            let signal = DispatchSemaphore(value: 0)
            state.waiters.append((state.lastNumber, signal))
            return signal
        }
        signal?.wait()
    }

    private func run(in engine: Engine) {
        while let writes = next() {
            engine.run(writes)
            let due = state.withLock { state in
                state.doneNumber += UInt64(writes.count)
                let done = state.doneNumber
                defer { state.waiters.removeAll { $0.number <= done } }
                return state.waiters.filter { $0.number <= done }
            }
            for waiter in due { waiter.signal.signal() }
        }
    }

    /// The next writes for one commit; nil, and the end of the run, if there are none.
    private func next() -> [Write]? {
        let writes: [Write]? = state.withLock { state in
            guard let first = state.waiting.first else {
                state.isRunning = false
                return nil
            }
            let writes = Array(
                state.waiting.prefix { $0.metadata.pairs == first.metadata.pairs })
            state.waiting.removeFirst(writes.count)
            return writes
        }
        for _ in writes ?? [] { places.signal() }
        return writes
    }
}

extension Engine {
    /// Adds a write to the queue and returns at once. `body` runs later, on another thread; if it
    /// throws, only its own changes are rolled back. Its error, and the error of the commit, are
    /// posted as ``StoreEvent/backgroundFailed(_:_:)``.
    ///
    /// Throws `.closed`, `.readOnly` and the error that stopped the store; `.invalidArgument` for
    /// metadata that is too long; and `.interrupted` if ``WriteQueue/waitingCountMax`` writes wait
    /// and none of them was committed within the timeout.
    package func enqueue(
        timeoutSeconds: Double,
        _ body: @escaping @Sendable (WriteTransaction) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        try requireWritable()
        try options.shipping?.requireWriting()
        // Read here, because the queue's thread does not know the task's metadata.
        let metadata = try PendingMetadata(ambient: options.ambientMetadata(), [:])
        let write = WriteQueue.Write(metadata: metadata, body: body)
        let isAdded = writeQueue.add(
            write, to: self, timeout: DispatchTime.now() + max(timeoutSeconds, 0))
        guard isAdded else { throw Self.queueFull }
    }

    /// Waits until the writes that were added to the queue before are visible or have failed.
    /// Returns false, without waiting, in a write transaction of this thread, because the queue
    /// waits for its end.
    package func waitForQueue() -> Bool {
        guard !TransactionContext.isWriting(self) else { return false }
        writeQueue.wait()
        return true
    }

    /// Reserves ids for new objects of an entity. They are not assigned to other objects while the
    /// store is open. Fewer than `count` if the entity has no more ids.
    package func reserveIds(_ entity: UInt32, count: Int) -> Range<UInt64> {
        ids.take(entity, UInt64(count), from: firstFreeId(entity))
    }

    func firstFreeId(_ entity: UInt32) -> UInt64 {
        trees.withLock { $0.applied.counts[entity]?.nextId ?? 1 }
    }

    /// Commits the writes of a queue together.
    fileprivate func run(_ writes: [WriteQueue.Write]) {
        guard let first = writes.first else { return }
        var failures: [DaybookError] = []
        do {
            var watch = CommitWatch(events)
            let sequence = try commit(&watch) { transaction in
                transaction.noted = first.metadata
                for write in writes {
                    let savepoint = transaction.savepoint()
                    do throws(DaybookError) {
                        try write.body(transaction)
                    } catch {
                        transaction.roll(backTo: savepoint)
                        failures.append(error)
                    }
                }
            }
            try awaitVisibility(of: sequence)
            watch.becameVisible()
        } catch {
            failures.append((error as? DaybookError) ?? Self.notCommitted(error))
        }
        for failure in failures { events?.post(.backgroundFailed(.writeQueue, failure)) }
    }

    private static func notCommitted(_ error: any Error) -> DaybookError {
        DaybookError(
            .inputOutput,
            "The writes of the queue were not committed: \(error). Put the objects"
                + " again.")
    }

    private static var queueFull: DaybookError {
        DaybookError(
            .interrupted,
            "\(WriteQueue.waitingCountMax) writes wait to be committed, and none was committed"
                + " within the timeout. Nothing was stored. Wait for the queue and try again.")
    }
}
