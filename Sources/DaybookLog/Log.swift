package import DaybookBytes
import Synchronization

/// The log of one store: appended by one writer, read by many.
///
/// The caller holds its writer lock around ``append(_:timeMicroseconds:)``; everything else may be
/// called from any thread at any time.
package final class Log: Sendable {
    package let directory: String
    package let fileSystem: any FileSystem
    package let store: StoreIdentity
    package let options: LogOptions
    package let isReadOnly: Bool
    /// Shared syncs; nil in a read-only log.
    package let durability: GroupCommit?
    package let cache: FrameCache

    let manifestFile: ManifestFile
    let lock: (any FileLock)?
    let tail: Mutex<Tail>
    let segments: Mutex<SegmentTable>
    /// What a read-only log knows of its writer; taken before ``tail``.
    let following = Mutex(Following())
    let codec: PayloadCodec
    let catalog: Mutex<Catalog>

    /// The manifest that counts, and the generation to write next: never one that a failed attempt
    /// may have left on disk.
    struct Catalog {
        var manifest: Manifest
        var nextGeneration: UInt64
        /// Rises whenever a number is given out, before any manifest says so: a roll and a
        /// compaction never build segments of the same number.
        var nextSegmentNumber: UInt32
        /// Segments that no location points into any more, though readers may still hold them.
        var replaced: Set<UInt32> = []
    }

    /// Opens the log of `directory`: finds the end of the active segment, mends what a crash left,
    /// and makes it ready for appends.
    ///
    /// - Parameters:
    ///   - resume: a place that is known to be good (a snapshot's), or nil to check the active
    ///     segment from its beginning.
    ///   - durableClaim: the highest sequence that anything outside the log says was synced.
    ///   - onDurable: hears of each rise of the durable sequence, before writers wake. It may be
    ///     called with the log's locks held, so it must not call the log.
    /// - Throws: `.corruption` where bytes that were durable are gone or changed.
    package static func open(
        _ directory: LogDirectory, transform: (any PayloadTransform)?, options: LogOptions,
        resume: LogPosition?, durableClaim: UInt64,
        onDurable: @escaping @Sendable (UInt64) -> Void
    ) throws(DaybookError) -> (log: Log, report: RecoveryReport) {
        var recovery = LogRecovery(directory: directory, durableClaim: durableClaim)
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
                durable: tail.lastSequence, segment: tail.segment, onDurable: onDurable)
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

    /// The manifest that counts now.
    package var manifest: Manifest { catalog.withLock { $0.manifest } }

    /// The last transaction that was appended.
    package var lastSequence: UInt64 { tail.withLock { $0.lastSequence } }

    /// The end of the log: behind the last frame.
    package var end: LogPosition { tail.withLock { $0.position } }

    /// All segments that locations may point into: those of the manifest and those that a running
    /// compaction has finished.
    package func segmentNumbers(_ manifest: Manifest) -> [UInt32] {
        let replaced = catalog.withLock { $0.replaced }
        return segments.withLock { $0.numbers.filter { !replaced.contains($0) }.sorted() }
    }

    /// Bytes of the log on disk, the size that was set ahead not counted.
    package var lengthBytes: Int { entries.reduce(0) { $0 + $1.length } }

    /// Opens the sealed segments that are not open yet, and checks that each is as long as the
    /// manifest says. (Their content is checked frame by frame as it is read.)
    func openSealedSegments(_ manifest: Manifest) throws(DaybookError) {
        for entry in manifest.sealed where segment(entry.number) == nil {
            let segment = try Segment.open(
                entry.fileName, number: entry.number, store: store, in: directory, fileSystem,
                .read)
            let size = try segment.file.size()
            guard size == entry.length || (entry.sealOffset == 0 && size > entry.length) else {
                throw .corruption(
                    segment: entry.number, offset: min(size, entry.length),
                    "it has \(size) bytes and was sealed with \(entry.length)")
            }
            segments.withLock { $0.add(segment) }
        }
    }

    /// The open segment of that number.
    func segment(_ number: UInt32) -> Segment? { segments.withLock { $0.segment(number) } }

    /// Gives out segment numbers that nobody had before.
    func reserveSegmentNumbers(_ count: Int) throws(DaybookError) -> UInt32 {
        try catalog.withLock { catalog throws(DaybookError) in
            let first = catalog.nextSegmentNumber
            let next = Int(first) + count
            try Self.checkNumber(UInt32(clamping: next - 1))
            catalog.nextSegmentNumber = UInt32(next)
            return first
        }
    }

    /// Writes and names a new manifest. `change` sees the current one.
    ///
    /// Throws with the old manifest in force, or `.durabilityUnknown` where it is unknown which one
    /// a power cut would leave; then nothing is written any more.
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
            // Only tidiness: an old manifest that comes back after a crash is never named again.
            try? fileSystem.remove(directory + "/" + old)
        }
    }
}
