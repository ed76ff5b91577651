package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// The access to a store.
    package enum Access: Sendable {
        /// Exclusive access for writing. Creates the store if there is none.
        case write
        /// Reads only and changes nothing. A writer may have the store open at the same time.
        case read
    }

    /// Opens an existing store for writing. Creates no store, so a mistyped path fails.
    ///
    /// Throws the errors of ``open(_:_:access:options:)``, and `.fileNotFound` or `.notAStore`.
    package static func openExisting(
        _ path: String, _ fileSystem: any FileSystem, options: EngineOptions = EngineOptions()
    ) throws(DaybookError) -> Engine {
        _ = try LogDirectory.openForReading(path, fileSystem)
        return try open(path, fileSystem, access: .write, options: options)
    }

    /// Opens the store at `path`.
    ///
    /// Reads the directory of the newest snapshot and the log after it. Indexes that may be
    /// incomplete are built after opening. If an index needs rows that cannot be read, the report
    /// names them, and opening succeeds. Throws `.locked` after
    /// ``EngineOptions/lockWaitMilliseconds``, `.notAStore`, `.fileNotFound` (for
    /// reading), `.permissionDenied`, `.outOfSpace`, `.formatTooNew` or `.corruption`; nothing is
    /// changed then.
    package static func open(
        _ path: String, _ fileSystem: any FileSystem, access: Access = .write,
        options: EngineOptions = EngineOptions()
    ) throws(DaybookError) -> Engine {
        switch access {
        case .write:
            if options.shipping == nil { try requireNoReplica(path, fileSystem) }
            let directory = try LogDirectory.openForWriting(
                path, fileSystem, holder: "process \(ProcessIdentity.current)",
                lockWaitMilliseconds: options.lockWaitMilliseconds,
                identity: { options.newStoreIdentity ?? .random() },
                timeMicroseconds: UInt64(clamping: WallClock.microsecondsSinceEpoch()))
            do throws(DaybookError) {
                // Again: it may have become a replica while this opening waited for the lock.
                if options.shipping == nil { try requireNoReplica(path, fileSystem) }
                let engine = try open(
                    directory, among: try snapshotNames(path, fileSystem), options)
                engine.pruneSnapshotsLeftBehind()
                engine.writeSnapshotIfReplayedMuch()
                engine.startTimers()
                return engine
            } catch {
                directory.lock?.release()
                throw error
            }
        case .read:
            return try openForReading(path, fileSystem, options)
        }
    }

    /// Starts again if a writer replaced the manifest in the meantime: files of replaced segments
    /// may have been closed, because too many are open.
    private static func openForReading(
        _ path: String, _ fileSystem: any FileSystem, _ options: EngineOptions
    ) throws(DaybookError) -> Engine {
        var attemptsLeft = 10
        while true {
            // The names precede the manifest, so the manifest's log contains all their commits.
            let names = try snapshotNames(path, fileSystem)
            let directory = try LogDirectory.openForReading(path, fileSystem, options.log)
            do throws(DaybookError) {
                let engine = try open(directory, among: names, options)
                engine.startTimers()
                return engine
            } catch {
                attemptsLeft -= 1
                let now = try LogDirectory.openForReading(path, fileSystem)
                let isStale = now.manifest.generation != directory.manifest.generation
                guard isStale, attemptsLeft > 0 else { throw error }
            }
        }
    }

    /// The names of the snapshots of a store. Throws the errors of an opening if there is no store.
    private static func snapshotNames(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) -> [String] {
        do throws(DaybookError) {
            return try SnapshotStore(fileSystem: fileSystem, directory: path).names()
        } catch {
            _ = try LogDirectory.openForReading(path, fileSystem)
            throw error
        }
    }

    private static func open(
        _ directory: LogDirectory, among snapshotNames: [String], _ options: EngineOptions
    ) throws(DaybookError) -> Engine {
        let events = EventDelivery(options.observers, options.slowLimits)
        var report = OpeningReport()
        report.isNew = directory.isNew
        let snapshotStore = SnapshotStore(
            fileSystem: directory.fileSystem, directory: directory.path)
        var search = SnapshotSearch(
            snapshotStore, for: directory.manifest, among: snapshotNames)
        let newest = try search.next()

        let slot = PageSpaceSlot(PageSpace())
        let publication = Publication(
            slot, waitsForSync: options.durability == .always,
            waitsForShipping: options.shipping?.isAwaited ?? false)
        let schemas = SchemaTable(Schema())
        let (log, recovery) = try Log.open(
            directory, transform: SchemaTransposition(schemas),
            options: options.logOptions(observedBy: events), resume: newest?.metadata.position,
            durableClaim: search.durableClaim,
            onDurable: { publication.becameDurable($0) })
        report.recovery = recovery

        let loaded = try loadIndexes(
            log, newest, &search, &report, leavesBuilding: options.isMaintenanceAutomatic)
        report.rejectedSnapshots = search.rejected
        try schemas.add(loaded.replay.schema.layouts)
        slot.replace(with: loaded.space)
        publication.begin(at: loaded.replay.applied.sequence)
        report.incompleteIndexes = schemas.unreadIndexes(loaded.replay.applied)
        return Engine(
            log: log, slot: slot, schemas: schemas, loaded: loaded, publication: publication,
            options: options, report: report, events: events)
    }

    /// Loads the indexes from the newest valid snapshot and the log after it, or from the log
    /// alone.
    private static func loadIndexes(
        _ log: Log, _ newest: SnapshotStore.Candidate?, _ search: inout SnapshotSearch,
        _ report: inout OpeningReport, leavesBuilding: Bool
    ) throws(DaybookError) -> LoadedIndexes {
        var next = newest
        while let candidate = next {
            do throws(DaybookError) {
                let space = candidate.space
                let applied = try space.withPinned { reader throws(DaybookError) in
                    try AppliedState(resuming: reader)
                }
                var stamp = candidate.stamp
                var replay = Replay(
                    schema: candidate.metadata.schema, applied: applied,
                    lastTimeMicroseconds: candidate.metadata.lastTimeMicroseconds)
                replay.leavesBuilding = leavesBuilding
                let position = candidate.metadata.position
                try replay.run(
                    log, from: try log.scanStart(position), after: position.sequence, into: space,
                    stamp: &stamp)
                report.snapshotSequence = position.sequence
                report.snapshotName = candidate.name
                report.replayedChangeCount = replay.changeCount
                return LoadedIndexes(
                    replay: replay, space: space, stamp: stamp,
                    indexBytes: candidate.indexBytes)
            } catch  where error.isDamagedSnapshot {
                search.reject(candidate, error)
                next = try search.next()
            }
        }
        let space = PageSpace()
        var stamp: UInt64 = 0
        var replay = Replay(schema: Schema())
        try replay.run(log, from: nil, after: 0, into: space, stamp: &stamp)
        report.replayedChangeCount = replay.changeCount
        return LoadedIndexes(replay: replay, space: space, stamp: stamp, indexBytes: 0)
    }
}

/// The indexes that an opening loaded.
struct LoadedIndexes {
    var replay: Replay
    var space: PageSpace
    /// The number of the trees' state.
    var stamp: UInt64
    /// The length of all groups of pages in the snapshot; 0 without one.
    var indexBytes: Int
}
