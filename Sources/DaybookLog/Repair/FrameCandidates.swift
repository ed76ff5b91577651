import DaybookBytes

/// Finds frame headers in the bytes of a damaged segment, reading through a window.
final class FrameCandidates {
    /// A frame whose header passes its check.
    struct Candidate {
        var header: FrameHeader
        var offset: Int
        /// Header, stored payload, padding and trailer.
        var bytes: [UInt8]
        /// The eight bytes before the frame: the check of the previous frame, if they are intact.
        var previous: UInt64

        /// The length of header and stored payload.
        var checkedLength: Int { LogFormat.FrameHeader.length + header.storedLength }

        var stored: Span<UInt8> {
            bytes.span.extracting(LogFormat.FrameHeader.length..<checkedLength)
        }

        /// The check at the end of the frame.
        var trailer: UInt64 {
            bytes.span.loadLittleEndian(at: bytes.count - LogFormat.trailerLength) ?? 0
        }

        /// The check that follows from the bytes of the frame and the check before it.
        func check(after previous: UInt64) -> UInt64 {
            FrameEncoder.check(of: bytes.span.extracting(0..<checkedLength), after: previous)
        }

        var isConfirmedByPreviousBytes: Bool { check(after: previous) == trailer }

        var hasDamagedPadding: Bool {
            bytes[checkedLength..<(bytes.count - LogFormat.trailerLength)].contains { $0 != 0 }
        }
    }

    private static let windowBytes = 1 << 20

    private let file: SalvageFile
    private let seed: UInt64
    private let limit: Int
    private var window: [UInt8] = []
    private var windowOffset = 0

    init(_ file: SalvageFile, seed: UInt64, limit: Int) {
        self.file = file
        self.seed = seed
        self.limit = limit
    }

    /// The frame at an offset; nil if no header is intact there, or if the frame is longer than the
    /// file.
    func candidate(at offset: Int) throws(DaybookError) -> Candidate? {
        try load(LogFormat.FrameHeader.length, at: offset)
        return try candidate(inWindowAt: offset)
    }

    /// The first frame at or after an offset; nil if there is none.
    func next(from offset: Int) throws(DaybookError) -> Candidate? {
        var place = offset
        while place + LogFormat.FrameHeader.length <= limit {
            try load(LogFormat.FrameHeader.length, at: place)
            let (bytes, start) = (window, windowOffset)
            let end = start + bytes.count - LogFormat.FrameHeader.length
            guard place <= end else { return nil }
            while place <= end {
                let magic = bytes.span.loadLittleEndian(UInt32.self, at: place - start)
                if magic == LogFormat.FrameHeader.magic,
                    let found = try candidate(inWindowAt: place)
                {
                    return found
                }
                place += LogFormat.alignment
            }
        }
        return nil
    }

    /// The dictionary of a segment, and the length of the frames that contain it.
    struct Dictionary {
        let content: SegmentDictionary
        let frameLength: Int
    }

    /// The dictionary of the segment, from its first frame or from the copy before the seal; nil if
    /// the segment has none, or if both are damaged.
    func dictionary(_ codec: PayloadCodec) throws(DaybookError) -> Dictionary? {
        var place = LogFormat.SegmentHeader.length
        while let found = try next(from: place) {
            place = found.offset + LogFormat.alignment
            guard found.header.kind == FrameKind.dictionary, found.header.dictionary == 0,
                found.isConfirmedByPreviousBytes
            else { continue }
            do throws(DaybookError) {
                return Dictionary(
                    content: try codec.dictionary(found.stored, found.header),
                    frameLength: found.header.frameLength)
            } catch  where error.code == .corruption {
                continue
            }
        }
        return nil
    }

    private func candidate(inWindowAt offset: Int) throws(DaybookError) -> Candidate? {
        let start = offset - windowOffset
        let end = start + LogFormat.FrameHeader.length
        guard start >= 0, end <= window.count else { return nil }
        let head = Array(window[start..<end])
        guard let header = try FrameHeader.decode(head.span, seed: seed),
            offset + header.frameLength <= limit
        else { return nil }
        let lead = LogFormat.trailerLength
        let bytes = try file.read(lead + header.frameLength, at: offset - lead)
        guard bytes.count == lead + header.frameLength,
            let previous = bytes.span.loadLittleEndian(UInt64.self, at: 0)
        else { return nil }
        return Candidate(
            header: header, offset: offset, bytes: Array(bytes[lead...]), previous: previous)
    }

    private func load(_ count: Int, at offset: Int) throws(DaybookError) {
        let end = min(offset + count, limit)
        if offset >= windowOffset, end <= windowOffset + window.count { return }
        window = try file.read(min(Self.windowBytes, max(0, limit - offset)), at: offset)
        windowOffset = offset
    }

    /// The bytes of a range.
    func bytes(_ range: Range<Int>) throws(DaybookError) -> [UInt8] {
        try file.read(range.count, at: range.lowerBound)
    }

    /// The offset after the last byte that is not zero; `start` if there is none.
    func endOfBytes(from start: Int) throws(DaybookError) -> Int {
        var end = start
        var place = start
        while place < limit {
            let bytes = try file.read(min(Self.windowBytes, limit - place), at: place)
            guard !bytes.isEmpty else { break }
            if let last = bytes.lastIndex(where: { $0 != 0 }) { end = place + last + 1 }
            place += bytes.count
        }
        return end
    }
}
