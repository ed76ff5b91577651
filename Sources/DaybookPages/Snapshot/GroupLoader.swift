internal import DaybookBytes
internal import Synchronization

/// Reads groups of pages from a snapshot.
final class GroupLoader: Sendable {
    /// The snapshot's own file, and its bases.
    let files: [SnapshotFile]
    /// The live pages of each group, by group number.
    let liveMasks: [UInt16]
    private let entries: [SnapshotDirectory.Entry]
    /// The index in `entries` by group number; -1 for none.
    private let indices: [Int32]
    /// The number of the snapshot among those of its space, from 1.
    let generation: UInt32
    private let unreadable: Mutex<Set<Int>>

    /// - Parameter unreadable: groups that could not be read from an earlier snapshot.
    init(
        files: [SnapshotFile], directory: SnapshotDirectory, generation: UInt32 = 1,
        unreadable: Set<Int> = []
    ) {
        self.files = files
        self.unreadable = Mutex(unreadable)
        self.generation = generation
        liveMasks = directory.liveMasks
        entries = directory.entries
        var indices = Array(repeating: Int32(-1), count: liveMasks.count)
        for (index, entry) in entries.enumerated() { indices[entry.group] = Int32(index) }
        self.indices = indices
    }

    /// The directory entry of a group; nil if the snapshot does not contain it.
    func entry(of group: Int) -> SnapshotDirectory.Entry? {
        guard group < indices.count, indices[group] >= 0 else { return nil }
        return entries[Int(indices[group])]
    }

    /// The groups that a read found damaged. The next snapshot must not use them unread.
    var unreadableGroups: Set<Int> { unreadable.withLock { $0 } }

    /// The stored bytes of a group, after their checksum was verified.
    func storedBytes(_ entry: SnapshotDirectory.Entry) throws(DaybookError) -> [UInt8] {
        do throws(DaybookError) {
            let file = files[Int(entry.file)].file
            let bytes = try file.read(entry.storedLength, at: entry.offset)
            guard bytes.count == entry.storedLength else {
                throw DaybookError(.corruption, "The file ends before the group does.")
            }
            guard XXH64.hash(bytes.span) == entry.checksum else {
                throw DaybookError(.corruption, "The checksum does not match.")
            }
            return bytes
        } catch {
            throw failure(entry, error)
        }
    }

    /// Reads, verifies and decompresses a group; nil if the snapshot does not contain it. The
    /// caller owns the memory.
    func load(_ group: Int) throws(DaybookError) -> GroupMemory? {
        guard let entry = entry(of: group) else { return nil }
        let stored = try storedBytes(entry)
        let memory = GroupMemory.allocate()
        do throws(DaybookError) {
            let bytes = try Zstd.decompress(stored.span, rawLength: entry.rawLength)
            try GroupDecoder.decode(
                bytes.span, storedMask: entry.storedMask, liveMask: entry.liveMask,
                page: memory.page)
        } catch {
            memory.deallocate()
            throw failure(entry, error)
        }
        for index in 0..<16 { memory.page(index).generation = generation }
        return memory
    }

    private func failure(
        _ entry: SnapshotDirectory.Entry, _ cause: DaybookError
    ) -> DaybookError {
        var details = [
            "snapshot": "group", "group": "\(entry.group)", "offset": "\(entry.offset)",
            "length": "\(entry.storedLength)",
        ]
        unreadable.withLock { _ = $0.insert(entry.group) }
        let name = files[Int(entry.file)].base.name
        if !name.isEmpty { details["file"] = name }
        return DaybookError(
            .corruption,
            "Group \(entry.group) of the snapshot cannot be read. The indexes can be rebuilt from "
                + "an older snapshot or from the log.", cause: cause, details: details)
    }
}
