package import DaybookBytes

/// The directory of a sealed segment, for a verification.
package struct SegmentDirectory {
    private let entries: [SparseIndexEntry]

    /// Reads the directory; nil for the active segment, which has none. Throws `.corruption`.
    package init?(of entry: SegmentEntry, in log: Log) throws(DaybookError) {
        guard entry.sealOffset > 0, let segment = log.segment(entry.number) else { return nil }
        entries = try log.sparseIndex(of: entry, segment)
    }

    /// Whether a lookup by the sequences or the keys of a frame of the segment finds the frame.
    package func covers(_ frame: LogScanner.Frame) -> Bool {
        let place = entries.partitioningIndex { $0.offset > frame.offset } - 1
        guard place >= 0 else { return false }
        return entries[place].keys.contains(frame.header.keys)
            && entries[place].firstSequence <= frame.header.firstSequence
    }
}
