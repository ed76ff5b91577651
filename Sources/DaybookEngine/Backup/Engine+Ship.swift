package import DaybookBytes
import DaybookLog
import DaybookRecords

extension Engine {
    /// Returns the next whole transactions after a sequence, with about `sizeBytesMax` bytes of
    /// records and at least one transaction; nil if there is none up to `last`.
    ///
    /// Reads the log, so the transactions may be invisible yet, and not durable. Cost: a lookup in
    /// a sparse index, and the frames. Throws `.historyTruncated` if a compaction dropped a part,
    /// `.overflow` for a transaction of 4 GiB or more, `.corruption`, `.closed`.
    package func shippedTransactions(
        after sequence: UInt64, through last: UInt64 = .max, sizeBytesMax: Int
    ) throws(DaybookError) -> ShippedTransactions? {
        try requireOpen()
        let last = min(last, log.lastSequence)
        guard last > sequence else { return nil }
        let sizeBytesMax = min(sizeBytesMax, Self.shippedSizeBytesMax)
        var content = ByteWriter(capacity: 4096)
        var end: (count: Int, sequence: UInt64)?
        var times: ClosedRange<Int64>?
        var frames = LogFrames(try log.scan(after: sequence, at: nil), after: sequence)
        reading: while let frame = try frames.next() {
            // A large transaction after others begins a batch of its own.
            if end != nil, content.count + frame.payload.count > sizeBytesMax { break }
            for (record, recordSequence) in try frame.records() where recordSequence > sequence {
                content.append(frame.payload.span.extracting(record.offset..<record.end))
                guard record.kind == .commit else { continue }
                guard recordSequence == (end?.sequence ?? sequence) + 1 else {
                    throw hasGap(after: end?.sequence ?? sequence)
                }
                let commit = try CommitRecord(
                    decoding: frame.payload.span.extracting(record.body))
                let time = commit.timeMicroseconds
                times = min(times?.lowerBound ?? time, time)...time
                end = (content.count, recordSequence)
                if content.count >= sizeBytesMax || recordSequence == last { break reading }
            }
        }
        guard let end, let times else { return nil }
        return try ShippedTransactions(
            firstSequence: sequence + 1, lastSequence: end.sequence, times: times,
            records: content.span.extracting(0..<end.count))
    }

    /// The maximum raw size of transactions that are shipped together. A single one may be longer.
    private static let shippedSizeBytesMax = 64 << 20

    private func hasGap(after sequence: UInt64) -> DaybookError {
        DaybookError(
            .historyTruncated,
            "The history in \(log.directory) has no transaction \(sequence + 1). Load the current"
                + " state into a new store, and replicate that.",
            details: ["sequence": String(sequence + 1)])
    }

    /// Reports that other replicas can read all commits up to a sequence. Commits that waited for
    /// that become visible and return.
    package func didShip(through sequence: UInt64) {
        publication.becameShipped(sequence)
        publication.tell()
        options.shipping?.advance(to: sequence)
    }
}
