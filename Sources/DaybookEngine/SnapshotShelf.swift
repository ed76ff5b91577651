import DaybookBytes
import DaybookIndex
import DaybookLog
import DaybookPages

/// The snapshot files of a store, newest first.
struct SnapshotShelf {
    /// A snapshot that could be opened.
    struct Candidate {
        var space: PageSpace
        var stamp: UInt64
        var metadata: SnapshotMetadata
    }

    /// How many snapshots are kept.
    static let keptCount = 2

    let fileSystem: any FileSystem
    let directory: String

    /// Writes a snapshot beside the others: whole and durable before it gets its name.
    func write(
        _ capture: SnapshotCapture, _ metadata: SnapshotMetadata, isCancelled: () -> Bool
    ) throws(DaybookError) -> SnapshotSummary {
        let name = StoreFileName.snapshot(sequence: metadata.position.sequence).text
        let temporary = directory + "/" + StoreFileName.temporary(of: name).text
        let file = try fileSystem.open(temporary, .replace)
        defer { file.close() }
        let summary = try capture.write(
            to: file, metadata: metadata.encoded(), isCancelled: isCancelled)
        try file.sync()
        try fileSystem.rename(temporary, to: directory + "/" + name)
        try fileSystem.syncDirectory(directory)
        return summary
    }

    /// Removes all but the newest.
    func prune() throws(DaybookError) {
        for name in try names().dropLast(Self.keptCount) {
            try fileSystem.remove(directory + "/" + name)
        }
    }

    /// Removes those before that sequence: they point into segments that are gone.
    func prune(before sequence: UInt64) throws(DaybookError) {
        let first = StoreFileName.snapshot(sequence: sequence).text
        for name in try names() where name < first {
            try fileSystem.remove(directory + "/" + name)
        }
    }

    /// The names of all snapshots, oldest first.
    func names() throws(DaybookError) -> [String] {
        try fileSystem.list(directory).filter {
            if case .snapshot? = StoreFileName($0) { return true }
            return false
        }
    }

    /// Opens one: its directory and metadata alone are read.
    func open(_ name: String) throws(DaybookError) -> Candidate {
        let file = try fileSystem.open(directory + "/" + name, .read)
        let (space, contents) = try PageSpace.open(snapshot: file)
        let metadata = try SnapshotMetadata(decoding: contents.metadata.span)
        return Candidate(space: space, stamp: contents.version.sequence, metadata: metadata)
    }
}
