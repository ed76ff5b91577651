/// The frames that a search returns; it does not decompress others.
struct FrameFilter {
    /// The transactions and the keys of their records; ascending. A frame is returned if it may
    /// contain such a record.
    var wanted: [WantedRecords]
    /// Whether frames of earlier transactions are returned, too.
    var hasEarlier = false
    /// Whether only the frame is wanted in which the transaction ends, whatever its keys.
    var isForEnd = false

    func accepts(_ header: FrameHeader) -> Bool {
        let last = header.lastSequence
        if isForEnd {
            return wanted.contains { wanted in
                header.firstSequence <= wanted.sequence && wanted.sequence <= last
                    && (header.endsTransaction || wanted.sequence < last)
            }
        }
        var place = wanted.partitioningIndex { $0.sequence >= header.firstSequence }
        while place < wanted.count, hasEarlier || wanted[place].sequence <= last {
            if wanted[place].keys.overlaps(header.keys) { return true }
            place += 1
        }
        return false
    }
}
