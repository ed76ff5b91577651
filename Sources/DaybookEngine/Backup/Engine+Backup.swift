package import DaybookBytes
import DaybookLog

extension Engine {
    /// Makes a copy of the store as it is now in another directory, while writers, snapshots and
    /// compactions go on. The next backup into that directory adds what is new.
    ///
    /// Sealed segments are linked where the file system can, else copied once; the active one is
    /// copied. The places of named consumers go along. Every file of the log is read back before
    /// the copy counts; without `verifiesAll` only what is new is, and what the older backup had is
    /// trusted. What is damaged there is made good. The older backup stays whole until the new one
    /// is, and stays as it was where this throws or the process dies. The copy opens for reading,
    /// at the sequence that the report names.
    ///
    /// `target` is the file system of the directory where it is not the store's own. Cost: two
    /// reads and a write of what is new and not linked, one read of all else, and, where a
    /// compaction replaced segments since, one of what it put there and of the older backup's.
    /// Throws `.backupInvalid` for a directory that cannot take a backup of this store, or holds
    /// one of another past than this store's, `.locked` while
    /// another one is made there, `.invalidArgument` for a directory inside this store,
    /// `.corruption` for a damaged store, `.interrupted`, `.durabilityUnknown`, `.outOfSpace`,
    /// `.permissionDenied`, `.inputOutput`, `.closed`.
    @discardableResult
    package func backup(
        to path: String, on target: (any FileSystem)? = nil, verifiesAll: Bool = true,
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> BackupReport {
        try requireOpen()
        if target == nil { try requireOutside(path) }
        let consumers = try BackupConsumers(of: log.directory, log.fileSystem)
        let directory = try BackupTarget.open(
            path, target ?? log.fileSystem, store: log.store,
            holder: "backup by process \(ProcessIdentity.current)")
        defer { directory.release() }
        // Making the moment durable made commits visible.
        defer { publication.tell() }
        var backup = try LogBackup(log, to: directory, links: target == nil) {
            past throws(DaybookError) in try isSame(past, control)
        }
        let total = Double(max(1, backup.workBytes(verifiesAll: verifiesAll)))
        var done = 0
        let manifest = try backup.run(verifiesAll: verifiesAll) { bytes throws(DaybookError) in
            try control.check()
            guard isOpen else { throw .interrupted }
            done += bytes
            control.progress(Double(done) / total)
        }
        // The backup counts by now: what fails here is told, and is no failure of it.
        var consumerFailure: DaybookError?
        do throws(DaybookError) {
            try consumers.write(to: path, target ?? log.fileSystem)
        } catch {
            consumerFailure = error
        }
        let snapshot = BackupSnapshots(
            from: snapshotStore,
            to: SnapshotStore(fileSystem: target ?? log.fileSystem, directory: path),
            links: target == nil
        ).update(for: manifest)
        control.progress(1)
        return BackupReport(
            store: log.store, sequence: manifest.durableSequence,
            previousSequence: directory.older?.durableSequence,
            segmentCount: manifest.sealed.count + 1, segments: backup.tally,
            lengthBytes: backup.lengthBytes, snapshotSequence: snapshot,
            consumerFailure: consumerFailure)
    }

    /// Throws `.invalidArgument` for a directory inside this store, by whatever links and dots the
    /// two are named.
    func requireOutside(_ path: String) throws(DaybookError) {
        let source = try log.fileSystem.resolve(log.directory)
        guard try (log.fileSystem.resolve(path) + "/").hasPrefix(source + "/") else { return }
        throw DaybookError(
            .invalidArgument,
            "\(path) lies inside the store that is to be copied. Name a directory outside of it.",
            details: ["path": path])
    }
}
