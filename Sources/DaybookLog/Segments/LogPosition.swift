package import DaybookBytes

/// A position between two frames, with the state that is needed to continue from there.
package struct LogPosition: Equatable, Sendable {
    /// The number of the segment.
    package var segment: UInt64
    /// The offset of the next frame.
    package var offset: Int
    /// The check that the next frame is chained from.
    package var check: UInt64
    /// The last sequence before this position.
    package var sequence: UInt64

    package init(segment: UInt64, offset: Int, check: UInt64, sequence: UInt64) {
        self.segment = segment
        self.offset = offset
        self.check = check
        self.sequence = sequence
    }

    /// Whether no frame of its segment is before it.
    package var isSegmentStart: Bool { offset == LogFormat.SegmentHeader.length }

    package init(reading reader: inout ByteReader) throws(DaybookError) {
        segment = try reader.uint64()
        offset = try reader.length()
        check = try reader.uint64()
        sequence = try reader.uint64()
        guard segment < SegmentNumber.limit, sequence < .max,
            (LogFormat.SegmentHeader.length...Location.frameOffsetMax).contains(offset)
        else { throw DaybookError(.corruption, "A position in the log is out of range.") }
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint64(segment)
        writer.varint(UInt64(offset))
        writer.uint64(check)
        writer.uint64(sequence)
    }
}
