import DaybookBytes
import Synchronization

/// An open segment. Its file stays open and readable while this object lives, even after a
/// compaction unlinked it.
package final class Segment: Sendable {
    package let number: UInt32
    package let firstSequence: UInt64
    let file: any File
    let path: String
    let seed: UInt64
    /// The check in the header, from which the first frame is chained.
    let headerCheck: UInt64

    init(
        store: StoreIdentity, number: UInt32, firstSequence: UInt64, file: any File, path: String,
        headerCheck: UInt64
    ) {
        self.number = number
        self.firstSequence = firstSequence
        self.file = file
        self.path = path
        self.headerCheck = headerCheck
        seed = store.seed(segment: number)
    }

    deinit { file.close() }

    /// Opens a segment and checks its header against the manifest.
    static func open(
        _ name: StoreFileName, number: UInt32, store: StoreIdentity, in directory: String,
        _ fileSystem: any FileSystem, _ mode: FileMode
    ) throws(DaybookError) -> Segment {
        let path = directory + "/" + name.text
        let file: any File
        do throws(DaybookError) {
            file = try fileSystem.open(path, mode)
        } catch  where error.code == .fileNotFound {
            throw .corruption(segment: number, offset: 0, "its file \(name.text) is missing")
        }
        let bytes = try file.read(LogFormat.SegmentHeader.length, at: 0)
        let (header, check) = try SegmentHeader.decode(bytes.span, store: store, number: number)
        guard name == .segment(firstSequence: header.firstSequence, number: number) else {
            throw .corruption(
                segment: number, offset: 0,
                "its header has the first sequence \(header.firstSequence)")
        }
        return Segment(
            store: store, number: number, firstSequence: header.firstSequence, file: file,
            path: path, headerCheck: check)
    }

    /// The position of the first frame.
    var start: LogPosition {
        LogPosition(
            segment: number, offset: LogFormat.SegmentHeader.length, check: headerCheck,
            sequence: firstSequence - 1)
    }

    /// Reads and checks one frame. The check is chained from the previous frame, whose last eight
    /// bytes precede this one. Cost: two reads, or one for frames up to 64 KiB.
    func frame(
        at offset: Int, _ codec: PayloadCodec
    ) throws(DaybookError) -> (header: FrameHeader, payload: [UInt8]) {
        let lead = LogFormat.trailerLength
        guard offset >= LogFormat.SegmentHeader.length else {
            throw .corruption(segment: number, offset: offset, "an index points into its header")
        }
        var bytes = try file.read(64 << 10, at: offset - lead)
        guard bytes.count > lead,
            let header = try FrameHeader.decode(
                bytes.span.extracting(lead..<bytes.count), seed: seed)
        else { throw .corruption(segment: number, offset: offset, "it contains no frame there") }
        if bytes.count < lead + header.frameLength {
            bytes = try file.read(lead + header.frameLength, at: offset - lead)
        }
        guard bytes.count >= lead + header.frameLength,
            let previous = bytes.span.loadLittleEndian(UInt64.self, at: 0)
        else { throw .corruption(segment: number, offset: offset, "a frame exceeds the file") }
        let frame = bytes.span.extracting(lead..<(lead + header.frameLength))
        guard Self.isIntact(frame, header, after: previous) else {
            throw .corruption(
                segment: number, offset: offset, after: max(1, header.firstSequence) - 1,
                "a frame fails its check")
        }
        return (header, try inflate(frame, header, codec))
    }

    func inflate(
        _ frame: Span<UInt8>, _ header: FrameHeader, _ codec: PayloadCodec
    ) throws(DaybookError) -> [UInt8] {
        let start = LogFormat.FrameHeader.length
        return try codec.inflate(frame.extracting(start..<(start + header.storedLength)), header)
    }

    /// Whether header, payload, padding and trailer match the check.
    static func isIntact(
        _ frame: Span<UInt8>, _ header: FrameHeader, after previous: UInt64
    ) -> Bool {
        let checked = LogFormat.FrameHeader.length + header.storedLength
        let trailer = header.frameLength - LogFormat.trailerLength
        for index in checked..<trailer where frame[index] != 0 { return false }
        return frame.loadLittleEndian(at: trailer)
            == FrameEncoder.check(of: frame.extracting(0..<checked), after: previous)
    }
}
