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
    let directories = Mutex<[(number: UInt32, sparseIndex: [SparseIndexEntry])]>([])
    static let directoryCountMax = 4

    /// The current manifest and the next generation, which skips generations that a failed attempt
    /// may have left on disk.
    struct Catalog {
        var manifest: Manifest
        var nextGeneration: UInt64
        /// Increases with each reserved number, before any manifest records it: a roll and a
        /// compaction never build segments of the same number.
        var nextSegmentNumber: UInt32
        /// Segments that no location points into, although readers may still retain them.
        var replaced: Set<UInt32> = []
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
        return (log, recovery.report)
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
        cache = FrameCache(budgetBytes: options.frameCacheBudgetBytes)
        durability =
            isReadOnly
            ? nil
            : GroupCommit(
                durable: tail.lastSequence, file: try tail.segment.file, onDurable: onDurable)
        files = OpenSegmentFiles(countMax: options.openFileCountMax)
        segments = Mutex(SegmentTable(tail.segment))
        self.tail = Mutex(tail)
        let manifest = directory.manifest
        catalog = Mutex(
            Catalog(
                manifest: manifest, nextGeneration: manifest.generation + 1,
                nextSegmentNumber: manifest.nextSegmentNumber))
        codec = PayloadCodec(transform: transform)
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
    package func segmentNumbers(_ manifest: Manifest) -> [UInt32] {
        let replaced = catalog.withLock { $0.replaced }
        return segments.withLock { $0.numbers.filter { !replaced.contains($0) }.sorted() }
    }

    /// The length of the log on disk, without preallocated space.
    package var lengthBytes: Int { entries.reduce(0) { $0 + $1.length } }

    /// Opens the sealed segments that are not open and checks their lengths. (Their content is
    /// checked when it is read.)
    func openSealedSegments(_ manifest: Manifest) throws(DaybookError) {
        for entry in manifest.sealed where segment(entry.number) == nil {
            let segment = try Segment.open(
                entry.fileName, number: entry.number, store: store, in: directory, fileSystem,
                .read)
            let size = try segment.file.size()
            guard size == entry.length else {
                throw .corruption(
                    segment: entry.number, offset: min(size, entry.length),
                    "it has \(size) bytes but was sealed with \(entry.length)")
            }
            segment.allowClosing(files)
            segments.withLock { $0.add(segment) }
        }
    }

    /// The open segment of that number.
    func segment(_ number: UInt32) -> Segment? { segments.withLock { $0.segment(number) } }

    /// Reserves segment numbers that were never used.
    func reserveSegmentNumbers(_ count: Int) throws(DaybookError) -> UInt32 {
        try catalog.withLock { catalog throws(DaybookError) in
            let first = catalog.nextSegmentNumber
            let next = Int(first) + count
            try Self.checkNumber(UInt32(clamping: next - 1))
            catalog.nextSegmentNumber = UInt32(next)
            return first
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
