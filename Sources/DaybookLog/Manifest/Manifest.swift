import DaybookBytes

/// The immutable description of the log at one moment, replaced as a whole.
package struct Manifest: Equatable, Sendable {
    /// The end of the log at a clean close.
    package struct CleanClose: Equatable, Sendable {
        package var sequence: UInt64
        package var length: Int
        /// The check of the last frame.
        package var check: UInt64
    }

    /// A copy of frames at the end of the active segment, which recovery writes again.
    ///
    /// No known sync covers the frames, although their commits may have returned. Recovery writes
    /// the same bytes at the same place and syncs them. If a power failure damages them meanwhile,
    /// this copy replaces them.
    struct TailCopy: Equatable, Sendable {
        /// The last transaction of the log. A frame that claims it to be durable was written after
        /// the end of that recovery; the copy is not needed any more.
        var sequence: UInt64
        /// The place of the frames in the active segment.
        var offset: Int
        var bytes: [UInt8]
    }

    /// A store whose history this store continues: transactions up to `sequence` are the same in
    /// both.
    package struct Ancestor: Equatable, Sendable {
        package var store: StoreIdentity
        package var sequence: UInt64

        package init(store: StoreIdentity, sequence: UInt64) {
            self.store = store
            self.sequence = sequence
        }
    }

    package var store: StoreIdentity
    package var generation: UInt64 = 0
    package var createdMicroseconds: UInt64
    /// Sealed segments, oldest first.
    package var sealed: [SegmentEntry] = []
    /// The segment that receives appends, and its first sequence.
    package var activeNumber: UInt64 = 1
    package var activeFirstSequence: UInt64 = 1
    package var nextSegmentNumber: UInt64 = 2
    /// History below this sequence may have gaps.
    package var historyFloor: UInt64 = 0
    /// The highest sequence known to be synced when this manifest was written.
    package var durableSequence: UInt64 = 0
    package var cleanClose: CleanClose?
    /// A copy of the end of the log; never together with ``cleanClose``.
    var tailCopy: TailCopy?
    /// Whether this is a read-only copy of a store at ``cleanClose``, in another directory. It has
    /// the identity of its source, because it has the same bytes.
    package var isBackup = false
    /// The stores that this store's history comes from.
    package var ancestors: [Ancestor] = []
    /// The openings that wrote the transactions.
    package var sessions = Sessions()

    /// The file name of the active segment.
    package var activeFileName: StoreFileName {
        .segment(firstSequence: activeFirstSequence, number: activeNumber)
    }

    /// The numbers of all segments that the manifest names.
    package var segmentNumbers: Set<UInt64> { Set(sealed.map(\.number) + [activeNumber]) }

    /// Encodes the manifest. Its length is in front, because zeros follow it in the file. The last
    /// eight bytes are the XXH64 of the bytes before them.
    func encoded() -> ByteWriter {
        var writer = ByteWriter(capacity: 256 + sealed.count * 64)
        writer.uint64(LogFormat.Manifest.magic)
        writer.uint64(0)
        writer.uint16(LogFormat.version)
        writer.uint16(LogFormat.oldestReader)
        writer.uint32(isBackup ? LogFormat.Manifest.backupFlag : 0)
        store.write(to: &writer)
        writer.uint64(generation)
        writer.uint64(createdMicroseconds)
        writer.varint(UInt64(sealed.count))
        for entry in sealed { entry.write(to: &writer) }
        writer.uint64(activeNumber)
        writer.uint64(activeFirstSequence)
        writer.uint64(nextSegmentNumber)
        writer.uint64(historyFloor)
        writer.uint64(durableSequence)
        encodeEnd(to: &writer)
        writer.varint(UInt64(ancestors.count))
        for ancestor in ancestors {
            ancestor.store.write(to: &writer)
            writer.uint64(ancestor.sequence)
        }
        sessions.write(to: &writer)
        let length = writer.count + LogFormat.Manifest.checkLength
        writer.patch(uint64: UInt64(length), at: LogFormat.Manifest.lengthOffset)
        writer.uint64(XXH64.hash(writer.span))
        return writer
    }

    private func encodeEnd(to writer: inout ByteWriter) {
        if let cleanClose {
            writer.uint8(LogFormat.Manifest.cleanClose)
            writer.uint64(cleanClose.sequence)
            writer.varint(UInt64(cleanClose.length))
            writer.uint64(cleanClose.check)
        } else if let tailCopy {
            writer.uint8(LogFormat.Manifest.tailCopy)
            writer.uint64(tailCopy.sequence)
            writer.varint(UInt64(tailCopy.offset))
            writer.lengthPrefixed(tailCopy.bytes.span)
        } else {
            writer.uint8(LogFormat.Manifest.openEnd)
        }
    }

    private mutating func decodeEnd(
        from reader: inout ByteReader, file: String
    ) throws(DaybookError) {
        switch try reader.uint8() {
        case LogFormat.Manifest.openEnd: break
        case LogFormat.Manifest.cleanClose:
            cleanClose = CleanClose(
                sequence: try reader.uint64(), length: try reader.length(),
                check: try reader.uint64())
        case LogFormat.Manifest.tailCopy:
            tailCopy = TailCopy(
                sequence: try reader.uint64(), offset: try reader.length(),
                bytes: try reader.lengthPrefixed().array)
        default: throw Self.inconsistent(file)
        }
    }

    /// The bytes of the manifest at the start of `bytes`; nil if they are damaged.
    static func content(of bytes: Span<UInt8>) -> [UInt8]? {
        guard bytes.loadLittleEndian(at: 0) == LogFormat.Manifest.magic,
            let length = bytes.loadLittleEndian(UInt64.self, at: LogFormat.Manifest.lengthOffset),
            length >= LogFormat.Manifest.lengthMin, length <= UInt64(bytes.count)
        else { return nil }
        let content = bytes.extracting(0..<Int(length))
        let checked = content.count - LogFormat.Manifest.checkLength
        guard content.loadLittleEndian(at: checked) == XXH64.hash(content.extracting(0..<checked))
        else { return nil }
        return content.array
    }

    /// Decodes a manifest. Damage is `.corruption`, a newer format `.formatTooNew`.
    static func decode(_ bytes: Span<UInt8>, file: String) throws(DaybookError) -> Manifest {
        guard let content = content(of: bytes) else { throw damaged(file) }
        var reader = ByteReader(
            content.span.extracting(
                LogFormat.Manifest.headLength..<(content.count - LogFormat.Manifest.checkLength)))
        let version = try reader.uint16()
        if try reader.uint16() > LogFormat.version {
            throw .formatTooNew(found: version, file: file)
        }
        let flags = try reader.uint32()
        let store = try StoreIdentity(reading: &reader)
        let generation = try reader.uint64()
        var manifest = Manifest(store: store, createdMicroseconds: try reader.uint64())
        manifest.generation = generation
        manifest.isBackup = flags & LogFormat.Manifest.backupFlag != 0
        for _ in 0..<(try reader.length()) {
            manifest.sealed.append(try SegmentEntry(reading: &reader))
        }
        manifest.activeNumber = try reader.uint64()
        manifest.activeFirstSequence = try reader.uint64()
        manifest.nextSegmentNumber = try reader.uint64()
        manifest.historyFloor = try reader.uint64()
        manifest.durableSequence = try reader.uint64()
        try manifest.decodeEnd(from: &reader, file: file)
        for _ in 0..<(try reader.length()) {
            let store = try StoreIdentity(reading: &reader)
            manifest.ancestors.append(Ancestor(store: store, sequence: try reader.uint64()))
        }
        guard let sessions = try Sessions(reading: &reader) else { throw inconsistent(file) }
        manifest.sessions = sessions
        guard manifest.isConsistent, reader.isAtEnd else { throw inconsistent(file) }
        return manifest
    }

    static func damaged(_ file: String) -> DaybookError {
        DaybookError(
            .corruption,
            "\(file) is damaged. It lists the segments of the store. Rebuild the store from its"
                + " segments with 'daybook repair DIR --into NEW'.",
            details: ["file": file])
    }

    private static func inconsistent(_ file: String) -> DaybookError {
        DaybookError(
            .corruption,
            "\(file) is inconsistent. It lists the segments of the store. Rebuild the store from"
                + " its segments with 'daybook repair DIR --into NEW'.",
            details: ["file": file])
    }

    /// Whether all numbers are in range and segments are in order, so that sums cannot overflow.
    private var isConsistent: Bool {
        var next: UInt64 = 1
        var slots: Set<UInt32> = [SegmentNumber.slot(of: activeNumber)]
        for entry in sealed {
            guard entry.isConsistent, entry.firstSequence >= next,
                slots.insert(SegmentNumber.slot(of: entry.number)).inserted,
                entry.number < nextSegmentNumber
            else { return false }
            next = entry.lastSequence + 1
        }
        return activeNumber < nextSegmentNumber && nextSegmentNumber <= SegmentNumber.limit
            && activeFirstSequence >= next && activeFirstSequence < .max
            && generation <= .max / 2 && (cleanClose?.sequence ?? 0) < .max
            && (!isBackup || endsWithinReach) && (tailCopy?.isConsistent ?? true)
            && beginsSessionsAfterDurable
    }

    /// Whether the transactions before the last session are durable. A session begins after that.
    private var beginsSessionsAfterDurable: Bool {
        guard let last = sessions.kept.last else { return true }
        return last.firstSequence - 1 <= durableSequence
    }

    /// Whether a backup has an end within its active segment.
    private var endsWithinReach: Bool {
        guard let end = cleanClose else { return false }
        let lengths = LogFormat.SegmentHeader.length...(Location.frameOffsetMax * 2)
        return end.sequence >= activeFirstSequence - 1 && lengths.contains(end.length)
    }
}

extension SegmentEntry {
    /// More than a segment can contain, and low enough that a sum over all segments does not
    /// overflow.
    private static let counts = 0..<(1 << 43)

    fileprivate var isConsistent: Bool {
        let lengths = LogFormat.SegmentHeader.length...(Location.frameOffsetMax * 2)
        return number < SegmentNumber.limit && firstSequence > 0 && firstSequence <= lastSequence
            && lastSequence < .max && lengths.contains(length)
            && (LogFormat.SegmentHeader.length..<length).contains(sealOffset)
            && Self.counts.contains(rawBytes)
            && Self.counts.contains(recordCount)
    }
}

extension Manifest.TailCopy {
    fileprivate var isConsistent: Bool {
        let lengthMax = Location.frameOffsetMax * 2
        return sequence > 0 && sequence < .max && !bytes.isEmpty
            && (LogFormat.SegmentHeader.length...lengthMax).contains(offset)
            && bytes.count <= lengthMax - offset
    }
}

extension Manifest {
    /// The last sequence whose changes may have gaps. Frames after the segments that compactions
    /// rewrote have no gaps, even below the history floor.
    package var gapsEnd: UInt64 {
        min(historyFloor, sealed.last(where: \.isBlocked)?.lastSequence ?? 0)
    }
}
