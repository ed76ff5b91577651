import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookLog

/// Writes records to the sealed segments of a store that is being loaded.
struct LoadedLog {
    /// The size at which a transaction should end. A segment holds twice as much.
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
    /// The current transaction, and the number of its records.
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

    /// Whether the transaction should end.
    var isTransactionFull: Bool { lengthBytes >= transactionBytesMax }

    /// The length of the current segment, which ends with the first transaction that fills it.
    private var lengthBytes: Int { (builder?.lengthBytes ?? 0) + records.count }

    /// Appends a record to a transaction: the transaction of the last record, or a later one if
    /// that transaction is committed.
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
        // A segment ends with a payload, at the end of a transaction.
        if lengthBytes >= options.log.segmentSizeBytes { try closePayload() }
    }

    mutating func finish() throws(DaybookError) {
        try closePayload()
        try closeSegment()
    }

    private mutating func closePayload() throws(DaybookError) {
        guard recordCount > 0 else { return }
        // A segment ends at the end of a transaction.
        if let builder, builder.lengthBytes >= options.log.segmentSizeBytes, canEndSegment {
            try closeSegment()
        }
        // The rest of the payload and the end of the segment are far smaller than that.
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
