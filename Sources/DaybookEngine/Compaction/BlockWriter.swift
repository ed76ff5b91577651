import DaybookBytes
import DaybookRecords
import DaybookLog

/// Gathers kept records into large payloads and lays them into new sealed segments.
struct BlockWriter {
    /// An index entry that has to follow its record.
    struct Move {
        var entity: UInt32
        var id: UInt64
        var old: UInt64
        var new: UInt64
    }

    private let log: Log
    private let options: EngineOptions
    private var numbers: Range<UInt32>
    private var builder: SegmentBuilder?
    private var writer: RecordWriter
    private var recordCount: UInt32 = 0
    private var firstSequence: UInt64 = 0
    private var lastSequence: UInt64 = 0
    private var endsTransaction = false
    private var timeMicroseconds: UInt64 = 0
    private var waiting: [(move: Move, offset: Int)] = []
    /// Finished segments.
    private(set) var finished: [(entry: SegmentEntry, segment: Segment)] = []
    /// Moves whose records have their new places.
    private(set) var moves: [Move] = []

    /// The segments take `numbers`, which are free; the last of them takes all that is left.
    init(_ log: Log, _ options: EngineOptions, numbers: Range<UInt32>) {
        self.log = log
        self.options = options
        self.numbers = numbers
        writer = RecordWriter(ByteWriter(capacity: options.blockPayloadBytes * 2))
    }

    /// Appends what stays of one frame.
    mutating func append(
        _ verdict: LiveRecordFilter.Verdict, of frame: LogScanner.Frame
    ) throws(DaybookError) {
        timeMicroseconds = frame.header.timeMicroseconds
        for kept in verdict.kept {
            let record = kept.record
            if writer.count >= min(options.blockPayloadBytes, Location.recordOffsetMax) {
                try closePayload()
            }
            if recordCount == 0 { firstSequence = kept.sequence }
            let offset = writer.copy(record, of: frame.payload.span)
            recordCount += 1
            lastSequence = kept.sequence
            endsTransaction = record.kind == .commit
            if let old = kept.indexedAt {
                let move = Move(entity: record.entity, id: record.id, old: old, new: 0)
                waiting.append((move, offset))
            }
            // A segment ends with a payload, and here is where it may.
            let isFull = lengthBytes >= options.log.segmentSizeBytes && !numbers.isEmpty
            if endsTransaction, isFull { try closePayload() }
        }
    }

    /// Of the segment so far.
    private var lengthBytes: Int { (builder?.lengthBytes ?? 0) + writer.count }

    /// Ends the last segment.
    mutating func finish() throws(DaybookError) {
        try closePayload()
        try closeSegment()
    }

    private mutating func closePayload() throws(DaybookError) {
        guard recordCount > 0 else { return }
        // A segment may only end where a transaction does.
        if let builder, builder.lengthBytes >= options.log.segmentSizeBytes, canEndSegment,
            !numbers.isEmpty
        {
            try closeSegment()
        }
        if builder == nil {
            builder = try SegmentBuilder(
                log, number: numbers.lowerBound, firstSequence: firstSequence,
                level: options.blockLevel)
            numbers = numbers.dropFirst()
        }
        let payload = FramePayload(
            bytes: writer.payload, recordCount: recordCount, firstSequence: firstSequence,
            lastSequence: lastSequence, endsTransaction: endsTransaction)
        guard let place = try builder?.append(payload, timeMicroseconds: timeMicroseconds) else {
            return
        }
        canEndSegment = endsTransaction
        for (move, offset) in waiting {
            var move = move
            let new = Location(
                segment: place.segment, frameOffset: place.frameOffset, recordOffset: offset)
            move.new = new.rawValue
            moves.append(move)
        }
        waiting.removeAll(keepingCapacity: true)
        writer.removeAll()
        recordCount = 0
    }

    private var canEndSegment = false

    private mutating func closeSegment() throws(DaybookError) {
        guard let done = try builder?.finish() else { return }
        finished.append(done)
        builder = nil
    }
}
