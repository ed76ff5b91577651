package import DaybookBytes
import DaybookLog

extension Engine {
    /// Copies the current state of the store to another directory while writers, snapshots and
    /// compactions continue. The next backup to that directory adds only new data.
    ///
    /// Sealed segments are linked if the file system supports it, otherwise copied once; the active
    /// segment is copied. The positions of named consumers are included. Every file of the log is
    /// read back before the backup is valid; without `verifiesAll`, only new files are read back.
    /// Damaged files of an older backup are replaced. The older backup stays valid until the new
    /// one is, and remains if this method throws or the process ends. The copy can be opened for
    /// reading, at the sequence in the report.
    ///
    /// `target` is the file system of the directory if it is not that of the store. Cost: two reads
    /// and one write of the new data that is not linked, and one read of everything else.
    ///
    /// Throws `.backupInvalid` for a directory that cannot contain a backup of this store, or
    /// contains a backup with a different history; `.locked` while another backup to the directory
    /// runs; `.invalidArgument` for a directory inside this store; `.corruption` for a damaged
    /// store; `.interrupted`, `.durabilityUnknown`, `.outOfSpace`, `.permissionDenied`,
    /// `.inputOutput` and `.closed`.
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
        // The backup makes commits durable, so they become visible.
        defer { publication.tell() }
        var backup = try LogBackup(log, to: directory, links: target == nil)
        let total = Double(max(1, backup.workBytes(verifiesAll: verifiesAll)))
        var done = 0
        let manifest = try backup.run(verifiesAll: verifiesAll) { bytes throws(DaybookError) in
            try control.check()
            guard isOpen else { throw .interrupted }
            done += bytes
            control.progress(Double(done) / total)
        }
        // The backup is valid now, so an error here is only reported.
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

    /// Throws `.invalidArgument` for a directory inside this store. Resolves links and dots in both
    /// paths.
    func requireOutside(_ path: String) throws(DaybookError) {
        let source = try log.fileSystem.resolve(log.directory)
        guard try (log.fileSystem.resolve(path) + "/").hasPrefix(source + "/") else { return }
        throw DaybookError(
            .invalidArgument,
            "\(path) is inside the store to be copied. Use a directory outside the store.",
            details: ["path": path])
    }
}
