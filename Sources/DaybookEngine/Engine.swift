package import DaybookBytes
import DaybookRecords
package import DaybookLog
import DaybookPages
import Dispatch
import Synchronization

/// One open store.
package final class Engine: Sendable {
    package let log: Log
    package let options: EngineOptions
    /// What opening found and did.
    package let openReport: OpeningReport

    /// The page trees in use; replaced as a whole where they have to be built anew.
    let slot: PageSpaceSlot
    package let schemas: SchemaTable
    package let publication: Publication
    /// Held by whoever writes, for a whole transaction.
    let writer = Mutex(())
    /// What the holder of ``writer`` changes. Its lock is held for a moment, and while trees are
    /// built anew.
    let trees: Mutex<TreeState>
    /// Held by whoever writes or removes snapshots; taken before ``writer``.
    let snapshots = Mutex(())
    /// The newest version, replayed from the log for readers that met a damaged snapshot page
    /// while a writer was running; nil once the indexes are rebuilt.
    let standIn = Mutex<ReadView?>(nil)
    let lifecycle = Mutex(Lifecycle.open)
    /// Held by a compaction: two at once would put the same segments in their place twice.
    let compaction = Mutex(())
    let timers = Mutex<[TimerBox]>([])
    /// Who hears of indexes that are built.
    let indexListener = Mutex<(@Sendable (IndexProgress) -> Void)?>(nil)
    /// Snapshots and compactions, one at a time, beside the writers.
    let maintenance = DispatchQueue(label: "daybook.maintenance", qos: .utility)
    /// Syncs at intervals, which must not wait for maintenance.
    let intervalSyncs = DispatchQueue(label: "daybook.interval", qos: .userInitiated)
    /// Where `async` writers run, one after another.
    let asyncWriters = DispatchQueue(label: "daybook.writers")
    /// Where `async` readers run.
    let asyncReaders = DispatchQueue(label: "daybook.readers", attributes: .concurrent)
    /// Where syncs run that an `async` writer has to lead.
    let asyncSyncs = DispatchQueue(label: "daybook.syncs", attributes: .concurrent)

    /// Marks the maintenance queue, which must not wait for itself.
    static let maintenanceKey = DispatchSpecificKey<Bool>()

    enum Lifecycle {
        case open, closed
    }

    init(
        log: Log, slot: PageSpaceSlot, schemas: SchemaTable, replay: Replay, stamp: UInt64,
        publication: Publication, options: EngineOptions, report: OpeningReport
    ) {
        self.log = log
        self.slot = slot
        self.publication = publication
        self.options = options
        openReport = report
        self.schemas = schemas
        trees = Mutex(
            TreeState(
                applied: replay.applied, stamp: stamp,
                lastTimeMicroseconds: replay.lastTimeMicroseconds,
                changesSinceSnapshot: replay.changeCount, position: log.end))
        maintenance.setSpecific(key: Self.maintenanceKey, value: true)
    }

    deinit {
        // A store that was let go without a close still ends in good order where it can.
        try? close()
    }

    /// Tells how far commits are durable and visible.
    package var commitSignal: CommitSignal { publication.signal }

    /// The last sequence that readers see.
    package var visibleSequence: UInt64 {
        get throws { try read { try $0.sequence } }
    }

    /// Throws `.closed` after ``close()``.
    package func requireOpen() throws(DaybookError) {
        guard lifecycle.withLock({ $0 == .open }) else {
            throw DaybookError(.closed, "The store was closed. Open it again to use it.")
        }
    }
}

/// Segments that no version from `stamp` on points into.
struct ReplacedSegments {
    var stamp: UInt64
    var numbers: [UInt32]
    /// Trees that were replaced as a whole, whose readers may still need the segments.
    var abandoned: PageSpace?

    /// Whether nobody reads in them any more; `oldest` is the oldest version that is read.
    func isDue(oldest: UInt64) -> Bool {
        stamp <= oldest && abandoned?.isRead != true
    }
}

/// Where the trees stand; changed by the holder of the writer lock alone.
struct TreeState {
    var applied: AppliedState
    /// The number of the last state of the trees; rises with each change, a relocation included.
    var stamp: UInt64
    /// When the last transaction was committed; none is dated before it, however clocks are set.
    var lastTimeMicroseconds: UInt64
    /// The next id of each entity in this process: also an id that a transaction gave out and
    /// rolled back is not given to another object, for the caller may still hold it.
    var nextIds: [UInt32: UInt64] = [:]
    var changesSinceSnapshot: Int
    var bytesSinceSnapshot = 0
    /// The end of what was replayed.
    var position: LogPosition
    var lastSnapshotBytes = 0
    /// Segments that compaction replaced and readers of older versions may still need.
    var replaced: [ReplacedSegments] = []
    /// Whether a reader's trees do not follow from the log any more and have to be built anew.
    var isOutdated = false
    var isMaintenanceScheduled = false
    var maintenanceFailure: DaybookError?
}
