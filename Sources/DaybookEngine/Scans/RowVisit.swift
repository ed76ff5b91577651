import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Gives the rows that entries of an entity's objects lead to to whoever asks, in place, as many at
/// once as stand together.
///
/// Rows that stand side by side share a frame, which is looked up once for the run of them. Where
/// the objects were changed at random, so that neighbours stand in different frames, each frame is
/// looked up once for all entries that are given at once.
struct RowVisit {
    typealias Body = (borrowing RowBatch) throws -> Bool

    private let log: Log
    private let finder: RowFinder
    /// The frame of the last run.
    private var frame: InflatedFrame?
    private var frameKey = UInt64.max
    private var groups = FrameGroups()
    private var scratch: [WordEntry] = []
    /// The rows that are given next.
    private var places: [RowBatch.Place] = []
    /// How many records before its turn a record is touched: so many are read in the time that
    /// memory takes.
    private static let touchedAhead = 8
    /// So that touching a record is no work in vain.
    private var touched: UInt8 = 0
    /// How many bytes of frames are held at once: they need not be in the cache any more.
    private let heldBytesMax: Int
    /// Whether the entries that came last were scattered over frames.
    private(set) var isScattered = false

    init(_ log: Log, _ entity: UInt32) {
        self.log = log
        finder = RowFinder(entity)
        heldBytesMax = max(16 << 20, log.options.frameCacheBudgetBytes / 2)
    }

    /// Gives the rows of the first `count` entries that live, in their order if asked; false where
    /// `body` says that it has enough. The entries may be in another order then.
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

    /// Gives the rows of entries in their order, and looks up a frame for each run of them.
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
                frame = try log.frame(at: location)
                frameKey = location.frameKey
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

    /// Gives the rows of entries that stand in one payload. Returns the first entry that does not;
    /// nil where `body` has enough.
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
            // Only now: those before it have been given.
            if let failure = gathered.failure { throw failure }
            index = gathered.next
            if gathered.isAtEnd { break }
        }
        return index
    }

    /// What ends the rows that were gathered.
    private struct Gathered {
        var count = 0
        var layout: UInt32 = 0
        /// The first entry that is not among them.
        var next: Int
        /// Whether that stands in another payload.
        var isAtEnd = false
        var failure: DaybookError?
    }

    /// Gathers the rows of entries that stand in one payload, as long as they are of one layout.
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
                    let place = try Self.find(entry.key, location, payload, finder)
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
        _ id: UInt64, _ location: Location, _ payload: Span<UInt8>, _ finder: RowFinder
    ) throws(DaybookError) -> RowFinder.Place {
        guard let place = try finder.find(id, at: location.recordOffset, in: payload) else {
            throw StoredRow.misplaced(finder.entity, id, location)
        }
        return place
    }

    /// Gives the rows of entries in their order, after a look at all their frames: so the processor
    /// waits for the memory of many records at once, and not for one after another.
    private mutating func giveGroups(
        _ entries: [WordEntry], _ count: Int, _ body: Body
    ) throws -> Bool {
        var start = 0
        while start < count {
            var frames = [InflatedFrame?](repeating: nil, count: groups.count)
            let end = try hold(&frames, entries, start..<count)
            for index in start..<end {
                let entry = ObjectEntry(entries[index].value)
                if entry.isRemoved { continue }
                guard let frame = frames[Int(groups.groups[index])] else { continue }
                let location = Location(rawValue: entry.location)
                let payload = frame.bytes.span
                let id = entries[index].key
                let place = try Self.find(id, location, payload, finder)
                let alone = CollectionOfOne(RowBatch.Place(place.start..<place.end, id))
                guard try body(RowBatch(payload, alone.span, layout: place.layout)) else {
                    return false
                }
            }
            start = end
        }
        return true
    }

    /// Appends the rows of entries that live, in their order.
    mutating func append(
        _ entries: [WordEntry], to rows: inout [StoredRow]
    ) throws(DaybookError) {
        // A few are read sooner than gathered.
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
            var frames = [InflatedFrame?](repeating: nil, count: groups.count)
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

    /// Looks up the frames of entries, and touches the records. Returns the first entry whose frame
    /// is not held, for the others are large, or because it cannot be read: then those before it
    /// come first.
    private mutating func hold(
        _ frames: inout [InflatedFrame?], _ entries: [WordEntry], _ range: Range<Int>
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
                let frame = try log.frame(at: Location(rawValue: entry.location))
                heldBytes += frame.bytes.count
                frames[group] = frame
            } catch {
                guard index > range.lowerBound else { throw error }
                end = index
                break
            }
        }
        // Only now: a look-up takes a lock, and at each of those the processor waits for the memory
        // that it has asked for.
        for index in range.lowerBound..<end {
            let entry = ObjectEntry(entries[index].value)
            if !entry.isRemoved, let frame = frames[Int(groups.groups[index])] {
                touched &+= Self.touch(Location(rawValue: entry.location), frame.bytes.span)
            }
        }
        return end
    }

    /// Touches the records of entries that stand in one payload.
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

    /// Touches the lines of memory with a record's head and the fields behind it, so that they are
    /// under way when they are asked for.
    @inline(__always)
    private static func touch(_ location: Location, _ payload: Span<UInt8>) -> UInt8 {
        let offset = location.recordOffset
        guard offset < payload.count else { return 0 }
        return payload[offset] &+ payload[min(offset &+ 64, payload.count &- 1)]
    }
}
