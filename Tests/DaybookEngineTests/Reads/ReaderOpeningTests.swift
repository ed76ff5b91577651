import DaybookBytes
import DaybookEngine
import DaybookTestSupport
import Synchronization
import Testing

/// A reader that opens a store while a writer replaces its segments.
@Suite struct ReaderOpeningTests {
    private let fileSystem = MemoryFileSystem()

    private func writer() throws -> NoteStore {
        let notes = try NoteStore(fileSystem) { $0.log.segmentSizeBytes = 4 << 10 }
        for number in 0..<300 { try notes.put("note \(number)") }
        #expect(fileSystem.paths("segment-").count > 4)
        return notes
    }

    /// Replaces all segments.
    private static func replaceSegments(of notes: NoteStore) {
        let isReplaced = try? notes.engine.compact(.latest)
        #expect(isReplaced != nil)
    }

    /// Calls `body` before a segment is opened.
    private func hook(_ body: @escaping @Sendable () -> Void) -> FileHook {
        FileHook(base: fileSystem, willOpen: { if $0.contains("/segment-") { body() } })
    }

    /// The sync of the directory is slow on a busy disk, and precedes the reading of the log.
    @Test func `a reader opens its files before it syncs the directory`() throws {
        let notes = try writer()
        let syncCount = Mutex(0)
        let hook = FileHook(
            base: fileSystem,
            willSyncDirectory: {
                syncCount.withLock { $0 += 1 }
                Self.replaceSegments(of: notes)
            })
        let reader = try NoteStore(hook, access: .read)
        #expect(syncCount.withLock { $0 } == 1)
        #expect(try reader.all() == notes.all())
        try reader.engine.close()
        try notes.closeProven()
    }

    /// More often than an opening starts again.
    @Test func `a reader opens a store whose segments are replaced while it opens them`() throws {
        let notes = try writer()
        let replacementsLeft = Mutex(25)
        let hook = hook {
            let isReplacing = replacementsLeft.withLock { left in
                guard left > 0 else { return false }
                left -= 1
                return true
            }
            if isReplacing { Self.replaceSegments(of: notes) }
        }
        let reader = try NoteStore(hook, access: .read)
        #expect(replacementsLeft.withLock { $0 } == 0)
        #expect(try reader.all() == notes.all())
        try reader.engine.close()
        try notes.closeProven()
    }

    @Test func `a missing file is an error although a writer replaces the manifest`() throws {
        let notes = try writer()
        let path = fileSystem.paths("segment-")[1]
        try fileSystem.remove(path)
        let openCount = Mutex(0)
        let hook = hook {
            openCount.withLock { $0 += 1 }
            for _ in 0..<100 { _ = try? notes.put("another note of some length") }
        }
        let generation = notes.engine.log.manifest.generation
        let error = #expect(throws: DaybookError.self) { try NoteStore(hook, access: .read) }
        #expect(error?.code == .corruption)
        #expect(error?.message.contains("is missing") == true)
        #expect(notes.engine.log.manifest.generation > generation)
        #expect(openCount.withLock { $0 } < 100)
        try notes.engine.close()
    }
}
