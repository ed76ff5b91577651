import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Passes the rows of index entries to a closure, without copying, and adjacent rows together.
///
/// Rows that were written together share a frame, which is looked up once for the run. If the
/// objects were written at random, so that adjacent entries have different frames, each frame is
/// looked up once for all entries of a call.
struct RowVisit {
    typealias Body = (borrowing RowBatch) throws -> Bool

    private let log: Log
    private let finder: RowFinder
    /// The frame of the last run.
    private var frame: InflatedFrame?
    private var frameKey = UInt64.max
    private var groups = FrameGroups()
    private var scratch: [WordEntry] = []
    /// The rows to pass next.
    private var places: [RowBatch.Place] = []
    /// The distance, in records, at which a record is prefetched: so many are read during one
    /// access to memory.
    private static let touchedAhead = 8
    /// Collects prefetched bytes, so that the compiler keeps the reads.
    private var touched: UInt8 = 0
    /// The maximum number of bytes of frames to hold at once; held frames may have left the cache,
    /// so they come in addition to its budget.
    private let heldBytesMax: Int
    /// Whether the last entries were scattered over frames.
    private(set) var isScattered = false

    init(_ log: Log, _ entity: UInt32) {
        self.log = log
        finder = RowFinder(entity)
        heldBytesMax = min(max(16 << 20, log.cache.budgetBytes / 2), 128 << 20)
    }

    /// Passes the rows of the first `count` entries, except removed ones, in their order if
    /// `inOrder` is true. Returns false if `body` does. If `inOrder` is false, may reorder the
    /// entries.
    mutating func give(
        _ entries: inout [WordEntry], count: Int, inOrder: Bool, _ body: Body
    ) throws -> Bool {
        isScattered = FrameGroups.areScattered(entries, count: count)
        guard isScattered else { return try giveRuns(entries, 0..<count, body) }
        groups.gather(entries, count: count)
        guard inOrder else {
            groups.sort(&entries, through: &scratch)
            return try giveRuns(entries, 0..<count, body)
        }
        return try giveGroups(entries, count, body)
    }

    /// Passes the rows of entries in their order, and looks up a frame for each run of rows.
    mutating func giveRuns(
        _ entries: [WordEntry], _ range: Range<Int>, _ body: Body
    ) throws -> Bool {
        let entries = entries.span.extracting(range)
        var index = 0
        while index < entries.count {
            let entry = ObjectEntry(entries[index].value)
            if entry.isRemoved {
                index += 1
                continue
            }
            let location = Location(rawValue: entry.location)
            if frameKey != location.frameKey || frame == nil {
                let length = Self.runLength(entries, index)
                switch try log.frame(at: location, recordCount: length) {
                case .inflated(let found):
                    frame = found
                    frameKey = location.frameKey
                case .packed(let records):
                    let end = index + length
                    guard try giveRecords(entries, index..<end, .packed(records), body) else {
                        return false
                    }
                    index = end
                    continue
                }
            }
            guard let frame else { return true }
            if isScattered { touchRun(entries, index, frame.bytes.span, location.frameKey) }
            guard
                let next = try giveRun(entries, index, frame.bytes.span, location.frameKey, body)
            else { return false }
            index = next
        }
        return true
    }

    /// The number of entries from `start` on whose rows are in the same frame; at most
    /// ``runLengthMax``.
    private static func runLength(_ entries: Span<WordEntry>, _ start: Int) -> Int {
        let key = Location(rawValue: ObjectEntry(entries[start].value).location).frameKey
        var end = start + 1
        while end < min(entries.count, start + runLengthMax) {
            let entry = ObjectEntry(entries[end].value)
            guard Location(rawValue: entry.location).frameKey == key else { break }
            end += 1
        }
        return end - start
    }

    /// More rows of one frame are decoded together.
    private static let runLengthMax = 64

