package import DaybookBytes

/// The record that ends a transaction and makes it valid.
package struct CommitRecord: Sendable, Hashable {
    /// The number of the transaction.
    package var sequence: UInt64
    /// The time of the commit in microseconds since 1970; not before the previous commit, even if
    /// the clock was set back.
    package var timeMicroseconds: Int64
    /// Metadata of the program: author, cause, correlation ….
    package var metadata: [String: String]

    package init(sequence: UInt64, timeMicroseconds: Int64, metadata: [String: String] = [:]) {
        self.sequence = sequence
        self.timeMicroseconds = timeMicroseconds
        self.metadata = metadata
    }

    /// Reads the body of a commit record. Throws `.corruption`.
    package init(decoding body: Span<UInt8>) throws(DaybookError) {
        var reader = ByteReader(body)
        sequence = try reader.varint()
        guard sequence <= RecordFormat.sequenceMax else {
            throw DaybookError(
                .corruption, "A commit record is damaged: its sequence is \(sequence).")
        }
        timeMicroseconds = Int64(bitPattern: try reader.varint())
        metadata = try reader.textPairs()
        guard reader.isAtEnd else {
            throw DaybookError(.corruption, "A commit record has another length than it states.")
        }
    }

    /// The number of bytes that ``encode(to:)`` writes.
    var encodedLength: Int {
        Varint.length(sequence) + Varint.length(UInt64(bitPattern: timeMicroseconds))
            + ByteWriter.textPairsLength(metadata)
    }

    /// Encodes the body of a commit record. The encoding is deterministic.
    package func encode(to writer: inout ByteWriter) {
        writer.varint(sequence)
        writer.varint(UInt64(bitPattern: timeMicroseconds))
        writer.textPairs(metadata)
    }
}
