import DaybookBytes

/// Reads the active segment to the last whole transaction and examines the bytes after it.
struct TailScanner {
    private let segment: Segment
    private let size: Int
    private var scanner: SegmentScanner
    /// The end of the last whole transaction.
    private(set) var end: LogPosition
    /// The end of the last non-zero byte; `end.offset` after a clean end.
    private(set) var tornEnd: Int
    /// Whether only the seal frame of an unfinished roll follows.
    private(set) var endsWithSeal = false
    /// The highest durable sequence in any header, including headers in the torn part.
    private(set) var durableClaim: UInt64 = 0
    private(set) var frameCount = 0
    /// The end of each transaction from the last one that ``durableClaim`` covers.
    private var positions: [LogPosition]
    private var hash: XXH64?
    private var sparseIndex: [SparseIndexEntry] = []
    private let sparseIndexStart: LogPosition
    private var rawBytes = 0
    private var recordCount = 0

    /// Starts at `resume`, if that is in this segment, else at the first frame.
    init(_ segment: Segment, from resume: LogPosition?, size: Int) throws(DaybookError) {
        self.segment = segment
        self.size = size
        var start = segment.start
        if let resume, resume.segment == segment.number, resume != start {
            let lead = LogFormat.trailerLength
            let trailer = try segment.file.read(lead, at: resume.offset - lead)
            guard trailer.span.loadLittleEndian(at: 0) == resume.check else {
                throw .corruption(
                    segment: segment.number, offset: resume.offset, after: resume.sequence,
                    "frames up to there, which a snapshot covers, are missing or changed")
            }
            start = resume
        } else {
            let fresh = Tail(startOf: segment)
            hash = fresh.hash
        }
        scanner = SegmentScanner(segment, from: start, limit: size)
        end = start
        sparseIndexStart = start
        tornEnd = start.offset
        positions = [start]
    }

    mutating func run() throws(DaybookError) {
        var sequence = end.sequence
        var isOpen = false
        // Frames of a transaction without its end.
        var pending: [SegmentScanner.Frame] = []
        var sealEnd: Int?
        while let frame = try scanner.next() {
            let header = frame.header
            note(claim: header.durableSequence)
            if header.kind == FrameKind.seal {
                // The roll did not commit its manifest. It is repeated from the end of the records,
                // because it is unknown whether this frame was synced.
                if !isOpen { sealEnd = scanner.offset }
                break
            }
            if header.kind < FrameKind.skippableFrom {
                try check(frame, after: sequence, isOpen: isOpen)
                sequence = header.lastSequence
                isOpen = !header.endsTransaction
            }
            frameCount += 1
            pending.append(frame)
            if !isOpen { accept(&pending, at: frame, sequence) }
        }
        try look(behind: sealEnd ?? end.offset)
        endsWithSeal = sealEnd == tornEnd
        if endsWithSeal { tornEnd = end.offset }
    }

    private mutating func note(claim: UInt64) {
        guard claim > durableClaim else { return }
        durableClaim = claim
        let covered = positions.lastIndex { $0.sequence <= claim } ?? 0
        positions.removeFirst(covered)
    }

    /// Throws unless a frame contains records that continue the sequence.
    private func check(
        _ frame: SegmentScanner.Frame, after sequence: UInt64, isOpen: Bool
    ) throws(DaybookError) {
        let header = frame.header
        guard header.kind != FrameKind.dictionary else {
            throw .corruption(
                segment: segment.number, offset: frame.offset, after: sequence,
                "a segment that is not compacted has a dictionary")
        }
        guard header.kind == FrameKind.records else {
            throw .formatTooNew(found: LogFormat.version + 1, file: "segment \(segment.number)")
        }
        guard header.firstSequence == (isOpen ? sequence : sequence + 1),
            header.lastSequence >= header.firstSequence
        else {
            throw .corruption(
                segment: segment.number, offset: frame.offset, after: sequence,
                "a frame begins with sequence \(header.firstSequence)")
        }
    }

    private mutating func accept(
        _ pending: inout [SegmentScanner.Frame], at last: SegmentScanner.Frame, _ sequence: UInt64
    ) {
        for frame in pending {
            hash?.update(frame.bytes.span)
            sparseIndex.note(frame)
            rawBytes += frame.header.rawLength
            recordCount += Int(frame.header.recordCount)
        }
        pending.removeAll(keepingCapacity: true)
        end = last.end(in: segment, sequence: sequence)
        positions.append(end)
    }

    /// Looks for non-zero bytes, and for frame headers with a durable sequence among them.
    private mutating func look(behind offset: Int) throws(DaybookError) {
        tornEnd = offset
        let step = 1 << 20
        let overlap = LogFormat.FrameHeader.length
        var start = offset
        while start < size {
            let bytes = try segment.file.read(min(step + overlap, size - start), at: start)
            guard !bytes.isEmpty else { return }
            if let last = bytes.lastIndex(where: { $0 != 0 }) {
                tornEnd = max(tornEnd, start + last + 1)
                var place = 0
                while place + overlap <= bytes.count {
                    let candidate = bytes.span.extracting(place..<(place + overlap))
                    if let header = try? FrameHeader.decode(candidate, seed: segment.seed) {
                        durableClaim = max(durableClaim, header.durableSequence)
                    }
                    place += LogFormat.alignment
                }
            }
            start += step
        }
    }

    /// The last end of a transaction that `claim` covers.
    func lastPosition(durableUpTo claim: UInt64) -> LogPosition? {
        positions.last { $0.sequence <= claim } ?? positions.first
    }

    func tail(allocated: Int) -> Tail {
        Tail(
            segment: segment, offset: end.offset, check: end.check, lastSequence: end.sequence,
            allocated: allocated, hash: hash, sparseIndex: sparseIndex,
            sparseIndexStart: sparseIndexStart,
            rawBytes: rawBytes,
            recordCount: recordCount)
    }
}
