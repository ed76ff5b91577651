internal import DaybookBytes

/// The position and the used pages of each group in a snapshot.
struct SnapshotDirectory {
    struct Entry {
        var group: Int
        /// The pages that the snapshot's version reaches.
        var liveMask: UInt16
        /// The pages in the group's bytes. More than the live pages if the group was copied from an
        /// older snapshot.
        var storedMask: UInt16
        var offset: Int
        var storedLength: Int
        var rawLength: Int
        /// XXH64 of the stored bytes.
        var checksum: UInt64
    }

    var entries: [Entry] = []

    /// The live pages of all groups.
    var liveMasks: [UInt16] {
        var masks = Array(repeating: UInt16(0), count: (entries.last?.group ?? -1) + 1)
        for entry in entries { masks[entry.group] = entry.liveMask }
        return masks
    }

    /// The uncompressed bytes of the directory. Groups are contiguous, so their offsets follow from
    /// their lengths.
    func encode() -> [UInt8] {
        var writer = ByteWriter(capacity: 16 + entries.count * 16)
        writer.varint(UInt64(entries.count))
        var next = 0
        for entry in entries {
            writer.varint(UInt64(entry.group - next))
            next = entry.group + 1
        }
        for entry in entries { writer.uint16(entry.liveMask) }
        for entry in entries { writer.uint16(entry.storedMask ^ entry.liveMask) }
        for entry in entries { writer.varint(UInt64(entry.storedLength)) }
        for entry in entries { writer.varint(UInt64(entry.rawLength)) }
        for entry in entries { writer.uint64(entry.checksum) }
        return writer.bytes
    }

    /// - Parameters:
    ///   - start: the offset of the first group.
    ///   - end: the offset where the last group must end.
    init(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(DaybookError) {
        var reader = ByteReader(bytes)
        let count = try reader.length()
        // An entry takes at least 15 bytes.
        guard count <= bytes.count / 15 else { throw Self.damaged("\(count) groups") }
        entries = Array(
            repeating: Entry(
                group: 0, liveMask: 0, storedMask: 0, offset: 0, storedLength: 0, rawLength: 0,
                checksum: 0), count: count)
        var next = 0
        for index in 0..<count {
            let skipped = try reader.length()
            guard skipped < PageTable.groupCountMax - next else {
                throw Self.damaged("a group number")
            }
            entries[index].group = next + skipped
            next += skipped + 1
        }
        for index in 0..<count { entries[index].liveMask = try reader.uint16() }
        for index in 0..<count {
            entries[index].storedMask = entries[index].liveMask ^ (try reader.uint16())
        }
        try readLengths(&reader, from: start, to: end)
        for index in 0..<count { entries[index].checksum = try reader.uint64() }
        guard reader.isAtEnd else { throw Self.damaged("\(reader.remaining) bytes too many") }
        for entry in entries {
            let isPageZeroLive = entry.group == 0 && entry.liveMask & 1 != 0
            guard entry.liveMask != 0, entry.liveMask & ~entry.storedMask == 0, !isPageZeroLive
            else {
                throw Self.damaged("the pages of group \(entry.group)")
            }
        }
    }

    init() {}

    private mutating func readLengths(
        _ reader: inout ByteReader, from start: Int, to end: Int
    ) throws(DaybookError) {
        var offset = start
        for index in entries.indices {
            let length = try reader.length()
            guard length <= min(end - offset, SnapshotFormat.groupStoredLengthMax) else {
                throw Self.damaged("a length of \(length)")
            }
            entries[index].offset = offset
            entries[index].storedLength = length
            offset += length
        }
        guard offset == end else {
            throw Self.damaged("the groups end at \(offset), not at \(end)")
        }
        for index in entries.indices {
            let length = try reader.length()
            guard length <= SnapshotFormat.groupRawLengthMax else {
                throw Self.damaged("a raw length of \(length)")
            }
            entries[index].rawLength = length
        }
    }

    private static func damaged(_ what: String) -> DaybookError {
        DaybookError(.corruption, "The directory of the snapshot is damaged: \(what).")
    }
}
