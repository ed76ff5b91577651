package import DaybookBytes
import DaybookLog
import DaybookRecords

extension Engine {
    /// Returns the next whole transactions after a sequence, with about `sizeBytesMax` bytes of
    /// records and at least one transaction; nil if there is none.
    ///
    /// Reads the log, so the transactions may be invisible yet, and not durable. Cost: a lookup in
    /// a sparse index, and the frames. Throws `.historyTruncated` if a compaction dropped a part,
    /// `.corruption`, `.closed`.
    package func shippedTransactions(
        after sequence: UInt64, sizeBytesMax: Int
    ) throws(DaybookError) -> ShippedTransactions? {
        try requireOpen()
        guard log.lastSequence > sequence else { return nil }
        var content = ByteWriter(capacity: 4096)
        var end: (count: Int, sequence: UInt64)?
        var firstSequence: UInt64 = 0
        var frames = LogFrames(try log.scan(after: sequence, at: nil), after: sequence)
        reading: while let frame = try frames.next() {
            for (record, recordSequence) in try frame.records() where recordSequence > sequence {
                if content.count == 0 { firstSequence = recordSequence }
                content.append(frame.payload.span.extracting(record.offset..<record.end))
                guard record.kind == .commit else { continue }
                end = (content.count, recordSequence)
                if content.count >= sizeBytesMax { break reading }
            }
        }
        guard let end else { return nil }
        return try ShippedTransactions(
            firstSequence: firstSequence, lastSequence: end.sequence,
            records: content.span.extracting(0..<end.count))
    }

    /// Reports that other replicas can read all commits up to a sequence. Commits that waited for
    /// that become visible and return.
    package func didShip(through sequence: UInt64) {
        publication.becameShipped(sequence)
        publication.tell()
        options.shipping?.advance(to: sequence)
    }
}
