package import DaybookBytes
import DaybookRecords
import DaybookLog
package import DaybookPages

/// The snapshot files of a store.
package struct SnapshotStore {
    /// A snapshot that could be opened.
    package struct Candidate {
        package var space: PageSpace
        var stamp: UInt64
        package var metadata: SnapshotMetadata
        var lengthBytes: Int
    }

    /// The number of snapshots that are kept.
    static let keptCount = 2

    let fileSystem: any FileSystem
    let directory: String

    package init(fileSystem: any FileSystem, directory: String) {
        self.fileSystem = fileSystem
        self.directory = directory
    }

    /// Writes a snapshot. It is complete and durable before it gets its name; after an error, no
    /// part of it remains.
    func write(
        _ capture: SnapshotCapture, _ metadata: SnapshotMetadata, isCancelled: () -> Bool
    ) throws(DaybookError) -> SnapshotSummary {
        let name = StoreFileName.snapshot(sequence: metadata.position.sequence).text
        let temporary = directory + "/" + StoreFileName.temporary(of: name).text
        let summary: SnapshotSummary
        do throws(DaybookError) {
            summary = try fill(temporary, capture, metadata, isCancelled)
            try fileSystem.rename(temporary, to: directory + "/" + name)
        } catch {
            // The next attempt has another name, so partial files would accumulate on a full disk.
            try? fileSystem.remove(temporary)
            throw error
        }
        try fileSystem.syncDirectory(directory)
        return summary
    }

    /// Opens a snapshot that was just written, so that its trees can read their pages from it.
    func reopen(
        _ capture: SnapshotCapture, _ metadata: SnapshotMetadata
    ) throws(DaybookError) -> SnapshotCapture.Written {
        let name = StoreFileName.snapshot(sequence: metadata.position.sequence).text
        return try capture.reopen(try fileSystem.open(directory + "/" + name, .read))
    }

    private func fill(
        _ path: String, _ capture: SnapshotCapture, _ metadata: SnapshotMetadata,
        _ isCancelled: () -> Bool
    ) throws(DaybookError) -> SnapshotSummary {
        let file = try fileSystem.open(path, .replace)
        defer { file.close() }
        let summary = try capture.write(
            to: file, metadata: metadata.encoded(), isCancelled: isCancelled)
        try file.sync()
        return summary
    }

    /// Removes all snapshots except the newest ones.
    func prune() throws(DaybookError) {
        for name in try names().dropLast(Self.keptCount) {
            try fileSystem.remove(directory + "/" + name)
        }
    }

    /// Removes the snapshots that a program left because it ended after it wrote a newer one: those
    /// before the usable snapshot of `sequence`, except the newest that are kept.
    func prune(leftBehind sequence: UInt64) throws(DaybookError) {
        let usable = StoreFileName.snapshot(sequence: sequence).text
        for name in try names().filter({ $0 < usable }).dropLast(Self.keptCount - 1) {
            try fileSystem.remove(directory + "/" + name)
        }
    }

    /// Removes the snapshots before a sequence: they point into segments that no longer exist.
    func prune(before sequence: UInt64) throws(DaybookError) {
        let first = StoreFileName.snapshot(sequence: sequence).text
        for name in try names() where name < first {
            try fileSystem.remove(directory + "/" + name)
        }
    }

    /// Removes the snapshot of a sequence.
    func remove(_ sequence: UInt64) throws(DaybookError) {
        try fileSystem.remove(directory + "/" + StoreFileName.snapshot(sequence: sequence).text)
    }

    /// The names of all snapshots, oldest first.
    package func names() throws(DaybookError) -> [String] {
        try fileSystem.list(directory).filter {
            if case .snapshot? = StoreFileName($0) { return true }
            return false
        }
    }

    /// Opens a snapshot. Cost: a read of its directory and its metadata.
    package func open(_ name: String) throws(DaybookError) -> Candidate {
        let file = try fileSystem.open(directory + "/" + name, .read)
        let (space, contents) = try PageSpace.open(snapshot: file)
        let metadata = try SnapshotMetadata(decoding: contents.metadata.span)
        return Candidate(
            space: space, stamp: contents.version.sequence, metadata: metadata,
            lengthBytes: contents.fileLength)
    }
}
