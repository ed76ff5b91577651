import Daybook
import DaybookNATS
import DaybookReplica
import ReplicationSupport
import Synchronization

/// Reads the log of a follower as it grows, and adds its transactions to the replica.
final class LogReader: Sendable {
    private let replica: Replica
    private let stream: any FrameStream
    private let news = Signal()
    private let waiters = SequenceWaiters()
    private let state: Mutex<ReplicaState>

    /// The first wait after a read without a message. The server announces a message before it is
    /// stored, so the first reads after an announcement may find nothing.
    private static let pauseMin = Duration.milliseconds(1)
    /// The longest wait without an announcement.
    private static let pauseMax = Duration.milliseconds(500)
    private static let placeInterval = Duration.seconds(5)

    /// `chain` is the place up to which the replica has the log.
    init(_ replica: Replica, _ stream: any FrameStream, chain: ReplicationChain) {
        self.replica = replica
        self.stream = stream
        state = Mutex(ReplicaState(chain))
        waiters.advance(to: chain.lastSequence)
    }

    /// The state of following.
    var status: ReplicationStatus {
        var status = state.withLock { $0.status }
        status.localSequence = replica.lastSequence
        return status
    }

    /// The end of the transactions in the log, durable.
    func durablePosition(_ store: Store) throws -> ReplicaPosition {
        try replica.durablePosition(state.withLock { $0.chain }, of: stream.name, store)
    }

    /// Saves the place of the replica in its log.
    func savePlace() async throws {
        try await replica.savePlace(
            state.withLock { $0.chain }, of: stream.name, isWriter: false)
    }

    /// Waits until the replica has the commits up to a sequence.
    func wait(for sequence: UInt64, atMost limit: Duration) async throws {
        try await waiters.wait(
            for: sequence, atMost: limit,
            late: DaybookError(
                .replicationTimedOut,
                "The follower of the stream \(stream.name) did not reach sequence \(sequence)"
                    + " within \(limit). Check its status.",
                details: ["stream": stream.name, "sequence": String(sequence)]))
    }

    /// Starts following. The task ends when it is cancelled, and with an error that repeats.
    func start(after chain: ReplicationChain) -> Task<Void, Never> {
        Task { [self] in
            let watch = stream.watch(news)
            defer { watch.cancel() }
            do {
                try await run(chain)
            } catch is CancellationError {
            } catch {
                let error = Shipper.daybookError(error, stream.name)
                state.withLock { $0.status.stopped = error }
                waiters.stop(because: error)
            }
        }
    }

    private func run(_ start: ReplicationChain) async throws {
        var chain = start
        var pause = Self.pauseMin
        var delay = RetryDelay()
        var lastSave = ContinuousClock.now
        while true {
            try Task.checkCancellation()
            let messages: [StreamMessage]
            do throws(NATSError) {
                messages = try await stream.messages(
                    after: chain.streamSequence, sizeBytesMax: FollowedReplica.readSizeBytesMax)
                delay = RetryDelay()
                state.withLock { $0.status.failure = nil }
            } catch {
                state.withLock { $0.status.failure = error }
                await delay.wait()
                continue
            }
            guard !messages.isEmpty else {
                let isAnnounced = await news.wait(atMost: pause)
                pause = isAnnounced ? Self.pauseMin : min(pause * 2, Self.pauseMax)
                continue
            }
            pause = Self.pauseMin
            for message in messages { try await read(message, &chain) }
            if lastSave.duration(to: .now) > Self.placeInterval {
                // A place that is not saved only makes the next opening read more.
                do { try await savePlace() } catch { note(error) }
                lastSave = .now
            }
        }
    }

    private func read(_ message: StreamMessage, _ chain: inout ReplicationChain) async throws {
        let step = try chain.next(message, of: stream.name)
        let read = chain
        if case .transactions(let bytes, let afterSequence) = step {
            try await append(Array(bytes.readableBytesView), after: afterSequence)
        }
        state.withLock { $0.note(read) }
        waiters.advance(to: read.lastSequence)
    }

    /// Adds transactions to the replica. Tries again while the disk is full or does not answer.
    private func append(_ transactions: [UInt8], after sequence: UInt64) async throws {
        let replica = replica
        var delay = RetryDelay()
        while true {
            do {
                _ = try await Blocking.run { try replica.append(transactions, after: sequence) }
                return
            } catch let error as DaybookError
                where error.code == .outOfSpace || error.code == .inputOutput
            {
                note(error)
                await delay.wait()
                try Task.checkCancellation()
            }
        }
    }

    private func note(_ error: any Error) { state.withLock { $0.status.failure = error } }
}
