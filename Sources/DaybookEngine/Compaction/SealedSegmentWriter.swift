package import DaybookBytes
package import DaybookLog
package import DaybookRecords

/// Writes records into small payloads, and the payloads into new sealed segments.
///
/// A read of a row reads and checks one payload, so payloads are small. A record as long as a
/// payload has one of its own, so that reads of small rows never decompress it. The common content
/// of the payloads is in the segment's dictionary. Payloads of links are larger, because only scans
/// read them.
///
/// A segment ends with the first transaction that fills it. Compactions, copies of stores and loads
/// of dumps use this writer. A segment is part of the store only after a manifest names it.
package struct SealedSegmentWriter {
    /// The size at which a transaction that can be divided should end: half of the bytes that a
    /// segment can address.
    package static let transactionBytesMax = Location.frameOffsetMax / 2

    private let log: Log
    private let options: EngineOptions
    private let transactionBytesMax: Int?
    private var numbers: Range<UInt64>
    private var builder: SegmentBuilder?
    private var records: RecordWriter
    /// A record before it is known whether it fits the current payload.
    private var single = RecordWriter()
    private var recordCount: UInt32 = 0
    private var firstSequence: UInt64 = 0
    private var lastSequence: UInt64 = 0
    private var timeMicroseconds: UInt64 = 0
    private var endsTransaction = false
    /// Whether the records of the current payload include a version, a tombstone or an event.
    private var hasObject = false
    /// Whether the records of the current payload include a version that may be the newest of its
    /// object.
    private var hasCurrentVersion = false
    /// Whether the last payload of the current segment ends a transaction.
    private var canEndSegment = false
    /// Moves of records whose payloads have no location yet: the number of the payload, and the
    /// record's offset in it.
    private var pendingMoves: [(move: RecordMoves.Move, payload: Int, offset: Int)] = []
    /// The number of payloads that were passed to builders.
    private var payloadCount = 0
    /// The number of payloads that have a location.
    private var locatedCount = 0
    /// The number of records in the current transaction.
    package private(set) var transactionRecordCount = 0
    /// The finished segments.
    package private(set) var finished: [(entry: SegmentEntry, segment: Segment)] = []
    /// The moves of all records that have their new locations.
    private(set) var moves: RecordMoves

    /// - Parameters:
    ///   - numbers: free segment numbers. The segment with the last number is not limited in size.
    ///   - transactionBytesMax: see ``isTransactionFull``. A segment that gets twice as large is an
    ///     error; nil if the transactions are known to fit.
    package init(
        _ log: Log, _ options: EngineOptions, numbers: Range<UInt64>,
        transactionBytesMax: Int? = nil
    ) {
        self.log = log
        self.options = options
        self.numbers = numbers
        self.transactionBytesMax = transactionBytesMax
        records = RecordWriter(ByteWriter(capacity: options.blockPayloadBytes * 2))
        moves = RecordMoves(batchCount: options.relocationBatchCount)
    }

    /// For a new store: all segment numbers after the active one are free.
    package init(
        newStore log: Log, _ options: EngineOptions, transactionBytesMax: Int? = nil
    ) {
        self.init(
            log, options, numbers: (log.manifest.activeNumber + 1)..<SegmentNumber.slotCount,
            transactionBytesMax: transactionBytesMax)
    }

    /// The size of the current segment; 0 if none is begun.
    var lengthBytes: Int { (builder?.lengthBytes ?? 0) + records.count }

    private var isSegmentFull: Bool {
        (builder?.lengthBytes ?? 0) >= options.log.segmentSizeBytes && !numbers.isEmpty
    }

    /// Whether the current transaction should end here, if the caller can divide it.
    package var isTransactionFull: Bool {
        transactionBytesMax.map { lengthBytes >= $0 } ?? false
    }

    /// Copies a record of a frame. `indexedAt` is the location in the record's index entry, which
    /// must follow the record; nil for a record without an entry.
    mutating func append(
        _ record: Record, of sequence: UInt64, in frame: LogScanner.Frame,
        indexedAt: UInt64? = nil
    ) throws(DaybookError) {
        try begin(
            sequence, frame.header.timeMicroseconds, length: record.end - record.offset,
            record.kind)
        let offset = records.copy(record, of: frame.payload.span)
        if let indexedAt { move(record, from: indexedAt, to: offset) }
        try end(isCommit: record.kind == .commit)
    }

    /// Writes another record in place of a record of a frame, of the same kind.
    mutating func append(
        inPlaceOf record: Record, of sequence: UInt64, in frame: LogScanner.Frame,
        indexedAt: UInt64?, _ write: (inout RecordWriter) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        single.removeAll()
        try write(&single)
        try begin(sequence, frame.header.timeMicroseconds, length: single.count, record.kind)
        let offset = records.count
        records.append(single)
        if let indexedAt { move(record, from: indexedAt, to: offset) }
        try end(isCommit: false)
    }

    /// Notes that the index entry of an object must follow its record.
    private mutating func move(_ record: Record, from old: UInt64, to offset: Int) {
        hasCurrentVersion = true
        let move = RecordMoves.Move(entity: record.entity, id: record.id, old: old, new: 0)
        pendingMoves.append((move, payloadCount, offset))
    }

    /// Appends a record to a transaction: the current one, or a later one after a commit.
    package mutating func append(
        to sequence: UInt64, timeMicroseconds: Int64,
        _ write: (inout RecordWriter) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        single.removeAll()
        try write(&single)
        let kind = try Record.at(0, in: single.span).kind
        try begin(
            sequence, UInt64(clamping: timeMicroseconds), length: single.count, kind)
        records.append(single)
        if kind.isOfObject { hasCurrentVersion = true }
        try end(isCommit: false)
    }

    /// Ends the current transaction.
    package mutating func commit(_ commit: CommitRecord) throws(DaybookError) {
        try begin(
            commit.sequence, UInt64(clamping: commit.timeMicroseconds), length: 0, .commit)
        records.commit(commit)
        try end(isCommit: true)
    }

    /// Ends the last segment.
    package mutating func finish() throws(DaybookError) {
        try closePayload()
        try closeSegment()
    }

    /// Begins a record. Closes the current payload if it is full or if the record is as long as a
    /// payload.
    private mutating func begin(
        _ sequence: UInt64, _ timeMicroseconds: UInt64, length: Int, _ kind: Record.Kind
    ) throws(DaybookError) {
        let isReadAlone = kind.isOfObject || hasObject
        let full = min(
            isReadAlone ? options.blockPayloadBytes : options.linkBlockPayloadBytes,
            Location.recordOffsetMax)
        if records.count >= full || length >= full { try closePayload() }
        if recordCount == 0 { firstSequence = sequence }
        if kind.isOfObject { hasObject = true }
        lastSequence = sequence
        self.timeMicroseconds = timeMicroseconds
    }

    private mutating func end(isCommit: Bool) throws(DaybookError) {
        recordCount += 1
        transactionRecordCount = isCommit ? 0 : transactionRecordCount + 1
        endsTransaction = isCommit
        // A segment ends with a payload, so the payload must end with the transaction.
        if isCommit, lengthBytes >= options.log.segmentSizeBytes, !numbers.isEmpty {
            try closePayload()
        }
    }

    private mutating func closePayload() throws(DaybookError) {
        guard recordCount > 0 else { return }
        if canEndSegment, isSegmentFull { try closeSegment() }
        // The rest of the payload and the end of the segment are far smaller than this.
        if let transactionBytesMax, lengthBytes >= 2 * transactionBytesMax {
            throw DaybookError(
                .invalidValue,
                "The dump has more data in one transaction than fits in a segment. Dump a store"
                    + " with smaller transactions, or copy it with 'daybook replay --into'.")
        }
        if builder == nil {
            builder = try SegmentBuilder(
                log, number: numbers.lowerBound, firstSequence: firstSequence,
                level: options.blockLevel, sampleBytes: options.dictionarySampleBytes)
            numbers = numbers.dropFirst()
        }
        let payload = FramePayload(
            bytes: records.payload, recordCount: recordCount, firstSequence: firstSequence,
            lastSequence: lastSequence, endsTransaction: endsTransaction,
            keys: KeyRange(records.ids), isSuperseded: !hasCurrentVersion)
        guard let locations = try builder?.append(payload, timeMicroseconds: timeMicroseconds)
        else { return }
        payloadCount += 1
        canEndSegment = endsTransaction
        locate(locations)
        records.removeAll()
        recordCount = 0
        (hasObject, hasCurrentVersion) = (false, false)
    }

    private mutating func closeSegment() throws(DaybookError) {
        guard let done = try builder?.finish() else { return }
        locate(done.locations)
        finished.append((done.entry, done.segment))
        builder = nil
    }

    /// Completes the moves of the next payloads.
    private mutating func locate(_ locations: [Location]) {
        var count = 0
        for (move, payload, offset) in pendingMoves {
            let index = payload - locatedCount
            guard index < locations.count else { break }
            let place = locations[index]
            var move = move
            move.new = place.record(at: offset).rawValue
            moves.append(move)
            count += 1
        }
        pendingMoves.removeFirst(count)
        locatedCount += locations.count
    }
}
