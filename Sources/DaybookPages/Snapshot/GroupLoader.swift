internal import DaybookBytes
internal import Synchronization

/// Reads groups of pages from the snapshot that a space was opened from.
final class GroupLoader: Sendable {
    private let file: any File
    /// The live pages of each group, by group number.
    let liveMasks: [UInt16]
    private let entries: [SnapshotDirectory.Entry]
    /// The index in `entries` by group number; -1 for none.
    private let indices: [Int32]
    private let loaded = Mutex<[Int]>([])
    private let loadedCount = Atomic<Int>(0)
    private let adoptedCount = Atomic<Int>(0)

    init(file: any File, directory: SnapshotDirectory) {
        self.file = file
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

    /// The stored bytes of a group, after their checksum was verified.
    func storedBytes(_ entry: SnapshotDirectory.Entry) throws(DaybookError) -> [UInt8] {
        do throws(DaybookError) {
            let bytes = try file.read(entry.storedLength, at: entry.offset)
            guard bytes.count == entry.storedLength else {
                throw DaybookError(.corruption, "The file ends before the group does.")
            }
            guard XXH64.hash(bytes.span) == entry.checksum else {
                throw DaybookError(.corruption, "The checksum does not match.")
            }
            return bytes
        } catch {
            throw Self.failure(entry, error)
        }
    }

    /// Reads, verifies and decompresses a group; nil if the snapshot does not contain it.
    func load(_ group: Int) throws(DaybookError) -> UnsafeMutableRawPointer? {
        guard let entry = entry(of: group) else { return nil }
        let stored = try storedBytes(entry)
        // SAFETY: the caller owns the memory and puts it in the table; on an error it is freed
        // below.
        let memory = unsafe PageTable.allocateGroup()
        do throws(DaybookError) {
            let bytes = try Zstd.decompress(stored.span, rawLength: entry.rawLength)
            try GroupDecoder.decode(
                bytes.span, storedMask: entry.storedMask, liveMask: entry.liveMask
            ) { index in
                // SAFETY: the memory has room for 16 pages, and `index` is below that.
                unsafe Page(memory + index * Page.size)
            }
        } catch {
            // SAFETY: no other thread has seen the memory.
            unsafe memory.deallocate()
            throw Self.failure(entry, error)
        }
        return unsafe memory
    }

    // MARK: Loaded groups

    /// Records that a group was put in the table, so that the writer can use its free pages.
    func noteLoaded(_ group: Int) {
        loaded.withLock { groups in groups.append(group) }
        loadedCount.add(1, ordering: .relaxed)
    }

    /// The groups that were loaded since the last call.
    func takeLoadedGroups() -> [Int] {
        let count = loadedCount.load(ordering: .relaxed)
        guard count != adoptedCount.load(ordering: .relaxed) else { return [] }
        return loaded.withLock { groups in
            let taken = groups
            groups = []
            adoptedCount.add(taken.count, ordering: .relaxed)
            return taken
        }
    }

    private static func failure(
        _ entry: SnapshotDirectory.Entry, _ cause: DaybookError
    ) -> DaybookError {
        DaybookError(
            .corruption,
            "Group \(entry.group) of the snapshot cannot be read. The indexes can be rebuilt from "
                + "an older snapshot or from the log.", cause: cause,
            details: [
                "snapshot": "group", "group": "\(entry.group)", "offset": "\(entry.offset)",
                "length": "\(entry.storedLength)",
            ])
    }
}
