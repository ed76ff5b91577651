public import Daybook
public import DaybookReplica
import ReplicationSupport

/// A store that follows a replicated log. It is read-only, and complete: queries, live results,
/// history and consumers work as in any other store.
public final class Follower: Sendable {
    /// The store. Do not close it; close the follower.
    public let store: Store
    /// The transactions that the opening removed from the local log, because they are not in the
    /// replicated log. Their bytes are in the directory `quarantine`.
    public let removedSequences: [ClosedRange<UInt64>]

    private let replica: Replica
    private let reader: LogReader
    private let reading: Task<Void, Never>

    private init(
        _ store: Store, _ followed: FollowedReplica, _ reader: LogReader,
        _ reading: Task<Void, Never>
    ) {
        self.store = store
        self.reader = reader
        self.reading = reading
        replica = followed.replica
        removedSequences = followed.removedSequences
    }

    deinit { reading.cancel() }

    /// Opens a store in a directory, and brings it up to the end of the log.
    ///
    /// A new directory gets a copy of the whole log. Commits of a former writer that are not in the
    /// log are removed. Throws `.streamNotFound` if no replica ever wrote the log,
    /// `.streamReplaced`, `.streamTruncated`, the errors of opening a store, `.schemaMismatch` for
    /// an entity that the log does not contain yet, and `NATSError`.
    public static func open(
        directoryPath: String, entities: any Storable.Type..., log: ReplicatedLog,
        options: ReplicationOptions = ReplicationOptions()
    ) async throws -> Follower {
        try await open(
            directoryPath: directoryPath, entities: entities, stream: log.frames, options: options)
    }

    static func open(
        directoryPath: String, entities: [any Storable.Type], stream: any FrameStream,
        options: ReplicationOptions
    ) async throws -> Follower {
        try options.check()
        do {
            return try await openOnce(directoryPath, entities, stream, options)
        } catch let error as DaybookError
            where error.code == .streamTruncated && options.archive != nil
        {
            // Messages were removed while they were read; the archive has them.
            return try await openOnce(directoryPath, entities, stream, options)
        }
    }

    private static func openOnce(
        _ directoryPath: String, _ entities: [any Storable.Type], _ stream: any FrameStream,
        _ options: ReplicationOptions
    ) async throws -> Follower {
        var followed = try await FollowedReplica.open(
            directoryPath: directoryPath, stream: stream, options: options, needsLog: true)
        do {
            try await followed.catchUpToLeader()
            guard followed.chain.term > 0 else {
                throw DaybookError.notFound(stream: stream.name)
            }
            if followed.mayHaveTail { try await followed.cutUnshipped() }
            let replica = followed.replica
            // From here on the replica has only transactions of the log.
            try await replica.savePlace(followed.chain, of: stream.name, isWriter: false)
            let store = try await Blocking.run { try replica.store(entities: entities) }
            let reader = LogReader(replica, stream, chain: followed.chain)
            return Follower(store, followed, reader, reader.start(after: followed.chain))
        } catch {
            let replica = followed.replica
            try? await Blocking.run { try replica.close() }
            throw error
        }
    }

    /// The state of replication. ``ReplicationStatus/stopped`` is set if the follower cannot
    /// continue.
    public var status: ReplicationStatus { reader.status }

    /// Waits until the store contains the commit with a sequence, so that a program reads the
    /// commits that it made elsewhere. Throws `.replicationTimedOut` after a time limit, the error
    /// that stopped the follower, and `CancellationError`.
    public func wait(for sequence: UInt64, timeout: Duration = .seconds(30)) async throws {
        try await reader.wait(for: sequence, atMost: timeout)
    }

    /// Makes the commits up to now durable, and returns the end of those in the replicated log,
    /// with the place there: the position of an archiver. Throws as `Store.durablePosition()`.
    public func durablePosition() throws -> ReplicaPosition {
        try reader.durablePosition(store)
    }

    /// A hash of the current objects and relations, equal in all replicas with the same last
    /// sequence. Cost: a read of the log.
    public func stateHash() async throws -> UInt64 {
        let replica = replica
        return try await Blocking.run { try replica.stateHash() }
    }

    /// Ends following and closes the store. Throws the errors of `Store.close()`.
    public func close() async throws {
        reading.cancel()
        await reading.value
        // A place that is not saved only makes the next opening read more.
        try? await reader.savePlace()
        let store = store
        try await Blocking.run { try store.close() }
    }
}
