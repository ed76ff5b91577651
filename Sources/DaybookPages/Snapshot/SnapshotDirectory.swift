internal import DaybookBytes

/// The file, the position and the used pages of each group in a snapshot.
struct SnapshotDirectory {
    struct Entry {
        var group: Int
        /// The pages that the snapshot's version reaches.
        var liveMask: UInt16
        /// The pages in the group's bytes. More than the live pages if the group was copied from an
        /// older snapshot.
        var storedMask: UInt16
        /// The file with the group's bytes: 0 for the snapshot's own, *k* for base *k* - 1.
        var file: UInt8 = 0
        var offset: Int
        var storedLength: Int
        var rawLength: Int
        /// XXH64 of the stored bytes.
        var checksum: UInt64
    }

    /// The older files that contain groups of the snapshot.
    var bases: [SnapshotBase] = []
    /// In the order of group numbers.
    var entries: [Entry] = []

    /// The length of all groups in their files.
    var storedLength: Int { entries.reduce(0) { $0 + $1.storedLength } }

    /// The live pages of all groups.
    var liveMasks: [UInt16] {
        var masks = Array(repeating: UInt16(0), count: (entries.last?.group ?? -1) + 1)
        for entry in entries { masks[entry.group] = entry.liveMask }
        return masks
    }

    /// The uncompressed bytes of the directory. Most groups follow the previous group in their
    /// file, so most offsets take a byte.
    func encode() -> [UInt8] {
        var writer = ByteWriter(capacity: 64 + entries.count * 18)
        writer.varint(UInt64(bases.count))
        for base in bases {
            writer.text(base.name)
            writer.varint(UInt64(base.length))
            writer.uint64(base.checksum)
        }
        writer.varint(UInt64(entries.count))
        var next = 0
        for entry in entries {
            writer.varint(UInt64(entry.group - next))
            next = entry.group + 1
        }
        for entry in entries { writer.uint16(entry.liveMask) }
        for entry in entries { writer.uint16(entry.storedMask ^ entry.liveMask) }
        for entry in entries { writer.uint8(entry.file) }
        for entry in entries { writer.varint(UInt64(entry.storedLength)) }
        var ends = firstOffsets
        for entry in entries {
            writer.zigzag(Int64(entry.offset - ends[Int(entry.file)]))
            ends[Int(entry.file)] = entry.offset + entry.storedLength
        }
        for entry in entries { writer.varint(UInt64(entry.rawLength)) }
        for entry in entries { writer.uint64(entry.checksum) }
        return writer.bytes
    }

    /// The first offset of a group in each file.
    private var firstOffsets: [Int] {
        Array(repeating: SnapshotFormat.Header.length, count: bases.count + 1)
    }

    /// - Parameter end: the offset where the groups in the snapshot's own file must end.
    init(_ bytes: Span<UInt8>, to end: Int) throws(DaybookError) {
        var reader = ByteReader(bytes)
        try readBases(&reader)
        let count = try reader.length()
        // An entry takes at least 17 bytes.
        guard count <= bytes.count / 17 else { throw Self.damaged("\(count) groups") }
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
        for index in 0..<count {
            entries[index].file = try reader.uint8()
            guard entries[index].file <= bases.count else { throw Self.damaged("a file number") }
        }
        try readLengths(&reader, to: end)
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

    private mutating func readBases(_ reader: inout ByteReader) throws(DaybookError) {
        let count = try reader.length()
        guard count <= SnapshotFormat.baseCountMax else { throw Self.damaged("\(count) files") }
        for _ in 0..<count {
            let (name, length) = (try reader.text(), try reader.length())
            bases.append(
                SnapshotBase(name: name, length: length, checksum: try reader.uint64()))
        }
    }

    private mutating func readLengths(
        _ reader: inout ByteReader, to end: Int
    ) throws(DaybookError) {
        for index in entries.indices {
            let length = try reader.length()
            guard length <= SnapshotFormat.groupStoredLengthMax else {
                throw Self.damaged("a length of \(length)")
            }
            entries[index].storedLength = length
        }
        let limits = [end] + bases.map { $0.length - SnapshotFormat.Trailer.length }
        var ends = firstOffsets
        for index in entries.indices {
            let file = Int(entries[index].file)
            let (offset, overflow) = Int64(ends[file]).addingReportingOverflow(try reader.zigzag())
            let length = entries[index].storedLength
            guard !overflow, offset >= SnapshotFormat.Header.length,
                offset <= Int64(limits[file]), length <= limits[file] - Int(offset)
            else { throw Self.damaged("an offset of \(offset)") }
            entries[index].offset = Int(offset)
            ends[file] = Int(offset) + length
        }
        try checkOwnGroups(to: end)
        for index in entries.indices {
            let length = try reader.length()
            guard length <= SnapshotFormat.groupRawLengthMax else {
                throw Self.damaged("a raw length of \(length)")
            }
            entries[index].rawLength = length
        }
    }

    /// Throws unless the groups in the snapshot's own file are adjacent, so that a checksum covers
    /// each byte.
    private func checkOwnGroups(to end: Int) throws(DaybookError) {
        var next = SnapshotFormat.Header.length
        let own = entries.lazy.filter { $0.file == 0 }.map { ($0.offset, $0.storedLength) }
        for (offset, length) in own.sorted(by: { $0.0 < $1.0 }) {
            guard offset == next else {
                throw Self.damaged("a group begins at \(offset), not at \(next)")
            }
            next += length
        }
        guard next == end else { throw Self.damaged("the groups end at \(next), not at \(end)") }
    }

    private static func damaged(_ what: String) -> DaybookError {
        DaybookError(.corruption, "The directory of the snapshot is damaged: \(what).")
    }
}
