public import Daybook
import DaybookBytes
import DaybookEngine
import DaybookLog
import DaybookMaintenance

/// One copy of a store whose log other machines have, too.
///
/// A replica begins as a follower: ``append(_:after:)`` adds the transactions of the writer. After
/// ``beginWriting(didCommit:)`` its own program commits, and a shipper sends the transactions that
/// ``transactions(after:sizeBytesMax:)`` returns. The caller decides which replica writes.
///
/// The calls may block on the disk. A replica may be used from any thread.
public final class Replica: Sendable {
    private let engine: Engine
    private let shipping: LogShipping
    private let options: ReplicaOptions
    /// The directory of the store.
    public let directoryPath: String

    private init(
        _ engine: Engine, _ shipping: LogShipping, _ options: ReplicaOptions, path: String
    ) {
        self.engine = engine
        self.shipping = shipping
        self.options = options
        directoryPath = path
    }

    /// Opens a replica as a follower, and creates its store if there is none. Transactions in the
    /// local log that were not shipped are visible until the caller ships them or cuts them off.
    ///
    /// An existing store that never was a replica becomes one: its transactions must be those at
    /// the start of the replicated log. Afterwards, other openings for writing throw `.readOnly`.
    /// Throws `.invalidArgument` for an identity that is not valid, `.historyOfAnotherStore` if the
    /// directory has a store with another identity than ``ReplicaOptions/newStoreIdentity``, and
    /// the errors of an opening.
    public static func open(
        directoryPath path: String, options: ReplicaOptions = ReplicaOptions()
    ) throws -> Replica {
        let shipping = LogShipping(isAwaited: options.waitsForShipping)
        var engineOptions = try options.store.engineOptions()
        engineOptions.shipping = shipping
        if let identity = options.newStoreIdentity {
            guard let known = StoreIdentity(identity) else {
                throw DaybookError(
                    .invalidArgument,
                    "'\(identity)' is not the identity of a store. Use Replica.identity of another"
                        + " replica.")
            }
            engineOptions.newStoreIdentity = known
        }
        let engine = try Engine.open(path, RealFileSystem(), options: engineOptions)
        do {
            if let identity = options.newStoreIdentity, engine.log.store.description != identity {
                throw isOther(engine, than: identity)
            }
            if try engine.replicaPlace() == nil { try engine.saveReplicaPlace([]) }
        } catch {
            try? engine.close()
            throw error
        }
        return Replica(engine, shipping, options, path: path)
    }

    private static func isOther(_ engine: Engine, than identity: String) -> DaybookError {
        DaybookError(
            .historyOfAnotherStore,
            "The directory \(engine.log.directory) contains the store \(engine.log.store), not"
                + " \(identity). Use another directory.",
            details: ["path": engine.log.directory, "store": engine.log.store.description])
    }

    /// Whether a directory contains a replica.
    public static func isReplica(directoryPath path: String) throws -> Bool {
        try Engine.isReplica(path, RealFileSystem())
    }

    /// The place of a replica that is not open, as ``place()``; nil if the directory contains none.
    public static func place(directoryPath path: String) throws -> [UInt8]? {
        try Engine.replicaPlace(path, RealFileSystem())
    }

    /// Saves the place of a replica that is not open; see ``save(place:)``.
    public static func save(place: [UInt8], directoryPath path: String) throws {
        try Engine.saveReplicaPlace(place, path, RealFileSystem())
    }

    /// Makes a backup, or a copy of one, the directory of a replica without a place.
    ///
    /// The backup must contain only transactions of the replicated log. Durable on return. Throws
    /// the errors of opening a store.
    public static func adoptBackup(directoryPath path: String) throws {
        try Engine.adoptBackup(path, RealFileSystem())
    }

    /// Removes the transactions after a sequence from a closed replica. Their bytes are in the
    /// directory `quarantine` first. Returns nil if there are none.
    ///
    /// Throws `.invalidArgument` if the transactions are compressed, which shipped transactions may
    /// be; `.outOfSpace`; and the errors of an opening.
    public static func cut(directoryPath path: String, after sequence: UInt64) throws -> ReplicaCut?
    {
        guard let cut = try Engine.cut(path, RealFileSystem(), after: sequence) else { return nil }
        return ReplicaCut(
            sequence: cut.sequence, lastSequence: cut.lastSequence, byteCount: cut.byteCount,
            files: cut.quarantinedFiles.map { path + "/quarantine/" + $0 })
    }