    /// Passes the rows of entries in one frame, one after another.
    private func giveRecords(
        _ entries: Span<WordEntry>, _ range: Range<Int>, _ frame: CachedFrame, _ body: Body
    ) throws -> Bool {
        for index in range {
            let entry = ObjectEntry(entries[index].value)
            if entry.isRemoved { continue }
            guard try giveRecord(entry, entries[index].key, frame, body) else { return false }
        }
        return true
    }

    /// Passes one row.
    private func giveRecord(
        _ entry: ObjectEntry, _ id: UInt64, _ frame: CachedFrame, _ body: Body
    ) throws -> Bool {
        let location = Location(rawValue: entry.location)
        let (payload, offset) = try frame.record(at: location.recordOffset)
        let place = try Self.find(id, location, at: offset, in: payload.span, finder)
        let alone = CollectionOfOne(RowBatch.Place(place.start..<place.end, id))
        return try body(RowBatch(payload.span, alone.span, layout: place.layout))
    }

    /// Passes the rows of entries in one payload. Returns the index of the first entry in another
    /// payload, or nil if `body` returns false.
    private mutating func giveRun(
        _ entries: Span<WordEntry>, _ start: Int, _ payload: Span<UInt8>, _ key: UInt64,
        _ body: Body
    ) throws -> Int? {
        var index = start
        while index < entries.count {
            let gathered = gather(entries, index, payload, key)
            if gathered.count > 0 {
                let places = places.span.extracting(first: gathered.count)
                guard try body(RowBatch(payload, places, layout: gathered.layout)) else {
                    return nil
                }
            }
            // Thrown after the rows before the error were passed.
            if let failure = gathered.failure { throw failure }
            index = gathered.next
            if gathered.isAtEnd { break }
        }
        return index
    }

    /// The collected rows and the reason for their end.
    private struct Gathered {
        var count = 0
        var layout: UInt32 = 0
        /// The index of the first entry that was not collected.
        var next: Int
        /// Whether that entry is in another payload.
        var isAtEnd = false
        var failure: DaybookError?
    }

    /// Collects the rows of entries in one payload, as long as they have the same layout.
    private mutating func gather(
        _ entries: Span<WordEntry>, _ start: Int, _ payload: Span<UInt8>, _ key: UInt64
    ) -> Gathered {
        var gathered = Gathered(next: start)
        while places.count < entries.count { places.append(RowBatch.Place()) }
        let finder = finder
        var touched = touched
        defer { self.touched = touched }
        var places = places.mutableSpan
        while gathered.next < entries.count {
            let entry = entries[gathered.next]
            let ahead = gathered.next &+ Self.touchedAhead
            if ahead < entries.count {
                let location = Location(rawValue: ObjectEntry(entries[ahead].value).location)
                touched &+= Self.touch(location, payload)
            }
            let object = ObjectEntry(entry.value)
            if !object.isRemoved {
                let location = Location(rawValue: object.location)
                guard location.frameKey == key else {
                    gathered.isAtEnd = true
                    return gathered
                }
                do throws(DaybookError) {
                    let place = try Self.find(
                        entry.key, location, at: location.recordOffset, in: payload, finder)
                    if place.layout != gathered.layout {
                        guard gathered.count == 0 else { return gathered }
                        gathered.layout = place.layout
                    }
                    places[gathered.count] = RowBatch.Place(place.start..<place.end, entry.key)
                    gathered.count &+= 1
                } catch {
                    gathered.failure = error
                    return gathered
                }
            }
            gathered.next &+= 1
        }
        return gathered
    }

    @inline(__always)
    private static func find(
        _ id: UInt64, _ location: Location, at offset: Int, in payload: Span<UInt8>,
        _ finder: RowFinder
    ) throws(DaybookError) -> RowFinder.Place {
        guard let place = try finder.find(id, at: offset, in: payload) else {
            throw StoredRow.misplaced(finder.entity, id, location)
        }
        return place
    }

