import DaybookBytes
import DaybookIndex
import DaybookLog
import DaybookPages

/// Gives the rows that entries of an entity's objects lead to to whoever asks, in place.
///
/// Rows that stand side by side share a frame, which is looked up once for the run of them. Where
/// the objects were changed at random, so that neighbours stand in different frames, each frame is
/// looked up once for all entries that are given at once.
struct RowVisit {
    typealias Body = (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool

    private let log: Log
    private let entity: UInt32
    private let finder: RowFinder
    /// The frame of the last run.
    private var frame: InflatedFrame?
    private var frameKey = UInt64.max
    private var groups = FrameGroups()
    private var scratch: [WordEntry] = []
    /// So that touching a record is no work in vain.
    private var touched: UInt8 = 0
    /// How many bytes of frames are held at once: they need not be in the cache any more.
    private let heldBytesMax: Int
    /// Whether the entries that came last were scattered over frames.
    private(set) var isScattered = false

    init(_ log: Log, _ entity: UInt32) {
        self.log = log
        self.entity = entity
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
            if isScattered { touch(entries, index, frame.bytes.span, location.frameKey) }
            guard
                let next = try giveRun(entries, index, frame.bytes.span, location.frameKey, body)
            else { return false }
            index = next
        }
        return true
    }

    /// Gives the rows of entries that stand in one payload. Returns the first entry that does not;
    /// nil where `body` has enough.
    private func giveRun(
        _ entries: Span<WordEntry>, _ start: Int, _ payload: Span<UInt8>, _ key: UInt64,
        _ body: Body
    ) throws -> Int? {
        var index = start
        while index < entries.count {
            let entry = entries[index]
            let object = ObjectEntry(entry.value)
            if !object.isRemoved {
                let location = Location(rawValue: object.location)
                guard location.frameKey == key else { return index }
                if try !give(entry.key, location, payload, body) { return nil }
            }
            index &+= 1
        }
        return index
    }

    @inline(__always)
    private func give(
        _ id: UInt64, _ location: Location, _ payload: Span<UInt8>, _ body: Body
    ) throws -> Bool {
        guard let place = try finder.find(id, at: location.recordOffset, in: payload) else {
            throw StoredRow.misplaced(entity, id, location)
        }
        return try body(payload.extracting(place.start..<place.end), place.layout, id)
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
                if try !give(entries[index].key, location, frame.bytes.span, body) { return false }
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
                rows.append(try StoredRow(object, entity: entity, id: entry.key, in: log))
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
                        object, entity: entity, id: entries[index].key,
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
                touch(Location(rawValue: entry.location), frame.bytes.span)
            }
        }
        return end
    }

    /// Touches the records of entries that stand in one payload.
    private mutating func touch(
        _ entries: Span<WordEntry>, _ start: Int, _ payload: Span<UInt8>, _ key: UInt64
    ) {
        var index = start
        while index < entries.count {
            let entry = ObjectEntry(entries[index].value)
            let location = Location(rawValue: entry.location)
            if location.frameKey == key {
                touch(location, payload)
            } else if !entry.isRemoved {
                return
            }
            index &+= 1
        }
    }

    /// Touches the lines of memory with a record's head and the fields behind it.
    @inline(__always)
    private mutating func touch(_ location: Location, _ payload: Span<UInt8>) {
        let offset = location.recordOffset
        guard offset < payload.count else { return }
        touched &+= payload[offset] &+ payload[min(offset &+ 64, payload.count &- 1)]
    }
}