    /// The identity of the store, a UUID.
    public var identity: String { engine.log.store.description }

    /// The sequence of the last transaction in the log.
    public var lastSequence: UInt64 { engine.log.lastSequence }

    /// The last sequence that is known to be shipped.
    public var shippedSequence: UInt64 { shipping.shippedSequence }

    /// The place in the replicated log that ``save(place:)`` saved last; empty if there is none.
    public func place() throws -> [UInt8] { try engine.replicaPlace() ?? [] }

    /// Saves the place in the replicated log. It is durable on return; call ``sync()`` before, so
    /// that the transactions up to the place are, too. Costs two syncs.
    public func save(place: [UInt8]) throws { try engine.saveReplicaPlace(place) }

    /// Returns the next whole transactions after a sequence, with about `sizeBytesMax` bytes of
    /// records and at least one transaction; nil if there is none. They may be invisible yet.
    ///
    /// Throws `.historyTruncated` if a compaction dropped a part of them, `.corruption`, `.closed`.
    public func transactions(
        after sequence: UInt64, sizeBytesMax: Int
    ) throws -> ReplicaTransactions? {
        try engine.shippedTransactions(after: sequence, sizeBytesMax: sizeBytesMax)
            .map(ReplicaTransactions.init)
    }

    /// Whether the transactions after a sequence are few and were just written. The system has
    /// their bytes in memory, so ``transactions(after:sizeBytesMax:)`` does not wait for the disk.
    public func areRecent(after sequence: UInt64) -> Bool {
        (try? engine.logBytes(after: sequence)).map { $0 <= Self.recentBytesMax } ?? false
    }

    private static let recentBytesMax = 128 << 10

    /// Adds transactions to the log of a follower and makes them visible. Returns the sequence of
    /// the last one.
    ///
    /// `sequence` is the sequence before the first transaction. The method compares transactions
    /// that the log contains already. Throws `.historyOfAnotherStore` for other ones with the same
    /// sequence; the detail `commonSequence` names the last equal transaction. Throws
    /// `.invalidArgument` after a gap or in a writer, `.corruption`, `.formatTooNew`,
    /// `.outOfSpace`, `.durabilityUnknown`.
    @discardableResult
    public func append(_ bytes: [UInt8], after sequence: UInt64) throws -> UInt64 {
        try engine.append(shipped: bytes, after: sequence)
    }

    /// Makes all transactions in the local log durable. Throws `.durabilityUnknown`.
    public func sync() throws { try engine.sync() }

    /// Makes the replica a writer. `didCommit` is called after each commit, while other commits
    /// wait, so it must return immediately.
    ///
    /// Call ``didShip(through:)`` at once with the last sequence of the replicated log, from which
    /// the shipper continues.
    public func beginWriting(didCommit: @escaping @Sendable () -> Void) {
        shipping.beginWriting(didAppend: didCommit)
    }

    /// Reports that the replicated log contains all transactions up to a sequence. Commits that
    /// waited for that become visible and return.
    public func didShip(through sequence: UInt64) { engine.didShip(through: sequence) }

    /// Throws an error in all commits that wait for shipping. Their outcome is unknown: they stay
    /// in the log, and a shipper may still ship them. Later commits wait again.
    public func failWaiting(_ error: DaybookError) { shipping.failWaiting(error) }

    /// Throws an error in all commits that wait, and in all later ones, because another replica
    /// writes the replicated log now.
    public func stop(because error: DaybookError) { shipping.stop(because: error) }

    /// Returns a store on this replica. Its close also closes the replica.
    ///
    /// In a follower, the store is read-only and shows new transactions as they are added; an
    /// entity that the writer did not add yet is a `.schemaMismatch`. In a writer, the store adds
    /// the entities, and commits that wait for shipping need a running shipper.
    public func store(entities: [any Storable.Type]) throws -> Store {
        try Store(engine, path: directoryPath, entities: entities, options: options.store)
    }

    /// A hash of the current objects and relations. Replicas with the same last sequence have the
    /// same hash. Cost: a read of the log.
    public func stateHash() throws -> UInt64 { try engine.stateHash() }

    /// Waits until the queued writes are visible or have failed.
    public func finishQueue() { _ = engine.waitForQueue() }

    /// Ends all waits for shipping, now and later, with `.closed`. Call it when the shipper ends
    /// before the store is closed.
    public func endWaits() { shipping.endWaits() }

    /// Closes the store. Commits that wait for shipping throw `.closed`.
    public func close() throws { try engine.close() }
}
