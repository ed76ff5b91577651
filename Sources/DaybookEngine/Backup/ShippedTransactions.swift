package import DaybookBytes
import DaybookLog
import DaybookRecords

/// Whole transactions of a log, encoded for another replica.
///
/// The content is the records of the transactions in the order of the log. A commit record ends
/// each transaction. `Internals/ReplicatedLog.md` has the format.
package struct ShippedTransactions: Sendable {
    /// The sequence of the first transaction.
    package var firstSequence: UInt64
    /// The sequence of the last transaction.
    package var lastSequence: UInt64
    /// The times of the first and the last commit, in microseconds since 1970.
    package var times: ClosedRange<Int64>
    /// The encoded bytes.
    package var bytes: [UInt8]

    private static let version: UInt8 = 1
    private static let raw: UInt8 = 0
    private static let zstd: UInt8 = 1
    private static let headerLength = 6
    private static let compressionLevel = 1
    private static let compressedLengthMin = 256

    /// Compresses the records if that makes them shorter. Throws `.overflow` if the format cannot
    /// express their length.
    package init(
        firstSequence: UInt64, lastSequence: UInt64, times: ClosedRange<Int64>,
        records: Span<UInt8>
    ) throws(DaybookError) {
        guard let rawLength = UInt32(exactly: records.count) else {
            throw DaybookError(
                .overflow,
                "Transaction \(lastSequence) has \(records.count) bytes, more than replication can"
                    + " carry (4 GiB). Divide such transactions.",
                details: ["sequence": String(lastSequence), "sizeBytes": String(records.count)])
        }
        self.firstSequence = firstSequence
        self.lastSequence = lastSequence
        self.times = times
        var compressed: [UInt8]?
        if records.count >= Self.compressedLengthMin {
            let bytes = try Zstd.compress(records, level: Self.compressionLevel)
            if bytes.count < records.count { compressed = bytes }
        }
        var writer = ByteWriter(
            capacity: Self.headerLength + (compressed?.count ?? records.count))
        writer.uint8(Self.version)
        writer.uint8(compressed == nil ? Self.raw : Self.zstd)
        writer.uint32(rawLength)
        if let compressed { writer.append(compressed.span) } else { writer.append(records) }
        bytes = writer.bytes
    }

    /// Decodes the records. Throws `.corruption` and `.formatTooNew`.
    package static func records(of bytes: Span<UInt8>) throws(DaybookError) -> [UInt8] {
        var reader = ByteReader(bytes)
        let version = try reader.uint8()
        guard version == Self.version else {
            throw tooNew(version)
        }
        let codec = try reader.uint8()
        let rawLength = Int(try reader.uint32())
        let content = bytes.extracting(headerLength..<bytes.count)
        switch codec {
        case raw:
            guard content.count == rawLength else { throw damaged("its length is wrong") }
            return content.array
        case zstd: return try Zstd.decompress(content, rawLength: rawLength)
        default: throw tooNew(version)
        }
    }

    private static func tooNew(_ version: UInt8) -> DaybookError {
        DaybookError(
            .formatTooNew,
            "A newer release of Daybook wrote the replicated transactions, in format \(version) or"
                + " with another compression. Update this replica.",
            details: ["format": String(version)])
    }

    static func damaged(_ reason: String) -> DaybookError {
        DaybookError(
            .corruption,
            "A replicated transaction is damaged: \(reason). Check the stream, and restore it from"
                + " a replica whose 'daybook verify' succeeds.")
    }
}

/// A transaction that another replica committed, divided into payloads for the log.
struct ReceivedTransaction {
    var commit: CommitRecord
    var payloads: [FramePayload]
    /// The layouts that the transaction adds to the schema.
    var layouts: [EntityLayout]
    /// The numbers of the layouts that its rows need.
    var usedLayouts: Set<UInt32>

    /// Divides records into transactions. Throws `.corruption` if a record is invalid, if the last
    /// transaction has no end, or if the sequences do not continue `sequence`.
    static func divide(
        _ records: Span<UInt8>, after sequence: UInt64, payloadBytes: Int
    ) throws(DaybookError) -> [ReceivedTransaction] {
        var transactions: [ReceivedTransaction] = []
        var last = sequence
        var builder = PayloadBuilder(payloadBytes: payloadBytes)
        var reader = RecordReader(records)
        while let record = try reader.next() {
            guard record.kind == .commit else {
                try builder.add(record, of: records)
                continue
            }
            let commit = try CommitRecord(decoding: records.extracting(record.body))
            guard commit.sequence == last + 1 else {
                throw ShippedTransactions.damaged(
                    "sequence \(commit.sequence) follows \(last)")
            }
            last = commit.sequence
            transactions.append(try builder.end(record, commit, of: records))
        }
        guard builder.isEmpty else {
            throw ShippedTransactions.damaged("its last transaction has no end")
        }
        return transactions
    }
}

/// Collects the records of one transaction in payloads of bounded size.
private struct PayloadBuilder {
    let payloadBytes: Int
    private var writer = RecordWriter()
    private var recordCount: UInt32 = 0
    private var payloads: [FramePayload] = []
    private var layouts: [EntityLayout] = []
    private var usedLayouts: Set<UInt32> = []

    init(payloadBytes: Int) { self.payloadBytes = payloadBytes }

    var isEmpty: Bool { recordCount == 0 && payloads.isEmpty }

    mutating func add(_ record: Record, of records: Span<UInt8>) throws(DaybookError) {
        if recordCount > 0, writer.count >= payloadBytes { close(endsTransaction: false) }
        // A replay must not fail after the append.
        var changes = TransactionChanges()
        try changes.add(record, in: records, at: 0)
        layouts += changes.layouts
        if record.layout > 0 { usedLayouts.insert(record.layout) }
        writer.copy(record, of: records)
        recordCount += 1
    }

    /// Ends the transaction with its commit record.
    mutating func end(
        _ record: Record, _ commit: CommitRecord, of records: Span<UInt8>
    ) throws(DaybookError) -> ReceivedTransaction {
        try add(record, of: records)
        close(endsTransaction: true)
        defer { (payloads, layouts, usedLayouts) = ([], [], []) }
        // The sequence is known only at the end of the transaction.
        return ReceivedTransaction(
            commit: commit,
            payloads: payloads.map { payload in
                var payload = payload
                payload.firstSequence = commit.sequence
                payload.lastSequence = commit.sequence
                return payload
            }, layouts: layouts, usedLayouts: usedLayouts)
    }

    private mutating func close(endsTransaction: Bool) {
        payloads.append(
            FramePayload(
                bytes: writer.payload, recordCount: recordCount, firstSequence: 0,
                lastSequence: 0, endsTransaction: endsTransaction, keys: KeyRange(writer.ids)))
        writer = RecordWriter()
        recordCount = 0
    }
}
