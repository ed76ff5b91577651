package import DaybookBytes
import Synchronization

/// The log of one store, with one writer and many readers.
///
/// The caller holds its writer lock during ``append(_:timeMicroseconds:)``. All other calls are
/// allowed on any thread at any time.
package final class Log: Sendable {
    package let directory: String
    package let fileSystem: any FileSystem
    package let store: StoreIdentity
    package let options: LogOptions
    package let isReadOnly: Bool
    /// The identity of this opening, if it writes; see ``Sessions``.
    let session = UInt64.random(in: 0 ... .max)
    /// Whether the manifest contains ``session``.
    let hasBegunSession = Atomic(false)
    /// Group commit; nil in a read-only log.
    package let durability: GroupCommit?
    package let cache: FrameCache

    let manifestFile: ManifestFile
    let lock: (any FileLock)?
    let tail: Mutex<Tail>
    let segments: Mutex<SegmentTable>
    let files: OpenSegmentFiles
    /// The state of a reader that follows a writer. Locked before ``tail``.
    let following = Mutex(Following())
    let codec: PayloadCodec
    let catalog: Mutex<Catalog>
    /// The directories of the sealed segments that were searched last, the newest at the end.
    let directories = Mutex<[(number: UInt64, sparseIndex: [SparseIndexEntry])]>([])
    static let directoryCountMax = 4

    /// The current manifest and the next generation, which skips generations that a failed attempt
    /// may have left on disk.
    struct Catalog {
        var manifest: Manifest
        var nextGeneration: UInt64
        /// Increases with each reserved number, before any manifest records it: a roll and a
        /// compaction never build segments of the same number.
        var nextSegmentNumber: UInt64
        /// Segments that no location points into, although readers may still retain them.
        var replaced: Set<UInt64> = []
    }

    /// Opens the log of `directory`: finds the end of the active segment, repairs the effects of a
    /// crash, and prepares the log for appends.
    ///
    /// - Parameters:
    ///   - resume: a position that is known to be valid (from a snapshot), or nil to check the
    /// active segment from its start.
    ///   - durableClaim: the highest sequence that was synced according to sources outside the log.
    ///   - onDurable: called with each new durable sequence, before writers wake. The log's locks
    /// may be held, so it must not call the log.
    /// - Throws: `.corruption` if durable bytes are missing or changed.
    package static func open(
        _ directory: LogDirectory, transform: (any PayloadTransform)?, options: LogOptions,
        resume: LogPosition?, durableClaim: UInt64,
        onDurable: @escaping @Sendable (UInt64) -> Void
    ) throws(DaybookError) -> (log: Log, report: RecoveryReport) {
        var recovery = LogRecovery(directory: directory, durableClaim: durableClaim, options)
        let tail = try recovery.run(resume: resume)
        let log = try Log(
            recovery.directory, tail: tail, transform: transform, options: options,
            onDurable: onDurable)
        var report = recovery.report
        report.toleratedDamage += log.repairHeaders()
        return (log, report)
    }

    private init(
        _ directory: LogDirectory, tail: Tail, transform: (any PayloadTransform)?,
        options: LogOptions, onDurable: @escaping @Sendable (UInt64) -> Void
    ) throws(DaybookError) {
        self.directory = directory.path
        self.options = options
        fileSystem = directory.fileSystem
        manifestFile = directory.manifestFile
        lock = directory.lock
        isReadOnly = directory.lock == nil
        store = directory.manifest.store
        cache = FrameCache(
            budgetBytes: options.frameCacheBudgetBytes, spareMemory: options.spareMemory)
        durability =
            isReadOnly
            ? nil
            : GroupCommit(
                durable: tail.lastSequence, file: try tail.segment.file,
                observer: options.observer, onDurable: onDurable)
        files = directory.segments?.files ?? OpenSegmentFiles(countMax: options.openFileCountMax)
        segments = Mutex(SegmentTable(tail.segment))
        self.tail = Mutex(tail)
        let manifest = directory.manifest
        catalog = Mutex(
            Catalog(
                manifest: manifest, nextGeneration: manifest.generation + 1,
                nextSegmentNumber: manifest.nextSegmentNumber))
        codec = PayloadCodec(transform: transform)
        if let opened = directory.segments {
            for segment in opened.sealed.values { try add(segment) }
        }
        try openSealedSegments(manifest)
    }

    /// The current manifest.
    package var manifest: Manifest { catalog.withLock { $0.manifest } }

    /// The sequence of the last appended transaction.
    package var lastSequence: UInt64 { tail.withLock { $0.lastSequence } }

    /// The end of the log, after the last frame.
    package var end: LogPosition { tail.withLock { $0.position } }

    /// All segments that locations may point into: the manifest's segments, and the
    /// finished segments of a running compaction.
    package func segmentNumbers(_ manifest: Manifest) -> [UInt64] {
        let replaced = catalog.withLock { $0.replaced }
        return segments.withLock { $0.numbers.filter { !replaced.contains($0) }.sorted() }
    }

    /// The length of the log on disk, without preallocated space.
    package var lengthBytes: Int { entries.reduce(0) { $0 + $1.length } }

    /// Opens the sealed segments that are not open.
    func openSealedSegments(_ manifest: Manifest) throws(DaybookError) {
        for entry in manifest.sealed where segment(entry.number) == nil {
            try add(Segment.openSealed(entry, of: manifest, in: directory, fileSystem, files))
        }
    }

    /// The open segment of that number.
    func segment(_ number: UInt64) -> Segment? { segments.withLock { $0.segment(number) } }

    /// Adds an open segment, whose records locations may point to from then on.
    ///
    /// Throws `.historyTruncated` in a reader that still needs a replaced segment in the same slot:
    /// 2^19 newer segments exist, because slots are used in turn.
    func add(_ segment: Segment) throws(DaybookError) {
        guard addIfSlotIsFree(segment) else {
            throw DaybookError(
                .historyTruncated,
                "Reads of a very old state prevent segment \(segment.number) from being opened."
                    + " End them and refresh the store again.",
                details: ["segment": String(segment.number)])
        }
    }

    /// Adds a segment whose number this log has reserved, so its slot is free.
    func addReserved(_ segment: Segment) {
        let isAdded = addIfSlotIsFree(segment)
        precondition(isAdded, "segment \(segment.number) was not reserved")
    }

    private func addIfSlotIsFree(_ segment: Segment) -> Bool {
        guard segments.withLock({ $0.add(segment) }) else { return false }
        // Before, the slot may have belonged to another segment, whose frames are in the cache.
        if segment.number >= SegmentNumber.slotCount {
            cache.removeFrames(inSlot: SegmentNumber.slot(of: segment.number))
        }
        return true
    }

    /// Sequences and generations cannot run out; slots can, with 2^19 segments in use.
    private static func noFreeSlots(_ count: Int) -> DaybookError {
        DaybookError(
            .outOfSpace,
            "The log has too many segments: there is no room for \(count) more, because at most"
                + " \(SegmentNumber.slotCount - 1) can be in use. Open the store with larger"
                + " segments and compact it, or drop history.",
            details: ["count": String(count)])
    }

    /// Reserves consecutive segment numbers that were never used.
    func reserveSegmentNumbers(_ count: Int) throws(DaybookError) -> Range<UInt64> {
        try catalog.withLock { catalog throws(DaybookError) in
            let free = segments.withLock { segments in
                SegmentNumber.free(count, from: catalog.nextSegmentNumber) { slot in
                    segments.segment(inSlot: slot) != nil
                }
            }
            guard let free else { throw Self.noFreeSlots(count) }
            catalog.nextSegmentNumber = free.upperBound
            return free
        }
    }

    /// Writes and names a new manifest. `change` modifies the current one.
    ///
    /// If it throws, the old manifest stays in force. With `.durabilityUnknown` either manifest may
    /// survive a power failure, and the log accepts no more writes.
    func commitManifest(_ change: (inout Manifest) -> Void) throws(DaybookError) {
        try catalog.withLock { catalog throws(DaybookError) in
            if let failure = durability?.failure { throw failure }
            var next = catalog.manifest
            next.cleanClose = nil
            next.durableSequence = durability?.durableSequence ?? next.durableSequence
            next.nextSegmentNumber = catalog.nextSegmentNumber
            change(&next)
            next.generation = catalog.nextGeneration
            catalog.nextGeneration += 1
            catalog.nextSegmentNumber = max(catalog.nextSegmentNumber, next.nextSegmentNumber)
            do throws(DaybookError) {
                try manifestFile.commit(next)
            } catch  where error.code == .durabilityUnknown {
                durability?.poison(error)
                throw error
            }
            let old = StoreFileName.manifest(generation: catalog.manifest.generation).text
            catalog.manifest = next
            // Errors are ignored: an old manifest that survives is never named again.
            try? fileSystem.remove(directory + "/" + old)
        }
    }
}
