import DaybookBytes
import Synchronization

/// A segment of an open log. It stays readable while this object lives, even after a compaction
/// unlinked its file.
///
/// The file of a sealed segment may be closed while nobody reads it; a read opens it again.
package final class Segment: Sendable {
    package let number: UInt64
    package let firstSequence: UInt64
    let path: String
    let seed: UInt64
    /// The header as it was written, also if that of the file is damaged.
    let headerBytes: [UInt8]
    /// The damage of the header when the file was opened.
    let headerDamage: SegmentHeader.Damage?
    let fileSystem: any FileSystem
    let slot: Mutex<Slot>
    /// The length of the first read of a frame: the longest frame that needed a second one, up to
    /// ``readLengthMax``.
    private let readLength = Atomic(1 << 10)
    private static let readLengthMax = 4 << 10

    struct Slot {
        var file: SharedFile?
        /// The dictionary, after its first use; released with the file.
        var dictionary: SegmentDictionary?
        /// The table of tokens, while a packed frame in the cache or the dictionary retains it. A
        /// file that was closed and opened again then has no second table.
        weak var tokens: TokenTable?
        /// The limit of open files that applies; nil if the file must stay open.
        var files: OpenSegmentFiles?
        /// Whether the file was used since ``closeUnlessUsed()`` last examined it.
        var isUsed = true
        /// Whether the file stays open although `files` could close it.
        var isKept = false
        /// Whether no manifest names the segment, so that its file has to be removed.
        var isDiscarded = false
    }

    init(
        store: StoreIdentity, number: UInt64, firstSequence: UInt64, file: any File, path: String,
        _ fileSystem: any FileSystem, headerBytes: [UInt8],
        headerDamage: SegmentHeader.Damage? = nil
    ) {
        self.number = number
        self.firstSequence = firstSequence
        self.path = path
        self.fileSystem = fileSystem
        self.headerBytes = headerBytes
        self.headerDamage = headerDamage
        slot = Mutex(Slot(file: SharedFile(file)))
        seed = store.seed(segment: number)
    }

    deinit {
        slot.withLock { slot in
            if slot.isKept { slot.files?.release() }
        }
    }

    /// Opens a segment and compares its header with `header`, which follows from the manifest. A
    /// damaged header is replaced by that. Its file stays open until ``allowClosing(_:)``.
    ///
    /// Throws `.corruption` if the file is missing or belongs to another segment.
    static func open(
        _ header: SegmentHeader, in directory: String, _ fileSystem: any FileSystem,
        _ mode: FileMode, copy: Manifest.TailCopy? = nil
    ) throws(DaybookError) -> Segment {
        let name = header.fileName.text
        let path = directory + "/" + name
        var file: any File
        do throws(DaybookError) {
            file = try fileSystem.open(path, mode)
        } catch  where error.code == .fileNotFound {
            throw .corruption(
                segment: header.number, offset: 0, "its file \(name) is missing")
        }
        if let copy { file = PatchedFile(file, copy) }
        let (bytes, damage) = try header.compared(with: headerBytes(of: file))
        return Segment(
            store: header.store, number: header.number, firstSequence: header.firstSequence,
            file: file, path: path, fileSystem, headerBytes: bytes, headerDamage: damage)
    }

    /// The first bytes of a file; none if their sector cannot be read.
    private static func headerBytes(of file: any File) throws(DaybookError) -> [UInt8] {
        do throws(DaybookError) {
            return try file.read(LogFormat.SegmentHeader.length, at: 0)
        } catch  where error.code == .inputOutput {
            return []
        }
    }

    /// Opens the active segment of a manifest. If the manifest has a copy of its last frames, they
    /// are read from the copy.
    static func openActive(
        of manifest: Manifest, in directory: String, _ fileSystem: any FileSystem, _ mode: FileMode
    ) throws(DaybookError) -> Segment {
        try open(manifest.activeHeader, in: directory, fileSystem, mode, copy: manifest.tailCopy)
    }

    /// Opens a sealed segment of a manifest and checks its length. (Its content is checked when it
    /// is read.) `files` may close the file while nobody uses it.
    static func openSealed(
        _ entry: SegmentEntry, of manifest: Manifest, in directory: String,
        _ fileSystem: any FileSystem, _ files: OpenSegmentFiles
    ) throws(DaybookError) -> Segment {
        let segment = try open(manifest.header(of: entry), in: directory, fileSystem, .read)
        let size = try segment.file.size()
        guard size == entry.length else {
            throw .corruption(
                segment: entry.number, offset: min(size, entry.length),
                "it has \(size) bytes but was sealed with \(entry.length)")
        }
        segment.allowClosing(files)
        return segment
    }

    /// Reads bytes from `end` on from the file and not from the copy in the manifest.
    func clipCopy(to end: Int) {
        (slot.withLock { $0.file }?.base as? PatchedFile)?.clip(to: end)
    }

    /// The file, which stays open as long as the caller retains it. Opens it if it is closed.
    var file: any File {
        get throws(DaybookError) { try sharedFile() }
    }

    func sharedFile() throws(DaybookError) -> SharedFile {
        let open = slot.withLock { slot in
            slot.isUsed = true
            return slot.file
        }
        if let open { return open }
        let fresh: SharedFile
        do throws(DaybookError) {
            fresh = SharedFile(try fileSystem.open(path, .read))
        } catch  where error.code == .fileNotFound {
            throw DaybookError(
                .historyTruncated,
                "Segment \(number) no longer exists: a compaction by the writer replaced it."
                    + " Refresh the store and begin the read again.",
                cause: error, details: ["segment": String(number)])
        }
        let (file, files) = slot.withLock { slot -> (SharedFile, OpenSegmentFiles?) in
            if let file = slot.file { return (file, nil) }
            slot.file = fresh
            return (fresh, slot.files)
        }
        files?.add(self)
        return file
    }

    /// The check at the end of the header, from which the first frame is chained.
    var headerCheck: UInt64 {
        let bytes = headerBytes
        return bytes.span.loadLittleEndian(at: LogFormat.SegmentHeader.checkOffset) ?? 0
    }

    /// The position of the first frame.
    var start: LogPosition {
        LogPosition(
            segment: number, offset: LogFormat.SegmentHeader.length, check: headerCheck,
            sequence: firstSequence - 1)
    }

    /// Reads bytes of the file. A damaged header is read as it was written.
    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        var bytes = try file.read(count, at: offset)
        if headerDamage != nil, offset == 0, bytes.count >= headerBytes.count {
            bytes.replaceSubrange(0..<headerBytes.count, with: headerBytes)
        }
        return bytes
    }

    /// Reads, checks and decodes one frame. Cost: two reads, or one for frames up to 4 KiB.
    func frame(
        at offset: Int, _ codec: PayloadCodec
    ) throws(DaybookError) -> (header: FrameHeader, payload: [UInt8]) {
        let (header, bytes) = try checkedFrame(at: offset)
        let start = LogFormat.trailerLength
        let frame = bytes.span.extracting(start..<(start + header.frameLength))
        return (header, try inflate(frame, header, codec))
    }

    /// Reads and checks one frame, and decodes it unless it is packed. Cost: as ``frame(at:_:)``.
    func cachedFrame(
        at offset: Int, _ codec: PayloadCodec
    ) throws(DaybookError) -> (header: FrameHeader, frame: CachedFrame) {
        let (header, bytes) = try checkedFrame(at: offset)
        let start = LogFormat.trailerLength
        let frame = bytes.span.extracting(start..<(start + header.frameLength))
        guard header.codec == .packed else {
            return (header, .inflated(InflatedFrame(bytes: try inflate(frame, header, codec))))
        }
        let records = try codec.unpack(
            Self.stored(frame, header), rawLength: header.rawLength,
            dictionary: try dictionary(of: header, codec))
        return (header, .packed(records))
    }

    /// Reads and checks one frame of records, and returns bytes that contain the record at
    /// `recordOffset`, and its offset in them: the payload, or of a packed frame the record alone,
    /// without a copy of the frame. Cost: as ``frame(at:_:)``.
    func record(
        at recordOffset: Int, inFrameAt offset: Int, _ codec: PayloadCodec
    ) throws(DaybookError) -> (payload: [UInt8], offset: Int) {
        let (header, bytes) = try checkedFrame(at: offset)
        guard header.kind == FrameKind.records else { throw unlikeItsHeader(offset) }
        let start = LogFormat.trailerLength
        let frame = bytes.span.extracting(start..<(start + header.frameLength))
        guard header.codec == .packed else {
            let payload = try inflate(frame, header, codec)
            guard payload.count == header.rawLength else { throw unlikeItsHeader(offset) }
            return (payload, recordOffset)
        }
        let record = try codec.record(
            at: recordOffset, ofPacked: Self.stored(frame, header), rawLength: header.rawLength,
            dictionary: try dictionary(of: header, codec))
        return (record, 0)
    }

    /// The error for a frame that is not the one that an index points to.
    func unlikeItsHeader(_ offset: Int) -> DaybookError {
        .corruption(
            segment: number, offset: offset,
            "the kind or length of a frame differs from its header")
    }

    /// Reads and checks one frame. The check is chained from the previous frame, whose last eight
    /// bytes precede this one, also in the result.
    func checkedFrame(
        at offset: Int
    ) throws(DaybookError) -> (header: FrameHeader, bytes: [UInt8]) {
        let lead = LogFormat.trailerLength
        guard offset >= LogFormat.SegmentHeader.length else {
            throw .corruption(segment: number, offset: offset, "an index points into its header")
        }
        let file = try file
        var bytes = try file.read(readLength.load(ordering: .relaxed), at: offset - lead)
        guard bytes.count > lead,
            let header = try FrameHeader.decode(
                bytes.span.extracting(lead..<bytes.count), seed: seed)
        else { throw .corruption(segment: number, offset: offset, "it contains no frame there") }
        if bytes.count < lead + header.frameLength {
            bytes = try file.read(lead + header.frameLength, at: offset - lead)
            if bytes.count <= Self.readLengthMax {
                readLength.store(bytes.count, ordering: .relaxed)
            }
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
        return (header, bytes)
    }

    /// Decodes the payload of a checked frame, with the segment's dictionary if it needs that.
    func inflate(
        _ frame: Span<UInt8>, _ header: FrameHeader, _ codec: PayloadCodec
    ) throws(DaybookError) -> [UInt8] {
        try codec.inflate(
            Self.stored(frame, header), header, dictionary: try dictionary(of: header, codec))
    }

    /// The dictionary that a frame needs; nil if it needs none.
    private func dictionary(
        of header: FrameHeader, _ codec: PayloadCodec
    ) throws(DaybookError) -> SegmentDictionary? {
        header.dictionary == 0 ? nil : try dictionary(codec)
    }

    @_lifetime(copy frame)
    private static func stored(_ frame: Span<UInt8>, _ header: FrameHeader) -> Span<UInt8> {
        let start = LogFormat.FrameHeader.length
        return frame.extracting(start..<(start + header.storedLength))
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
