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
    /// Returns a scan of the frames that may contain some records, in the order of the log, each
    /// once. `wanted` ascends by sequences. With `withEarlier`, it also returns such frames of
    /// earlier transactions that are read anyway.
    ///
    /// Cost: a read of the sparse index of each segment with such records, unless it is kept. Then
    /// some 64 KiB for each entry of the index whose sequences and keys overlap the wanted ones:
    /// one or two for a single key, if its transaction wrote the records in the order of keys; all
    /// frames of the transaction, if the order is random.
    package func search(
        _ wanted: [WantedRecords], withEarlier: Bool = false, in logView: LogView
    ) throws(DaybookError) -> LogScanner {
        var parts: [LogScanner.Part] = []
        var rest = wanted[...]
        while let first = rest.first {
            let stretch = try stretch(around: first.sequence, in: logView)
            let end = rest.partitioningIndex { $0.sequence > stretch.lastSequence }
            try append(stretch, of: rest[..<max(end, rest.startIndex + 1)], to: &parts)
            rest = rest[max(end, rest.startIndex + 1)...]
        }
        return LogScanner(self, parts, FrameFilter(wanted: wanted, hasEarlier: withEarlier))
    }

    /// Returns the last frame with records of a transaction; nil if there is none. Cost: a lookup
    /// in a sparse index, and a read of some 64 KiB.
    package func lastFrame(
        of sequence: UInt64, in logView: LogView
    ) throws(DaybookError) -> LogScanner.Frame? {
        let stretch = try stretch(around: sequence, in: logView)
        // The entry after the last one that begins with the transaction or before.
        let next = stretch.sparseIndex.partitioningIndex { $0.firstSequence > sequence }
        let start =
            next > 0
            ? try position(of: stretch.sparseIndex[next - 1], in: stretch.segment)
            : stretch.segment.start
        let limit =
            next < stretch.sparseIndex.count ? stretch.sparseIndex[next].offset : stretch.limit
        let wanted = WantedRecords(sequence: sequence, keys: .none)
        var scanner = LogScanner(
            self, [LogScanner.Part(stretch.segment, from: start, limit: limit)],
            FrameFilter(wanted: [wanted], isForEnd: true))
        return try scanner.next()
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
        to parts: inout [LogScanner.Part]
    ) throws(DaybookError) {
        guard let first = wanted.first, let last = wanted.last else { return }
        let (segment, sparseIndex) = (stretch.segment, stretch.sparseIndex)
        guard !sparseIndex.isEmpty else {
            parts.append(LogScanner.Part(segment, from: segment.start, limit: stretch.limit))
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
                    LogScanner.Part(
                        segment, from: try position(of: indexEntry, in: segment), limit: limit))
            }
        }
    }
}
