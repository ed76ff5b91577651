import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
@testable import DaybookPages
import DaybookTesting
import DaybookTestSupport

/// Searches the files of a store for a text, in the stored bytes and in the decompressed ones.
enum StoredTexts {
    /// The files that contain a text. A reader must not need the store's help to find it, so the
    /// search includes quarantine, temporary files and snapshots that nothing names any more.
    static func files(
        containing text: String, _ fileSystem: MemoryFileSystem, path: String = NoteStore.path
    ) throws -> [String] {
        let wanted = Array(text.utf8)
        var found: Set<String> = []
        for (path, bytes) in fileSystem.contents where bytes.contains(wanted) { found.insert(path) }
        for path in fileSystem.paths("snapshot-") {
            let file = try fileSystem.open(path, .read)
            defer { file.close() }
            let directory = try SnapshotReader(file).directory
            for entry in directory.entries where entry.file == 0 {
                let stored = try file.read(entry.storedLength, at: entry.offset)
                let raw = try Zstd.decompress(stored.span, rawLength: entry.rawLength)
                if raw.contains(wanted) { found.insert(path) }
            }
        }
        var options = EngineOptions()
        options.refreshIntervalMilliseconds = 0
        let engine = try Engine.open(
            path, fileSystem.afterKill(), access: .read, options: options)
        for entry in engine.log.entries {
            var scanner = try engine.log.scan(entry)
            while let frame = try scanner.next() {
                if frame.payload.contains(wanted) { found.insert(entry.fileName.text) }
            }
        }
        try engine.close()
        return found.sorted()
    }
}
