package import DaybookBytes
package import DaybookRecords
import DaybookLog
package import DaybookPages
import Synchronization

/// One version of the store, pinned for the lifetime of this object. A pinned version costs memory
/// in proportion to the later changes; other pages may be evicted and read again. It blocks no
/// writer and no other reader.
package final class ReadView: Sendable, RebuildableTrees {
    private let pin: VersionPin
    let log: Log
    /// The segments that a version with its own trees reads. The engine's pins do not retain them.
    private let segments: [Segment]
    /// The indexes of the version; nil for the indexes of its own schema.
    private let indexes: PastIndexes?
    /// The same version replayed from the log, after a page of the snapshot proved to be damaged.
    private let mended = Mutex<Mended?>(nil)

    private struct Mended {
        var pin: PagePin
        var segments: [Segment]
    }

    /// - Parameter segments: the segments of a replay that the engine does not know.
    init(
        _ pin: VersionPin, _ log: Log, holding segments: [Segment] = [], indexes: PastIndexes? = nil
    ) {
        self.pin = pin
        self.log = log
        self.segments = segments
        self.indexes = indexes
    }

    /// The last commit that this view contains.
    package var sequence: UInt64 {
        get throws(DaybookError) { try pin.withReader(Self.sequence) }
    }

    /// Opening reads the whole tree of entities, which is never evicted, so none of its pages can
    /// prove damaged later.
    private static func sequence(_ reader: PageReader) throws(DaybookError) -> UInt64 {
        try reader.get(IndexTree.entities, 0)?.first ?? 0
    }

    package func withTrees<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        try pin.withReader(body)
    }

    package func hold() -> HeldTrees { HeldTrees(pin.hold()) }

    /// The cache of data derived from the pages; nil for a past version in trees of its own, which
    /// is rarely read twice.
    var notes: DerivedPageCache? { segments.isEmpty ? pin.notes : nil }

    /// The vectors in memory of its vector indexes.
    var vectors: VectorMemories { pin.vectors }

    /// The size limit of that cache.
    var noteBudgetBytes: Int { Engine.noteBudgetBytes(log.cache) }

    /// The same version replayed from the log.
    package func rebuiltTrees() throws(DaybookError) -> PageReader { try mend().reader }

    /// The result of ``rebuiltTrees()`` if it was called before.
    var treesRebuiltSoFar: PageReader? { mended.withLock { $0?.pin.reader } }

    private func mend() throws(DaybookError) -> PagePin {
        try mended.withLock { mended throws(DaybookError) in
            if let mended { return mended.pin }
            let last = try sequence
            guard last >= log.manifest.historyFloor else { throw Self.beyondMending }
            let space = PageSpace()
            var stamp: UInt64 = 0
            var replay = Replay(schema: Schema())
            let scanner = try log.scan(from: nil)
            replay.keepsIndexes = indexes == nil
            try replay.run(scanner, of: log, after: 0, until: last, into: space, stamp: &stamp)
            if let indexes {
                // A query that already chose an index must find it here.
                try replay.buildIndexes(indexes, log, in: space, stamp: &stamp)
            }
            let pin = space.pin()
            mended = Mended(pin: pin, segments: scanner.segments)
            return pin
        }
    }

    private static var beyondMending: DaybookError {
        DaybookError(
            .historyTruncated,
            "A snapshot is damaged, and a compaction has dropped the history of this read"
                + " transaction's version. Begin the read again.")
    }

    /// The object's row, or nil. Cost: a tree lookup, and a frame from the cache or the disk.
    package func row(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> StoredRow? {
        try reading { reader throws(DaybookError) in
            guard let entry = try reader.object(entity, id) else { return nil }
            return try StoredRow(entry, entity: entity, id: id, in: log)
        }
    }

    /// Whether an object exists. Cost: a tree lookup.
    package func contains(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        try reading { reader throws(DaybookError) in try reader.object(entity, id) != nil }
    }

    /// The number of objects. Cost: O(1).
    package func count(_ entity: UInt32) throws(DaybookError) -> Int {
        try reading { reader throws(DaybookError) in try reader.objectCount(entity) }
    }

    /// Scans the objects, ordered by id.
    package func scan(_ entity: UInt32) -> RowScan { RowScan(self, entity) }

    /// The rows of objects, in the order of `ids`, without missing objects.
    ///
    /// Looks up all entries before the first frame, and all records before the first row is read.
    /// The processor then loads the memory of many objects in parallel.
    package func rows(_ entity: UInt32, _ ids: [UInt64]) throws(DaybookError) -> [StoredRow] {
        var visit = RowVisit(log, entity)
        var entries: [WordEntry] = []
        var rows: [StoredRow] = []
        rows.reserveCapacity(ids.count)
        for start in stride(from: 0, to: ids.count, by: 4096) {
            let some = ids[start..<min(start + 4096, ids.count)]
            try lookUp(entity, some, into: &entries)
            try visit.append(entries, to: &rows)
        }
        return rows
    }

    /// The rows of up to `limit` objects, ordered by id, starting at `id`.
    package func rows(
        _ entity: UInt32, from id: UInt64, limit: Int
    ) throws(DaybookError) -> [StoredRow] {
        var scan = RowScan(self, entity, from: id)
        var rows: [StoredRow] = []
        while rows.count < limit, let row = try scan.next() { rows.append(row) }
        return rows
    }
}

extension PageReader {
    /// The entry of an object; nil if it does not exist.
    package func object(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> ObjectEntry? {
        guard let value = try get(IndexTree.objects(of: entity), id) else { return nil }
        let entry = ObjectEntry(value)
        return entry.isRemoved ? nil : entry
    }

    /// The number of objects of an entity. Cost: one lookup.
    package func objectCount(_ entity: UInt32) throws(DaybookError) -> Int {
        Int(clamping: try get(IndexTree.entities, UInt64(entity))?.second ?? 0)
    }
}
