package import DaybookBytes

/// Records of one transaction, in a range of keys.
package struct WantedRecords: Sendable {
    package var sequence: UInt64
    package var keys: KeyRange

    package init(sequence: UInt64, keys: KeyRange) {
        self.sequence = sequence
        self.keys = keys
    }
}

extension Log {
    /// Returns a search of the frames that may contain some records, in the order of the log, each
    /// once. `wanted` ascends by sequences. With `withEarlier`, it also returns such frames of
    /// earlier transactions near them.
    ///
    /// Cost: a read of the sparse index of each segment with such records, unless it is kept. Then
    /// the headers of the frames in some 64 KiB for each entry of the index whose sequences and
    /// keys overlap the wanted ones, and the returned frames that are not cached. These are one or
    /// two for a single key, if its transaction wrote the records in the order of keys; all frames
    /// of the transaction, if the order is random.
    package func search(
        _ wanted: [WantedRecords], withEarlier: Bool = false, in logView: LogView
    ) throws(DaybookError) -> LogSearch {
        var parts: [LogSearch.Part] = []
        var rest = wanted[...]
        while let first = rest.first {
            let stretch = try stretch(around: first.sequence, in: logView)
            let end = rest.partitioningIndex { $0.sequence > stretch.lastSequence }
            append(stretch, of: rest[..<max(end, rest.startIndex + 1)], to: &parts)
            rest = rest[max(end, rest.startIndex + 1)...]
        }
        return LogSearch(self, parts, FrameFilter(wanted: wanted, hasEarlier: withEarlier))
    }

    /// Returns the last frame with records of a transaction; nil if there is none. Cost: a lookup
    /// in a sparse index, the headers of the frames in some 64 KiB, and the frame, unless it is
    /// cached.
    package func lastFrame(
        of sequence: UInt64, in logView: LogView
    ) throws(DaybookError) -> LogScanner.Frame? {
        let stretch = try stretch(around: sequence, in: logView)
        // The entry after the last one that begins with the transaction or before.
        let next = stretch.sparseIndex.partitioningIndex { $0.firstSequence > sequence }
        let start =
            next > 0 ? stretch.sparseIndex[next - 1].offset : stretch.segment.start.offset
        let limit =
            next < stretch.sparseIndex.count ? stretch.sparseIndex[next].offset : stretch.limit
        let wanted = WantedRecords(sequence: sequence, keys: .none)
        var search = LogSearch(
            self, [LogSearch.Part(segment: stretch.segment, start: start, limit: limit)],
            FrameFilter(wanted: [wanted], isForEnd: true))
        return try search.next()
    }

    /// A part of a segment, with the sparse index of its frames.
    private struct Stretch {
        var segment: Segment
        var limit: Int
        /// No later transaction is in the part.
        var lastSequence: UInt64
        var sparseIndex: [SparseIndexEntry]
    }

    private func stretch(
        around sequence: UInt64, in logView: LogView
    ) throws(DaybookError) -> Stretch {
        let (entry, sparseIndex) = try sparseIndex(around: sequence, in: logView)
        var stretch = Stretch(
            segment: try logView.segment(entry.number),
            limit: entry.sealOffset > 0 ? entry.sealOffset : entry.length,
            lastSequence: entry.lastSequence, sparseIndex: sparseIndex)
        let begin = logView.sparseIndexStart
        // Of the active segment, the index may have two parts.
        if entry.number == begin.segment, sequence <= begin.sequence,
            begin.offset > stretch.segment.start.offset
        {
            stretch.limit = begin.offset
            stretch.lastSequence = begin.sequence
        }
        return stretch
    }

    /// Appends the parts between entries of a sparse index that may have wanted records. Adjacent
    /// parts are read as one.
    private func append(
        _ stretch: Stretch, of wanted: ArraySlice<WantedRecords>,
        to parts: inout [LogSearch.Part]
    ) {
        guard let first = wanted.first, let last = wanted.last else { return }
        let (segment, sparseIndex) = (stretch.segment, stretch.sparseIndex)
        guard !sparseIndex.isEmpty else {
            let start = segment.start.offset
            parts.append(LogSearch.Part(segment: segment, start: start, limit: stretch.limit))
            return
        }
        var rest = wanted
        // A transaction may span frames, so it may begin before an entry with its sequence.
        var place = max(0, sparseIndex.partitioningIndex { $0.firstSequence >= first.sequence } - 1)
        while place < sparseIndex.count, sparseIndex[place].firstSequence <= last.sequence {
            let indexEntry = sparseIndex[place]
            place += 1
            let hasNext = place < sparseIndex.count
            let end = hasNext ? sparseIndex[place].firstSequence : .max
            rest = rest.drop { $0.sequence < indexEntry.firstSequence }
            let isWanted = rest.prefix { $0.sequence <= end }
                .contains { $0.keys.overlaps(indexEntry.keys) }
            guard isWanted else { continue }
            let limit = hasNext ? sparseIndex[place].offset : stretch.limit
            if let before = parts.last, before.segment === segment,
                before.limit == indexEntry.offset
            {
                parts[parts.count - 1].limit = limit
            } else {
                parts.append(
                    LogSearch.Part(segment: segment, start: indexEntry.offset, limit: limit))
            }
        }
    }
}
