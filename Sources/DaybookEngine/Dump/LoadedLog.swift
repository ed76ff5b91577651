import DaybookBytes
import DaybookRecords
import DaybookLog

/// Lays records into the sealed segments of a store that is being loaded.
struct LoadedLog {
    /// What a transaction may take in its segment before another one is better begun; twice as much
    /// is all that a segment holds.
    static let transactionBytesMax = Location.frameOffsetMax / 2

    private let transactionBytesMax: Int
    private let log: Log
    private let options: EngineOptions
    private var builder: SegmentBuilder?
    private var nextNumber: UInt32
    private var records: RecordWriter
    private var recordCount: UInt32 = 0
    private var firstSequence: UInt64 = 0
    private var timeMicroseconds: Int64 = 0
    private var endsTransaction = false
    private var canEndSegment = false
    /// The last transaction that was ended.
    private(set) var lastSequence: UInt64 = 0
    /// The transaction that records belong to, and how much there is of it.
    private var sequence: UInt64 = 0
    private(set) var transactionRecordCount = 0
    private(set) var finished: [(entry: SegmentEntry, segment: Segment)] = []

    init(_ log: Log, _ options: EngineOptions, transactionBytesMax: Int) {
        self.log = log
        self.transactionBytesMax = transactionBytesMax
        self.options = options
        nextNumber = log.manifest.activeNumber + 1
        records = RecordWriter(ByteWriter(capacity: options.blockPayloadBytes * 2))
    }

    /// Whether the transaction has as much as one should have.
    var isTransactionFull: Bool { lengthBytes >= transactionBytesMax }

    /// Of the segment so far, which ends with the first transaction that fills it.
    private var lengthBytes: Int { (builder?.lengthBytes ?? 0) + records.count }

    /// Appends a record to a transaction: the one that the last record belongs to, or one behind it
    /// if that was ended.
    mutating func append(
        to sequence: UInt64, timeMicroseconds: Int64,
        _ write: (inout RecordWriter) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        if records.count >= min(options.blockPayloadBytes, Location.recordOffsetMax) {
            try closePayload()
        }
        if recordCount == 0 { firstSequence = sequence }
        self.sequence = sequence
        self.timeMicroseconds = timeMicroseconds
        try write(&records)
        recordCount += 1
        transactionRecordCount += 1
        endsTransaction = false
    }

    /// Ends a transaction.
    mutating func commit(_ commit: CommitRecord) throws(DaybookError) {
        try append(to: commit.sequence, timeMicroseconds: commit.timeMicroseconds) { records in
            records.commit(commit)
        }
        endsTransaction = true
        transactionRecordCount = 0
        lastSequence = commit.sequence
        // A segment ends with a payload, and here is where it may.
        if lengthBytes >= options.log.segmentSizeBytes { try closePayload() }
    }

    mutating func finish() throws(DaybookError) {
        try closePayload()
        try closeSegment()
    }

    private mutating func closePayload() throws(DaybookError) {
        guard recordCount > 0 else { return }
        // A segment may only end where a transaction does.
        if let builder, builder.lengthBytes >= options.log.segmentSizeBytes, canEndSegment {
            try closeSegment()
        }
        // What is still to come of the payload and of the segment's end is far less than that.
        guard lengthBytes < 2 * transactionBytesMax else {
            throw DaybookError(
                .invalidValue,
                "The dump has more in one transaction than a segment holds. Dump a store that has"
                    + " had more transactions, or copy it with 'daybook replay --into'.")
        }
        if builder == nil {
            builder = try SegmentBuilder(
                log, number: nextNumber, firstSequence: firstSequence, level: options.blockLevel)
            nextNumber += 1
        }
        let payload = FramePayload(
            bytes: records.payload, recordCount: recordCount, firstSequence: firstSequence,
            lastSequence: sequence, endsTransaction: endsTransaction)
        _ = try builder?.append(payload, timeMicroseconds: UInt64(clamping: timeMicroseconds))
        canEndSegment = endsTransaction
        records.removeAll()
        recordCount = 0
    }

    private mutating func closeSegment() throws(DaybookError) {
        guard let done = try builder?.finish() else { return }
        finished.append(done)
        builder = nil
    }
}
