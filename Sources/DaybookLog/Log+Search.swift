package import DaybookBytes

/// The frames that a search returns; it does not decompress others.
struct FrameFilter {
    /// The transactions; a frame is returned if it has records of one of them.
    var sequences: ClosedRange<UInt64>
    /// The keys; nil for any.
    var keys: KeyRange?
    /// Whether only frames are wanted in which the last of the transactions ends.
    var isForEnd = false

    func accepts(_ header: FrameHeader) -> Bool {
        guard header.firstSequence <= sequences.upperBound,
            header.lastSequence >= sequences.lowerBound
        else { return false }
        if let keys, !header.keys.overlaps(keys) { return false }
        return !isForEnd || header.endsTransaction || header.lastSequence > sequences.upperBound
    }
}

extension Log {
    /// Returns a scan of the frames with records of one transaction that may contain the keys. With
    /// `withEarlier`, it also returns such frames of earlier transactions that are read anyway.
    ///
    /// Cost: a read of the sparse index of a segment, unless it is the active one. Then some 64 KiB
    /// for each entry of the index whose range overlaps the keys: one or two for a single key, if
    /// the transaction wrote its records in the order of keys; all frames of the transaction, if
    /// the order is random.
    package func search(
        _ sequence: UInt64, for keys: KeyRange, withEarlier: Bool = false, in logView: LogView
    ) throws(DaybookError) -> LogScanner {
        let filter = FrameFilter(
            sequences: (withEarlier ? 0 : sequence)...sequence, keys: keys)
        return LogScanner(
            self, try stretches(of: sequence, in: logView) { $0.overlaps(keys) }, filter)
    }

    /// Returns the last frame with records of a transaction; nil if there is none. Cost: a lookup
    /// in a sparse index, and a read of some 64 KiB.
    package func lastFrame(
        of sequence: UInt64, in logView: LogView
    ) throws(DaybookError) -> LogScanner.Frame? {
        let last = try stretches(of: sequence, in: logView) { _ in true }.suffix(1)
        let filter = FrameFilter(sequences: sequence...sequence, isForEnd: true)
        var scanner = LogScanner(self, Array(last), filter)
        return try scanner.next()
    }

    /// The parts of a segment between entries of its sparse index that have frames of a transaction
    /// and keys that are wanted. Adjacent parts are read as one, except the last.
    private func stretches(
        of sequence: UInt64, in logView: LogView, where isWanted: (KeyRange) -> Bool
    ) throws(DaybookError) -> [LogScanner.Part] {
        let (entry, sparseIndex) = try sparseIndex(around: sequence, in: logView)
        let segment = try logView.segment(entry.number)
        let end = entry.sealOffset > 0 ? entry.sealOffset : entry.length
        guard !sparseIndex.isEmpty else {
            return [LogScanner.Part(segment, from: segment.start, limit: end)]
        }
        // A transaction may span frames, so it may begin before an entry with its sequence.
        var place = max(0, sparseIndex.partitioningIndex { $0.firstSequence >= sequence } - 1)
        var parts: [LogScanner.Part] = []
        while place < sparseIndex.count, sparseIndex[place].firstSequence <= sequence {
            let indexEntry = sparseIndex[place]
            place += 1
            let isLast =
                place == sparseIndex.count || sparseIndex[place].firstSequence > sequence
            let limit = place < sparseIndex.count ? sparseIndex[place].offset : end
            guard isWanted(indexEntry.keys) else { continue }
            if !isLast, let last = parts.last, last.limit == indexEntry.offset {
                parts[parts.count - 1].limit = limit
            } else {
                parts.append(
                    LogScanner.Part(
                        segment, from: try position(of: indexEntry, in: segment), limit: limit))
            }
        }
        return parts
    }
}
