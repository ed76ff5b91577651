import DaybookBytes

/// An entry of a segment's sparse index: a frame's offset and its first sequence. There is one
/// about every 64 KiB, so that a scan from any sequence starts near it. The seal frame contains a
/// segment's entries.
struct FrameMark: Equatable, Sendable {
    static let spacingBytes = 64 << 10

    var offset: Int
    var firstSequence: UInt64
}

extension [FrameMark] {
    /// Appends an entry if the last one is far enough away.
    mutating func note(offset: Int, firstSequence: UInt64) {
        note(FrameMark(offset: offset, firstSequence: firstSequence))
    }

    /// Appends an entry if the last one is far enough away.
    mutating func note(_ mark: FrameMark) {
        if let last, mark.offset - last.offset < FrameMark.spacingBytes { return }
        append(mark)
    }

    /// Appends an entry for a scanned frame. Only frames of records have sequences.
    mutating func note(_ frame: SegmentScanner.Frame) {
        guard frame.header.kind == FrameKind.records else { return }
        note(offset: frame.offset, firstSequence: frame.header.firstSequence)
    }

    /// The last entry from which a scan finds all of `sequence`. (A transaction may span frames, so
    /// the entry's first sequence must be strictly lower, or the entry must be the first.)
    func last(before sequence: UInt64) -> FrameMark? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].firstSequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : self[low - 1]
    }

    func encoded() -> ByteWriter {
        var writer = ByteWriter(capacity: 16 + count * 6)
        writer.varint(UInt64(count))
        var previous = FrameMark(offset: 0, firstSequence: 0)
        for mark in self {
            writer.varint(UInt64(mark.offset - previous.offset))
            writer.varint(mark.firstSequence - previous.firstSequence)
            previous = mark
        }
        return writer
    }

    init(reading bytes: Span<UInt8>) throws(DaybookError) {
        self.init()
        var reader = ByteReader(bytes)
        var mark = FrameMark(offset: 0, firstSequence: 0)
        for _ in 0..<(try reader.length()) {
            let offset = mark.offset.addingReportingOverflow(try reader.length())
            let first = mark.firstSequence.addingReportingOverflow(try reader.varint())
            guard !offset.overflow, !first.overflow, first.partialValue > 0 else {
                throw DaybookError(.corruption, "A segment's frame directory is damaged.")
            }
            mark = FrameMark(offset: offset.partialValue, firstSequence: first.partialValue)
            append(mark)
        }
    }
}
