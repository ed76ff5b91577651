import DaybookBytes

/// An entry of a segment's sparse index: a frame's offset and its first sequence, and the keys of
/// all frames up to the next entry. There is one about every 64 KiB, so that a scan from any
/// sequence starts near it. The seal frame contains a segment's entries.
struct SparseIndexEntry: Equatable, Sendable {
    static let spacingBytes = 64 << 10

    var offset: Int
    var firstSequence: UInt64
    var keys = KeyRange.none
}

extension [SparseIndexEntry] {
    /// Adds a frame, with an entry if the last one is far enough away.
    mutating func note(offset: Int, firstSequence: UInt64, keys: KeyRange) {
        note(SparseIndexEntry(offset: offset, firstSequence: firstSequence, keys: keys))
    }

    /// Adds the frames of an entry that follows the others: the entry, if the last one is far
    /// enough away.
    mutating func note(_ indexEntry: SparseIndexEntry) {
        guard let last, indexEntry.offset - last.offset < SparseIndexEntry.spacingBytes else {
            return append(indexEntry)
        }
        self[count - 1].keys.formUnion(indexEntry.keys)
    }

    /// Appends an entry for a scanned frame. Only frames of records have sequences.
    mutating func note(_ frame: SegmentScanner.Frame) {
        guard frame.header.kind == FrameKind.records else { return }
        note(
            offset: frame.offset, firstSequence: frame.header.firstSequence,
            keys: frame.header.keys)
    }

    /// The last entry from which a scan finds all of `sequence`. (A transaction may span frames, so
    /// the entry's first sequence must be strictly lower, or the entry must be the first.)
    func last(before sequence: UInt64) -> SparseIndexEntry? {
        let next = partitioningIndex { $0.firstSequence >= sequence }
        return next == 0 ? nil : self[next - 1]
    }

    func encoded() -> ByteWriter {
        var writer = ByteWriter(capacity: 16 + count * 12)
        writer.varint(UInt64(count))
        var previous = SparseIndexEntry(offset: 0, firstSequence: 0)
        for indexEntry in self {
            writer.varint(UInt64(indexEntry.offset - previous.offset))
            writer.varint(indexEntry.firstSequence - previous.firstSequence)
            writer.varint(indexEntry.keys.lowest)
            writer.varint(indexEntry.keys.highest - indexEntry.keys.lowest)
            previous = indexEntry
        }
        return writer
    }

    init(reading bytes: Span<UInt8>) throws(DaybookError) {
        self.init()
        var reader = ByteReader(bytes)
        var indexEntry = SparseIndexEntry(offset: 0, firstSequence: 0)
        for _ in 0..<(try reader.length()) {
            let offset = indexEntry.offset.addingReportingOverflow(try reader.length())
            let first = indexEntry.firstSequence.addingReportingOverflow(try reader.varint())
            let lowest = try reader.varint()
            let highest = lowest.addingReportingOverflow(try reader.varint())
            let keys = KeyRange(lowest: lowest, highest: highest.partialValue)
            guard !offset.overflow, !first.overflow, first.partialValue > 0, !highest.overflow,
                let keys
            else {
                throw DaybookError(.corruption, "A segment's frame directory is damaged.")
            }
            indexEntry = SparseIndexEntry(
                offset: offset.partialValue, firstSequence: first.partialValue, keys: keys)
            append(indexEntry)
        }
    }
}
