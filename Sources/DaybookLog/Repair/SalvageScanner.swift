package import DaybookBytes

/// Iterates over the intact frames of a damaged segment, and over the gaps between them.
///
/// After an invalid frame, the search continues at each multiple of eight bytes with the next frame
/// header that passes its check. The check of a whole frame is chained from the frame before it:
/// the eight bytes before the header contain the value. A frame behind damage is therefore used
/// only if its own check confirms every byte.
package struct SalvageScanner {
    /// The bytes between two intact frames.
    package struct Gap: Sendable {
        package var bytes: Range<Int>
        package var reason: String
        /// Whether the bytes contained records; false for padding, trailers, dictionaries and seal
        /// frames.
        package var hasRecords = true
        /// The headers of lost frames that are intact, in the order of their offsets.
        package var headers: [FrameHeader] = []
        /// The header of the lost frame directly before the next intact frame, if it is intact.
        package var lastHeader: FrameHeader?
        /// The end of the payload before the next intact frame. No check confirms these bytes.
        package var lastBytes: [UInt8] = []

        package init(bytes: Range<Int>, reason: String, hasRecords: Bool = true) {
            self.bytes = bytes
            self.reason = reason
            self.hasRecords = hasRecords
        }
    }

    package enum Part: Sendable {
        case frame(LogScanner.Frame)
        case gap(Gap)
    }

    private let segment: SalvagedSegment
    private let codec: PayloadCodec
    private let candidates: FrameCandidates?
    private var offset = LogFormat.SegmentHeader.length
    /// The check of the frame before ``offset``; nil behind damage.
    private var check: UInt64?
    /// The lowest sequence that the next frame can begin with: a payload may contain copies of
    /// earlier frames.
    private var least: UInt64
    /// The checks of the frames that can be followed by a frame with the same sequence. A frame
    /// with one of these checks is a copy.
    private var checksAtLeast: Set<UInt64> = []
    private var isAtEnd = false
    /// The checks of frames that their successors confirm although their trailers are damaged.
    private var confirmed: [Int: UInt64] = [:]
    /// Offsets of frames whose payload cannot be used although their check is right.
    private var refused: Set<Int> = []
    private var waiting: [Part] = []
    /// The dictionary of the segment; nil before its first use, and inside if there is none or both
    /// copies are lost.
    private var loadedDictionary: FrameCandidates.Dictionary??

    package init(_ segment: SalvagedSegment, _ codec: PayloadCodec) {
        self.segment = segment
        self.codec = codec
        candidates = segment.content.map {
            FrameCandidates($0, seed: segment.seed, limit: segment.limit)
        }
        check = segment.headerCheck
        least = segment.firstSequence
    }

    /// The next frame or gap; nil at the end. Throws `.formatTooNew` for an intact frame of a newer
    /// format.
    package mutating func next() throws(DaybookError) -> Part? {
        if let part = waiting.popLast() { return part }
        guard let candidates else { return nil }
        while !isAtEnd, offset < segment.limit {
            let start = offset
            if let found = try candidates.candidate(at: start) {
                if let part = try accept(found) { return part }
                if offset > start { continue }
                if confirmed.removeValue(forKey: start) != nil { refused.insert(start) }
            }
            if let gap = try gap(candidates) { return .gap(gap) }
        }
        return nil
    }

    /// Accepts the candidate at ``offset`` if its check confirms it. Nil without a change of
    /// ``offset`` for a damaged frame, and with a change for a frame without records.
    private mutating func accept(_ found: FrameCandidates.Candidate) throws(DaybookError) -> Part? {
        let proven = confirmed[found.offset]
        let isIntact = check.map { found.check(after: $0) == found.trailer } ?? false
        guard isIntact || proven != nil || found.isConfirmedByPreviousBytes else { return nil }
        let header = found.header
        guard header.kind == FrameKind.records else {
            if header.kind == FrameKind.seal {
                isAtEnd = true
            } else if header.kind < FrameKind.skippableFrom, header.kind != FrameKind.dictionary {
                throw .formatTooNew(found: LogFormat.version + 1, file: "a frame")
            }
            advance(over: found, proven)
            return nil
        }
        guard isUsable(found), header.lastSequence >= header.firstSequence,
            let payload = try inflate(found)
        else { return nil }
        advance(over: found, proven)
        let next = header.endsTransaction ? header.lastSequence + 1 : header.lastSequence
        if next > least { checksAtLeast.removeAll() }
        least = next
        if let check { checksAtLeast.insert(check) }
        let frame = LogScanner.Frame(
            header: header, segment: segment.number, offset: found.offset, payload: payload)
        guard proven != nil || found.hasDamagedPadding else { return .frame(frame) }
        waiting.append(.frame(frame))
        let end = found.offset + header.frameLength
        return .gap(
            Gap(
                bytes: (found.offset + found.checkedLength)..<end,
                reason: "the padding or the check of a frame is damaged", hasRecords: false))
    }

    private mutating func advance(over found: FrameCandidates.Candidate, _ proven: UInt64?) {
        offset = found.offset + found.header.frameLength
        check = proven ?? found.trailer
    }

    private mutating func inflate(
        _ found: FrameCandidates.Candidate
    ) throws(DaybookError) -> [UInt8]? {
        let dictionary = found.header.dictionary == 0 ? nil : try dictionary()
        do throws(DaybookError) {
            let payload = try codec.inflate(
                found.stored, found.header, dictionary: dictionary?.content)
            return payload.count == found.header.rawLength ? payload : nil
        } catch  where error.code == .corruption {
            return nil
        }
    }

    private mutating func dictionary() throws(DaybookError) -> FrameCandidates.Dictionary? {
        if let loadedDictionary { return loadedDictionary }
        let dictionary = try candidates?.dictionary(codec)
        loadedDictionary = .some(dictionary)
        return dictionary
    }

    /// Searches for the next intact frame, and returns the bytes before it. Nil at the end of the
    /// segment, and if the frame at ``offset`` turned out to be intact.
    private mutating func gap(_ candidates: FrameCandidates) throws(DaybookError) -> Gap? {
        let start = offset
        var gap = Gap(bytes: start..<segment.limit, reason: "a frame fails its check")
        // The check that follows from the bytes of a candidate, by the end of the candidate.
        var endings: [Int: (candidate: FrameCandidates.Candidate, check: UInt64)] = [:]
        var place = start
        while let found = try candidates.next(from: place) {
            place = found.offset + LogFormat.alignment
            let before = endings[found.offset]
            if found.offset > start, isUsable(found) {
                if let before, !refused.contains(before.candidate.offset),
                    isUsable(before.candidate), found.check(after: before.check) == found.trailer
                {
                    // The frame before this one is intact, except for its own trailer.
                    confirmed[before.candidate.offset] = before.check
                    return try finish(&gap, at: before.candidate.offset, candidates)
                }
                if found.isConfirmedByPreviousBytes {
                    gap.lastHeader = before?.candidate.header
                    return try finish(&gap, at: found.offset, candidates)
                }
            }
            gap.headers.append(found.header)
            let seed = found.offset == start ? check ?? found.previous : found.previous
            endings[found.offset + found.header.frameLength] = (found, found.check(after: seed))
        }
        isAtEnd = true
        let end = try candidates.endOfBytes(from: start)
        guard end > start || !segment.isLast else { return nil }
        gap.bytes = start..<(segment.isLast ? end : segment.limit)
        return gap
    }

    /// Whether a frame can follow the frames that were read. A sector that the disk returns twice
    /// may contain a frame of the same transaction again.
    private func isUsable(_ found: FrameCandidates.Candidate) -> Bool {
        guard found.header.kind == FrameKind.records else { return true }
        return found.header.firstSequence >= least && !checksAtLeast.contains(found.trailer)
    }

    /// Ends a gap at a frame; nil for an empty gap.
    private mutating func finish(
        _ gap: inout Gap, at end: Int, _ candidates: FrameCandidates
    ) throws(DaybookError) -> Gap? {
        let start = gap.bytes.lowerBound
        if end > start { check = nil }
        offset = end
        guard end > start else { return nil }
        gap.bytes = start..<end
        gap.hasRecords = try !isDictionary(gap.bytes, candidates)
        let last = max(start, end - Self.lastBytesMax - LogFormat.trailerLength)
        gap.lastBytes = Array(
            try candidates.bytes(last..<end).dropLast(LogFormat.trailerLength))
        return gap
    }

    /// Whether damaged bytes were one of the two frames with the dictionary: the first frame of the
    /// segment and the frame before the seal.
    private mutating func isDictionary(
        _ bytes: Range<Int>, _ candidates: FrameCandidates
    ) throws(DaybookError) -> Bool {
        guard try dictionary()?.frameLength == bytes.count else { return false }
        if bytes.lowerBound == LogFormat.SegmentHeader.length { return true }
        return try candidates.candidate(at: bytes.upperBound)?.header.kind == FrameKind.seal
    }

    /// The number of bytes before a frame that may contain a commit record: its metadata has up to
    /// 16 KiB.
    private static let lastBytesMax = 32 << 10
}
