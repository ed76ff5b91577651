import DaybookBytes

/// What makes up the log at one moment: immutable, replaced as a whole.
package struct Manifest: Equatable, Sendable {
    /// Where the log ended when the store was closed in good order.
    package struct CleanClose: Equatable, Sendable {
        package var sequence: UInt64
        package var length: Int
        /// The check of the last frame.
        package var check: UInt64
    }

    package var store: StoreIdentity
    package var generation: UInt64 = 0
    package var createdMicroseconds: UInt64
    /// Sealed segments in the order of time.
    package var sealed: [SegmentEntry] = []
    /// The segment that is appended to, and what it begins with.
    package var activeNumber: UInt32 = 1
    package var activeFirstSequence: UInt64 = 1
    package var nextSegmentNumber: UInt32 = 2
    /// History below this sequence may have gaps.
    package var historyFloor: UInt64 = 0
    /// The highest sequence known to be synced when this manifest was written.
    package var durableSequence: UInt64 = 0
    package var cleanClose: CleanClose?

    /// The active segment's file.
    package var activeFileName: StoreFileName {
        .segment(firstSequence: activeFirstSequence, number: activeNumber)
    }

    /// The bytes, the last eight of them the XXH64 of those before.
    func encoded() -> ByteWriter {
        var writer = ByteWriter(capacity: 256 + sealed.count * 64)
        writer.uint64(LogFormat.Manifest.magic)
        writer.uint16(LogFormat.version)
        writer.uint16(LogFormat.oldestReader)
        writer.uint32(0)
        store.write(to: &writer)
        writer.uint64(generation)
        writer.uint64(createdMicroseconds)
        writer.varint(UInt64(sealed.count))
        for entry in sealed { entry.write(to: &writer) }
        writer.uint32(activeNumber)
        writer.uint64(activeFirstSequence)
        writer.uint32(nextSegmentNumber)
        writer.uint64(historyFloor)
        writer.uint64(durableSequence)
        writer.uint8(cleanClose == nil ? 0 : 1)
        if let cleanClose {
            writer.uint64(cleanClose.sequence)
            writer.varint(UInt64(cleanClose.length))
            writer.uint64(cleanClose.check)
        }
        writer.uint64(XXH64.hash(writer.span))
        return writer
    }

    /// Reads a manifest; damage is `.corruption`, a newer format `.formatTooNew`.
    static func decode(_ bytes: Span<UInt8>, file: String) throws(DaybookError) -> Manifest {
        guard bytes.count > 40, bytes.loadLittleEndian(at: 0) == LogFormat.Manifest.magic,
            let check = bytes.loadLittleEndian(UInt64.self, at: bytes.count - 8),
            XXH64.hash(bytes.extracting(0..<(bytes.count - 8))) == check
        else {
            throw DaybookError(
                .corruption,
                "\(file) is damaged. It lists the segments of the store; restore it from a backup.",
                details: ["file": file])
        }
        var reader = ByteReader(bytes.extracting(8..<(bytes.count - 8)))
        let version = try reader.uint16()
        if try reader.uint16() > LogFormat.version {
            throw .formatTooNew(found: version, file: file)
        }
        _ = try reader.uint32()
        let store = try StoreIdentity(reading: &reader)
        let generation = try reader.uint64()
        var manifest = Manifest(store: store, createdMicroseconds: try reader.uint64())
        manifest.generation = generation
        for _ in 0..<(try reader.length()) {
            manifest.sealed.append(try SegmentEntry(reading: &reader))
        }
        manifest.activeNumber = try reader.uint32()
        manifest.activeFirstSequence = try reader.uint64()
        manifest.nextSegmentNumber = try reader.uint32()
        manifest.historyFloor = try reader.uint64()
        manifest.durableSequence = try reader.uint64()
        if try reader.uint8() != 0 {
            manifest.cleanClose = CleanClose(
                sequence: try reader.uint64(), length: try reader.length(),
                check: try reader.uint64())
        }
        guard manifest.isConsistent else {
            throw DaybookError(
                .corruption,
                "\(file) contradicts itself. It lists the segments of the store; restore it from a"
                    + " backup.",
                details: ["file": file])
        }
        return manifest
    }

    /// Whether its numbers are in range and its segments in order, so that sums with them cannot
    /// overflow.
    private var isConsistent: Bool {
        var next: UInt64 = 1
        var numbers: Set<UInt32> = [activeNumber]
        for entry in sealed {
            guard entry.isConsistent, entry.firstSequence >= next,
                numbers.insert(entry.number).inserted
            else { return false }
            next = entry.lastSequence + 1
        }
        return numbers.allSatisfy { $0 < nextSegmentNumber }
            && nextSegmentNumber <= Location.segmentNumberMax + 1
            && activeFirstSequence >= next && activeFirstSequence < .max
            && generation <= .max / 2 && (cleanClose?.sequence ?? 0) < .max
    }
}

extension SegmentEntry {
    /// More than a segment can hold, and so little that the sum over all segments is a number.
    private static let counts = 0..<(1 << 43)

    fileprivate var isConsistent: Bool {
        let lengths = LogFormat.SegmentHeader.length...(Location.frameOffsetMax * 2)
        return number <= Location.segmentNumberMax && firstSequence > 0
            && firstSequence <= lastSequence && lastSequence < .max && lengths.contains(length)
            && (0..<length).contains(sealOffset) && Self.counts.contains(rawBytes)
            && Self.counts.contains(recordCount)
    }
}

extension Manifest {
    /// The last sequence whose changes may have gaps. What was written behind the segments that
    /// compactions have rewritten has none, also below the history floor.
    var gapsEnd: UInt64 {
        min(historyFloor, sealed.last(where: \.isBlocked)?.lastSequence ?? 0)
    }
}
