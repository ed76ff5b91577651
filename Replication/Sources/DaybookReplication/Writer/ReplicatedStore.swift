public import Daybook
import DaybookNATS
public import DaybookReplica
import ReplicationSupport

/// A store that writes a replicated log.
///
/// One replica writes at a time. Opening a replicated store takes over the log: from then on, the
/// `.replicated` commits of the previous writer throw `.fenced`, and its `.local` ones as soon as
/// it notices. Use ``Follower`` to read without taking over. Retain the replicated store as long as
/// its ``store`` is used: commits are shipped only meanwhile.
public final class ReplicatedStore: Sendable {
    /// The store. Do not close it; close the replicated store.
    public let store: Store
    /// The transactions that the opening removed from the local log, because another replica had
    /// taken over before they were shipped. Their bytes are in the directory `quarantine`.
    public let removedSequences: [ClosedRange<UInt64>]

    private let replica: Replica
    private let shipper: Shipper
    private let shipping: Task<Void, Never>
    private let options: ReplicationOptions

    private init(
        _ store: Store, _ followed: FollowedReplica, _ shipper: Shipper,
        _ shipping: Task<Void, Never>
    ) {
        self.store = store
        self.shipper = shipper
        self.shipping = shipping
        replica = followed.replica
        options = followed.options
        removedSequences = followed.removedSequences
    }

    deinit {
        shipping.cancel()
        // A program may still have the store.
        replica.endWaits()
    }

    /// Opens a store in a directory, brings it up to the end of the log, and takes over the log, at
    /// once or as ``ReplicationOptions/takeover`` says.
    ///
    /// The first writer of an empty stream defines the identity of the store and ships its whole
    /// history. Commits in the directory that are not in the log are shipped, too, unless another
    /// replica has written since. Returns when all local commits are in the log. Throws
    /// `.streamNotFound`, `.streamReplaced`, `.streamTruncated`, `.replicationTimedOut`, the errors
    /// of opening a store, and `NATSError`.
    public static func open(
        directoryPath: String, entities: any Storable.Type..., log: ReplicatedLog,
        options: ReplicationOptions = ReplicationOptions()
    ) async throws -> ReplicatedStore {
        try await open(
            directoryPath: directoryPath, entities: entities, stream: log.frames, options: options)
    }

    static func open(
        directoryPath: String, entities: [any Storable.Type], stream: any FrameStream,
        options: ReplicationOptions
    ) async throws -> ReplicatedStore {
        try options.check()
        var followed = try await FollowedReplica.open(
            directoryPath: directoryPath, stream: stream, options: options)
        var shipping: Task<Void, Never>?
        do {
            let maker = try await followed.takeOver()
            let replica = followed.replica
            let shipper = Shipper(replica, stream, options, maker, chain: followed.chain)
            try await shipper.savePlace()
            shipping = shipper.start(after: followed.chain)
            try await shipper.waitWhileProgressing(
                for: replica.lastSequence, atMost: options.timeout)
            let store = try await Blocking.run { try replica.store(entities: entities) }
            // The commit that added the entities.
            try await shipper.waitWhileProgressing(
                for: replica.lastSequence, atMost: options.timeout)
            return ReplicatedStore(store, followed, shipper, shipping ?? Task {})
        } catch {
            shipping?.cancel()
            await shipping?.value
            let replica = followed.replica
            try? await Blocking.run { try replica.close() }
            throw error
        }
    }

    /// The state of replication. ``ReplicationStatus/stopped`` is `.fenced` after another replica
    /// took over.
    public var status: ReplicationStatus { shipper.status }

    /// Waits until the log contains all commits that were made before the call. Throws
    /// `.replicationTimedOut` after a time limit, `.fenced`, and `CancellationError`.
    public func waitUntilShipped(timeout: Duration = .seconds(30)) async throws {
        try await shipper.wait(for: replica.lastSequence, atMost: timeout)
    }

    /// Makes the commits up to now durable, and returns the end of those in the replicated log,
    /// with the place there: the position of an archiver. Throws as `Store.durablePosition()`.
    public func durablePosition() throws -> ReplicaPosition {
        try shipper.durablePosition(store)
    }

    /// A hash of the current objects and relations, equal in all replicas with the same last
    /// sequence. Cost: a read of the log.
    public func stateHash() async throws -> UInt64 {
        let replica = replica
        return try await Blocking.run { try replica.stateHash() }
    }

    /// Ships the last commits, for at most the timeout of the options, and closes the store.
    ///
    /// Commits that could not be shipped stay in the local log; the next opening ships them. Throws
    /// the errors of `Store.close()`.
    public func close() async throws {
        let replica = replica
        // The queued writes need the shipper.
        try? await Blocking.run { replica.finishQueue() }
        try? await waitUntilShipped(timeout: options.timeout)
        shipping.cancel()
        replica.endWaits()
        await shipping.value
        // A place that is not saved only makes the next opening read more.
        try? await shipper.savePlace()
        let store = store
        try await Blocking.run { try store.close() }
    }
}

extension FollowedReplica {
    /// The sequences of the transactions that were removed.
    var removedSequences: [ClosedRange<UInt64>] {
        cuts.map { ($0.sequence + 1)...$0.lastSequence }
    }

    /// Reads the log to its end. With ``ReplicationOptions/Takeover/afterSilence(_:)``, continues
    /// until the log has had no frame for that time.
    private mutating func awaitSilence() async throws {
        var silence = Duration.zero
        if case .afterSilence(let duration) = options.takeover { silence = duration }
        var last = chain.frameSequence
        var start = ContinuousClock.now
        while true {
            do {
                try await catchUp()
            } catch let error as NATSError where silence > .zero {
                // Whether the writer is alive is unknown while the stream cannot be read.
                if error.code == .closed { throw error }
                start = .now
            }
            if chain.frameSequence != last {
                last = chain.frameSequence
                start = .now
            }
            if chain.term == 0 || start.duration(to: .now) >= silence { return }
            try await Task.sleep(for: min(.milliseconds(200), silence))
        }
    }

    /// Appends the claim of a writer at the end of the log, after the transactions of others.
    /// Returns the writer. The replica then has all transactions of the log, and no others, unless
    /// it may ship them.
    ///
    /// Only the accepted claim proves that the replica has read the whole log, so the decision
    /// about its unshipped transactions takes effect after it.
    mutating func takeOver() async throws -> FrameMaker {
        while true {
            if chain.term == 0 {
                // An earlier read may have missed the log of another store.
                try await LogBeginning(stream).check(replica)
            }
            try await awaitSilence()
            // Each claim has its own writer, so that a saved claim is this one and no other.
            let maker = FrameMaker()
            let mayShipTail = mayShipTail
            if mayShipTail { try await saveClaim(of: maker) }
            var appender = FrameAppender(stream: stream, chain: chain)
            let (limit, name) = (options.timeout, stream.name)
            let outcome = try await appender.append([maker.claim(after: chain)]) { error, elapsed in
                if elapsed >= limit { throw DaybookError.timedOut(limit, stream: name, error) }
            }
            chain = appender.chain
            guard outcome == .stored else { continue }
            if !mayShipTail { try await cutUnshipped() }
            return maker
        }
    }
}
