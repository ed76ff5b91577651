package import DaybookBytes
import DaybookRecords
package import DaybookLog
import DaybookPages
import Dispatch
import Synchronization

/// An open store.
package final class Engine: Sendable {
    package let log: Log
    package let options: EngineOptions
    /// The report of opening.
    package let openReport: OpeningReport
    /// Delivers events; nil without observers.
    package let events: EventDelivery?

    /// The current page trees. A rebuild replaces them as a whole.
    let slot: PageSpaceSlot
    package let schemas: SchemaTable
    package let publication: Publication
    /// Held by the writer for a whole transaction.
    let writer = Mutex(())
    /// The state that the holder of ``writer`` changes. The lock is held briefly, or while trees
    /// are rebuilt.
    let trees: Mutex<TreeState>
    /// Held while snapshots are written or removed; taken before ``writer``.
    let snapshots = Mutex(())
    /// The newest version, replayed from the log for readers that met a damaged snapshot page
    /// while a writer was running; nil once the indexes are rebuilt.
    let standIn = Mutex<ReadView?>(nil)
    /// The commit records that lookups of versions read last.
    let commitRecords = CommitRecordCache()
    /// The past versions that were used last, and the sequence after which they are dropped.
    let pastVersions = Mutex(PastVersions())
    let pastVersionsEnd = Atomic<UInt64>(.max)
    /// What authors can undo and redo.
    let lastCommits = LastCommits()
    let ids = IdAllocator()
    /// The writes that no caller waits for.
    let writeQueue = WriteQueue()
    let lifecycle = Mutex(Lifecycle.open)
    /// Held by a compaction: two concurrent compactions would replace the same segments twice.
    let compaction = Mutex(())
    let timers = Mutex<[TimerBox]>([])
    /// Called with the progress of index builds.
    let indexListener = Mutex<(@Sendable (IndexProgress) -> Void)?>(nil)
    /// Runs snapshots and compactions, one at a time, concurrently with writers.
    let maintenance = DispatchQueue(label: "daybook.maintenance", qos: .utility)
    /// Runs syncs at intervals, which must not wait for maintenance.
    let intervalSyncs = DispatchQueue(label: "daybook.interval", qos: .userInitiated)
    /// Evicts index pages; it waits for writers, but not for maintenance.
    let evictions = DispatchQueue(label: "daybook.evictions", qos: .utility)
    let isEvictionScheduled = Atomic(false)
    /// Runs `async` writers, one after another.
    let asyncWriters = DispatchQueue(label: "daybook.writers")
    /// Runs `async` readers.
    let asyncReaders = DispatchQueue(label: "daybook.readers", attributes: .concurrent)
    /// Runs the syncs that an `async` writer leads.
    let asyncSyncs = DispatchQueue(label: "daybook.syncs", attributes: .concurrent)

    /// Identifies the maintenance queue, which must not wait for itself.
    static let maintenanceKey = DispatchSpecificKey<Bool>()

    enum Lifecycle {
        case open, closed
    }

    init(
        log: Log, slot: PageSpaceSlot, schemas: SchemaTable, loaded: LoadedIndexes,
        publication: Publication, options: EngineOptions, report: OpeningReport,
        events: EventDelivery?
    ) {
        self.log = log
        self.slot = slot
        self.publication = publication
        self.options = options
        openReport = report
        self.events = events
        self.schemas = schemas
        trees = Mutex(
            TreeState(
                applied: loaded.replay.applied, stamp: loaded.stamp,
                lastTimeMicroseconds: loaded.replay.lastTimeMicroseconds,
                changesSinceSnapshot: loaded.replay.changeCount,
                bytesSinceSnapshot: loaded.replay.byteCount, position: log.end,
                indexBytes: loaded.indexBytes))
        maintenance.setSpecific(key: Self.maintenanceKey, value: true)
        limitMemory(of: slot.current)
    }

    deinit {
        // A store that is released without `close()` still closes cleanly if it can.
        try? closeLog()
    }

    /// Signals how far commits are durable and visible.
    package var commitSignal: CommitSignal { publication.signal }

    /// Notifies of visible commits, which may not be durable yet.
    package var visibleCommitSignal: CommitSignal { publication.visibleSignal }

    /// The bytes that this process has written to the store since the opening.
    package var writtenBytes: WrittenBytes { trees.withLock { $0.written } }

    /// The sequence of the newest visible commit.
    package var visibleSequence: UInt64 {
        get throws { try read { try $0.sequence } }
    }

    /// Throws `.closed` after ``close()``.
    package func requireOpen() throws(DaybookError) {
        guard lifecycle.withLock({ $0 == .open }) else {
            throw DaybookError(
                .closed,
                "The store was closed, or its last reference was released. Open it again, and keep"
                    + " a reference as long as you use its boxes and objects.")
        }
    }
}

/// Segments that no version from `stamp` on references.
struct ReplacedSegments {
    var stamp: UInt64
    var numbers: [UInt64]
    /// Trees that were replaced as a whole; their readers may still need the segments.
    var abandoned: PageSpace?

    /// Whether no reader needs the segments any more. `oldest` is the oldest version in use.
    func isDue(oldest: UInt64) -> Bool {
        stamp <= oldest && abandoned?.isRead != true
    }
}

/// The state of the trees. Only the holder of the writer lock changes it.
struct TreeState {
    var applied: AppliedState
    /// The number of the trees' last state. Every change increases it, including a relocation.
    var stamp: UInt64
    /// The time of the last commit. No later commit gets an earlier time, however clocks are set.
    var lastTimeMicroseconds: UInt64
    var changesSinceSnapshot: Int
    var bytesSinceSnapshot = 0
    /// The end of the replayed log.
    var position: LogPosition
    /// The length of all groups of pages in the last snapshot.
    var indexBytes = 0
    /// The length of the pages that the last snapshot of this process wrote, without copied ones.
    var lastSnapshotBytes = 0
    /// The bytes that this process has written since the opening.
    var written = WrittenBytes()
    /// The floor of the last automatic compaction for ``EngineOptions/retention``.
    var retainedSequence: UInt64 = 0
    /// Segments that compaction replaced and readers of older versions may still need.
    var replaced: [ReplacedSegments] = []
    /// Whether the trees of a read-only store no longer match the log and need a rebuild.
    var isOutdated = false
    var isMaintenanceScheduled = false
    /// Whether a task will look whether the store is idle.
    var isIdleCheckScheduled = false
    /// The length of the raw frames that the last task could not compress; 0 without an error.
    var rawBytesOfFailedCompression = 0
    var maintenanceFailure: DaybookError?
    /// Whether the background waits for an opening or a call to try an erasure again, because a
    /// segment is damaged.
    var isErasureStopped = false
    /// The error of the last removal of expired objects, if it failed.
    var removalFailure: DaybookError?
    /// Segments that a compaction could not read, with the errors. The background does not try them
    /// again until the store is opened again.
    var unreadableSegments: [UInt64: DaybookError] = [:]
}
