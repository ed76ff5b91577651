import DaybookBytes

/// The segment files of a directory whose manifest is lost.
struct SegmentFiles {
    struct Found {
        var number: UInt64
        var firstSequence: UInt64
        /// Nil if it is damaged.
        var header: SegmentHeader?
        /// Whether the first frame is a dictionary or claims to be durable itself: only compactions
        /// write such frames.
        var isBlocked: Bool
        /// The last sequence of a complete segment; nil without an intact seal frame.
        var lastSequence: UInt64?
    }

    private(set) var files: [Found] = []

    init(
        _ path: String, _ fileSystem: any FileSystem, _ names: [String]
    ) throws(DaybookError) {
        for name in names {
            guard case .segment(let first, let number)? = StoreFileName(name), first > 0,
                number < SegmentNumber.limit
            else { continue }
            let file = SalvageFile(try fileSystem.open(path + "/" + name, .read))
            let bytes = try file.read(LogFormat.SegmentHeader.length, at: 0)
            files.append(
                Found(
                    number: number, firstSequence: first,
                    header: SegmentHeader.found(in: bytes.span)?.header, isBlocked: false))
            try look(at: file, bytes)
        }
    }

    /// Reads the end of the last file: its seal frame contains its last sequence.
    private mutating func look(at file: SalvageFile, _ header: [UInt8]) throws(DaybookError) {
        guard let found = files.last, let store = found.header?.store else { return }
        let seed = store.seed(segment: found.number)
        let size = try file.size()
        let start = LogFormat.SegmentHeader.length
        let first = try file.read(LogFormat.FrameHeader.length, at: start)
        if let frame = try? FrameHeader.decode(first.span, seed: seed) {
            files[files.count - 1].isBlocked =
                frame.kind == FrameKind.dictionary || frame.durableSequence >= frame.firstSequence
        }
        // The directory in a seal frame has an entry for each 64 KiB.
        let length = min(size, 1 << 20)
        let bytes = try file.read(length, at: size - length)
        var place = bytes.count - LogFormat.FrameHeader.length
        place -= (size - length + place) % LogFormat.alignment
        while place >= 0 {
            let candidate = bytes.span.extracting(place..<bytes.count)
            if let frame = try? FrameHeader.decode(candidate, seed: seed) {
                if frame.kind == FrameKind.seal {
                    files[files.count - 1].lastSequence = frame.lastSequence
                }
                return
            }
            place -= LogFormat.alignment
        }
    }

    /// The store of most files; nil if no header is intact.
    var commonStore: StoreIdentity? {
        var counts: [StoreIdentity: Int] = [:]
        for file in files {
            if let store = file.header?.store { counts[store, default: 0] += 1 }
        }
        return counts.max { $0.value < $1.value }?.key
    }

    /// The time of creation, which is part of each header.
    func createdMicroseconds(of store: StoreIdentity) -> UInt64 {
        files.lazy.compactMap(\.header).first { $0.store == store }?.createdMicroseconds ?? 0
    }

    /// The segments of the log, oldest first, without the leftovers of compactions.
    func plans(of store: StoreIdentity, _ notes: inout [String]) -> [SalvagedSegment.Plan] {
        var kept: [Found] = []
        for file in files {
            let header = file.header
            if header.map({ $0.store == store && $0.number == file.number }) ?? true {
                kept.append(file)
            } else {
                notes.append("\(file.name) was not used: it belongs to another store or segment")
            }
        }
        kept = Self.withoutLeftovers(kept, &notes)
        kept.sort { ($0.firstSequence, $0.number) < ($1.firstSequence, $1.number) }
        return kept.enumerated().map { index, file in
            SalvagedSegment.Plan(
                number: file.number, firstSequence: file.firstSequence,
                lastSequence: file.lastSequence, isLast: index == kept.count - 1)
        }
    }
}

extension SegmentFiles {
    /// Removes unfinished output of compactions, and segments that a compaction replaced.
    private static func withoutLeftovers(_ all: [Found], _ notes: inout [String]) -> [Found] {
        let outputs = all.filter { $0.isBlocked && $0.lastSequence != nil }
            .sorted { ($0.firstSequence, $0.number) < ($1.firstSequence, $1.number) }
        return all.filter { file in
            let last = file.lastSequence ?? file.firstSequence
            let isReplaced = isCovered(
                file.firstSequence, last, by: outputs.filter { $0.number > file.number })
            let isUnfinished =
                file.isBlocked && file.lastSequence == nil
                && all.contains {
                    $0.number < file.number && $0.firstSequence <= file.firstSequence
                        && file.firstSequence <= $0.lastSequence ?? 0
                }
            if isReplaced || isUnfinished {
                notes.append("\(file.name) was not used: it is a leftover of a compaction")
            }
            return !isReplaced && !isUnfinished
        }
    }

    /// Whether segments contain a range of sequences. Between segments with adjacent numbers, a
    /// compaction dropped the missing sequences.
    private static func isCovered(
        _ first: UInt64, _ last: UInt64, by outputs: [Found]
    ) -> Bool {
        var next = first
        var number: UInt64?
        for output in outputs {
            guard let end = output.lastSequence, end >= next else { continue }
            guard output.firstSequence <= next || number.map({ $0 + 1 == output.number }) ?? false
            else { return false }
            if end >= last { return true }
            next = end + 1
            number = output.number
        }
        return false
    }
}

extension SegmentFiles.Found {
    fileprivate var name: String {
        StoreFileName.segment(firstSequence: firstSequence, number: number).text
    }
}