    /// Passes the rows of entries in their order, after all their frames were looked up: the
    /// processor then loads the memory of many records in parallel, not one after another.
    private mutating func giveGroups(
        _ entries: [WordEntry], _ count: Int, _ body: Body
    ) throws -> Bool {
        var start = 0
        while start < count {
            var frames = [CachedFrame?](repeating: nil, count: groups.count)
            let end = try hold(&frames, entries, start..<count)
            for index in start..<end {
                let entry = ObjectEntry(entries[index].value)
                guard !entry.isRemoved, let frame = frames[Int(groups.groups[index])] else {
                    continue
                }
                guard try giveRecord(entry, entries[index].key, frame, body) else { return false }
            }
            start = end
        }
        return true
    }

    /// Appends the rows of entries, except removed ones, in their order.
    mutating func append(
        _ entries: [WordEntry], to rows: inout [StoredRow]
    ) throws(DaybookError) {
        // Grouping does not pay for a few entries.
        guard entries.count >= 16 else {
            for entry in entries {
                let object = ObjectEntry(entry.value)
                if object.isRemoved { continue }
                rows.append(try StoredRow(object, entity: finder.entity, id: entry.key, in: log))
            }
            return
        }
        groups.gather(entries, count: entries.count)
        var start = 0
        while start < entries.count {
            var frames = [CachedFrame?](repeating: nil, count: groups.count)
            let end = try hold(&frames, entries, start..<entries.count)
            for index in start..<end {
                let object = ObjectEntry(entries[index].value)
                guard !object.isRemoved, let frame = frames[Int(groups.groups[index])] else {
                    continue
                }
                rows.append(
                    try StoredRow(
                        object, entity: finder.entity, id: entries[index].key,
                        Location(rawValue: object.location), frame))
            }
            start = end
        }
    }

    /// Looks up the frames of entries, and prefetches the records. Returns the index of the first
    /// entry whose frame is not held: because the held frames are too large, or because the frame
    /// cannot be read. In the second case, the entries before it are passed first.
    private mutating func hold(
        _ frames: inout [CachedFrame?], _ entries: [WordEntry], _ range: Range<Int>
    ) throws(DaybookError) -> Int {
        var heldBytes = 0
        var end = range.upperBound
        for index in range {
            let entry = ObjectEntry(entries[index].value)
            let group = Int(groups.groups[index])
            if entry.isRemoved || frames[group] != nil { continue }
            if heldBytes > heldBytesMax {
                end = index
                break
            }
            do throws(DaybookError) {
                let frame = try log.frame(
                    at: Location(rawValue: entry.location), recordCount: groups.sizes[group])
                heldBytes += frame.memoryBytes
                frames[group] = frame
            } catch {
                guard index > range.lowerBound else { throw error }
                end = index
                break
            }
        }
        // After all lookups: a lookup takes a lock, and the processor would wait there for the
        // prefetched memory.
        for index in range.lowerBound..<end {
            let entry = ObjectEntry(entries[index].value)
            if !entry.isRemoved, case .inflated(let frame) = frames[Int(groups.groups[index])] {
                touched &+= Self.touch(Location(rawValue: entry.location), frame.bytes.span)
            }
        }
        return end
    }

    /// Prefetches the records of entries in one payload.
    private mutating func touchRun(
        _ entries: Span<WordEntry>, _ start: Int, _ payload: Span<UInt8>, _ key: UInt64
    ) {
        var index = start
        while index < entries.count {
            let entry = ObjectEntry(entries[index].value)
            let location = Location(rawValue: entry.location)
            if location.frameKey == key {
                touched &+= Self.touch(location, payload)
            } else if !entry.isRemoved {
                return
            }
            index &+= 1
        }
    }

    /// Prefetches the cache lines of a record's head and the fields after it.
    @inline(__always)
    private static func touch(_ location: Location, _ payload: Span<UInt8>) -> UInt8 {
        let offset = location.recordOffset
        guard offset < payload.count else { return 0 }
        return payload[offset] &+ payload[min(offset &+ 64, payload.count &- 1)]
    }
}
