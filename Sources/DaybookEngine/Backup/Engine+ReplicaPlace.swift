package import DaybookBytes
package import DaybookLog

extension Engine {
    /// Whether a directory contains a replica.
    package static func isReplica(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) -> Bool {
        try fileSystem.kind(of: path + "/" + StoreFileName.replica.text) != nil
    }

    /// Throws `.readOnly` for the directory of a replica: a commit that is not in the replicated
    /// log would contradict the other replicas.
    static func requireNoReplica(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        guard try isReplica(path, fileSystem) else { return }
        throw DaybookError(
            .readOnly,
            "The store at \(path) is a replica, and only its replicated log may change it. Open it"
                + " read-only, open it with replication, or restore a backup of it as a store of"
                + " its own.", details: ["path": path])
    }

    /// The place of a replica in its replicated log, as ``saveReplicaPlace(_:)`` saved it; nil for
    /// a store that is no replica.
    package func replicaPlace() throws(DaybookError) -> [UInt8]? {
        try Self.replicaPlace(log.directory, log.fileSystem)
    }

    /// The place of the replica in a directory, open or not; nil if it contains none.
    package static func replicaPlace(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) -> [UInt8]? {
        do throws(DaybookError) {
            return try fileSystem.readAll(path + "/" + StoreFileName.replica.text)
        } catch  where error.code == .fileNotFound {
            return nil
        }
    }

    /// Saves the place of a replica. It is durable on return; a crash leaves the old one or the new
    /// one.
    package func saveReplicaPlace(_ bytes: [UInt8]) throws(DaybookError) {
        try Self.saveReplicaPlace(bytes, log.directory, log.fileSystem)
    }

    /// Saves the place of the replica in a directory, open or not.
    package static func saveReplicaPlace(
        _ bytes: [UInt8], _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        try fileSystem.replaceAtomically(bytes, named: StoreFileName.replica.text, in: path)
    }
}

extension Engine {
    /// Makes a backup the directory of a replica. The file of the place is there first, so no other
    /// program writes to the directory.
    package static func adoptBackup(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        try saveReplicaPlace([], path, fileSystem)
        try LogDirectory.adoptBackup(
            path, fileSystem, holder: "process \(ProcessIdentity.current)")
    }

    /// Removes the transactions after a sequence from a closed replica; see ``Log/cut(after:)``.
    /// Consumers that acknowledged one of them continue after the sequence.
    package static func cut(
        _ path: String, _ fileSystem: any FileSystem, after sequence: UInt64
    ) throws(DaybookError) -> LogCut? {
        _ = try LogDirectory.openForReading(path, fileSystem)
        let directory = try LogDirectory.openForWriting(
            path, fileSystem, holder: "process \(ProcessIdentity.current)",
            identity: { .random() },
            timeMicroseconds: UInt64(clamping: WallClock.microsecondsSinceEpoch()))
        do throws(DaybookError) {
            let (log, _) = try Log.open(
                directory, transform: nil, options: LogOptions(), resume: nil, durableClaim: 0,
                onDurable: { _ in })
            if log.lastSequence > sequence {
                try ConsumerStore.limit(to: sequence, in: path, fileSystem)
            }
            return try log.cut(after: sequence)
        } catch {
            directory.lock?.release()
            throw error
        }
    }
}
