import Daybook
import DaybookNATS
import DaybookReplica
import ReplicationSupport
import Synchronization

/// Sends the transactions of a writer to its log, one batch after another. Commits that are made
/// while a batch is in flight share the next one.
final class Shipper: Sendable {
    private let replica: Replica
    private let stream: any FrameStream
    private let options: ReplicationOptions
    private let maker: FrameMaker
    private let commits = Signal()
    private let waiters = SequenceWaiters()
    private let state: Mutex<ReplicaState>

    /// The number of frames in a batch, far below the limit of the server.
    private static let batchCountMax = 64
    /// The minimum time between two saved places. A later opening reads the log from the place.
    private static let placeInterval = Duration.seconds(5)

    /// `chain` ends with the claim of `maker`.
    init(
        _ replica: Replica, _ stream: any FrameStream, _ options: ReplicationOptions,
        _ maker: FrameMaker, chain: ReplicationChain
    ) {
        self.replica = replica
        self.stream = stream
        self.options = options
        self.maker = maker
        state = Mutex(ReplicaState(chain))
    }

    /// The state of shipping.
    var status: ReplicationStatus {
        var status = state.withLock { $0.status }
        status.localSequence = replica.lastSequence
        return status
    }

    /// The end of the transactions in the log, durable.
    func durablePosition(_ store: Store) throws -> ReplicaPosition {
        try replica.durablePosition(state.withLock { $0.chain }, of: stream.name, store)
    }

    /// Saves the place of the replica in its log, with its claim. Called before the first commit,
    /// so that the next opening knows whose transactions are in the local log.
    func savePlace() async throws {
        try await replica.savePlace(
            state.withLock { $0.chain }, of: stream.name, isWriter: true)
    }

    /// Waits until the log contains the commits up to a sequence.
    func wait(for sequence: UInt64, atMost limit: Duration) async throws {
        try await waiters.wait(
            for: sequence, atMost: limit,
            late: .timedOut(limit, stream: stream.name, status.failure))
    }

    /// Waits until the log contains the commits up to a sequence, however many they are. Throws
    /// `.replicationTimedOut` if none is added for a time.
    func waitWhileProgressing(for sequence: UInt64, atMost limit: Duration) async throws {
        while true {
            let before = status.streamSequence
            do {
                return try await wait(for: sequence, atMost: limit)
            } catch let error as DaybookError
                where error.code == .replicationTimedOut && status.streamSequence > before
            {
                continue
            }
        }
    }

    /// Makes the replica a writer and starts shipping. The task ends when it is cancelled, and when
    /// another replica takes over.
    func start(after chain: ReplicationChain) -> Task<Void, Never> {
        replica.beginWriting { [commits] in commits.set() }
        replica.didShip(through: chain.lastSequence)
        waiters.advance(to: chain.lastSequence)
        return Task { [self] in
            do {
                try await run(chain)
            } catch is CancellationError {
            } catch {
                stop(because: Self.daybookError(error, stream.name))
            }
        }
    }

    private func run(_ chain: ReplicationChain) async throws {
        var appender = FrameAppender(stream: stream, chain: chain)
        var lastSave = ContinuousClock.now
        while true {
            try Task.checkCancellation()
            guard let transactions = try await transactions(after: appender.chain.lastSequence)
            else {
                let isDue = await !commits.wait(atMost: options.heartbeatInterval)
                if isDue, try await !ship([maker.alive(after: appender.chain)], &appender) {
                    return
                }
                continue
            }
            let frames = maker.frames(
                of: transactions, after: appender.chain, sizeBytesMax: stream.frameSizeBytesMax)
            guard try await ship(frames, &appender) else { return }
            replica.didShip(through: appender.chain.lastSequence)
            waiters.advance(to: appender.chain.lastSequence)
            if lastSave.duration(to: .now) > Self.placeInterval {
                // A place that is not saved only makes the next opening read more.
                do { try await savePlace() } catch { note(error) }
                lastSave = .now
            }
        }
    }

    /// The next transactions; nil if there is none. A single writer waits for each commit, so a few
    /// new transactions are read on this thread: another one would add two switches of threads.
    private func transactions(after last: UInt64) async throws -> ReplicaTransactions? {
        guard replica.lastSequence > last else { return nil }
        let (replica, sizeBytesMax) = (replica, options.batchSizeBytesMax)
        if replica.areRecent(after: last) {
            return try replica.transactions(after: last, sizeBytesMax: sizeBytesMax)
        }
        return try await Blocking.run {
            try replica.transactions(after: last, sizeBytesMax: sizeBytesMax)
        }
    }

    /// Appends frames to the log. Returns false if another replica took over.
    private func ship(
        _ frames: [EncodedFrame], _ appender: inout FrameAppender
    ) async throws -> Bool {
        var rest = frames[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batchCountMax))
            rest.removeFirst(batch.count)
            let outcome = try await appender.append(batch) { error, elapsed in
                fail(error, after: elapsed)
            }
            guard outcome == .stored else {
                stop(because: .fenced(term: appender.chain.term + 1, stream: stream.name))
                return false
            }
            let chain = appender.chain
            state.withLock { $0.note(chain) }
        }
        return true
    }

    private func note(_ error: any Error) { state.withLock { $0.status.failure = error } }

    /// Notes a failed attempt. The attempts continue, but no commit waits longer than its limit.
    private func fail(_ error: (any Error)?, after elapsed: Duration) {
        state.withLock { $0.status.failure = error }
        guard elapsed >= options.timeout else { return }
        replica.failWaiting(.timedOut(options.timeout, stream: stream.name, error))
    }

    private func stop(because error: DaybookError) {
        state.withLock { $0.status.stopped = error }
        replica.stop(because: error)
        waiters.stop(because: error)
    }

    static func daybookError(_ error: any Error, _ stream: String) -> DaybookError {
        error as? DaybookError
            ?? DaybookError(
                .inputOutput,
                "The replication with the stream \(stream) ended: \(error). Open the store again.",
                cause: error, details: ["stream": stream])
    }
}
