import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
@testable import DaybookLog
import DaybookTestSupport
import Testing

/// Backups in another directory: their content and how they are made.
@Suite struct BackupTests {
    private static let path = "/kept/backup"

    private func open(_ files: any FileSystem, _ path: String = path) throws -> NoteStore {
        try NoteStore(files, path: path, access: .read, NoteStore.small)
    }

    /// Returns the names of files in the backup with a prefix.
    private func names(_ files: any FileSystem, _ prefix: String = "") throws -> [String] {
        try files.list(Self.path).filter { $0.hasPrefix(prefix) }
    }

    /// Verifies every byte of a backup and returns its content.
    private func content(_ files: any FileSystem, _ path: String = path) throws -> [UInt64: String]
    {
        let report = try Engine.verify(path, files)
        #expect(report.findings.isEmpty)
        let notes = try open(files, path)
        defer { try? notes.engine.close() }
        #expect(try notes.engine.visibleSequence == report.sequence)
        return try notes.all()
    }

    @Test func `a backup opens for reading with all its files, and never for writing`() throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files)
        let report = try notes.engine.backup(to: Self.path)
        #expect(report.sequence == (try notes.engine.visibleSequence))
        #expect(report.previousSequence == nil)
        #expect(report.segments.linkedCount == notes.engine.log.manifest.sealed.count)
        #expect(report.segments.copiedCount == 1)
        let expected = try notes.all()
        try notes.put("later")
        #expect(try content(files) == expected)
        let backup = try open(files)
        #expect(backup.engine.log.lastSequence == report.sequence)
        #expect(backup.engine.log.store == notes.engine.log.store)
        expectError(.readOnly) { try backup.put("no") }
        let before = try names(files)
        expectError(.readOnly) { _ = try NoteStore(files, path: Self.path) }
        #expect(try names(files) == before)
        try backup.engine.close()
        try notes.closeProven()
    }

    @Test func `an empty store has a backup`() throws {
        let files = MemoryFileSystem()
        let engine = try Engine.open("/store", files)
        let report = try engine.backup(to: Self.path)
        #expect(report.sequence == 0)
        #expect(try Engine.verify(Self.path, files).findings.isEmpty)
        try engine.close()
    }

    @Test func `the next backup adds new files and removes unneeded ones`() throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files)
        let first = try notes.engine.backup(to: Self.path)
        for number in 0..<6 {
            try notes.put("more \(number) " + String(repeating: "y", count: 300))
        }
        let second = try notes.engine.backup(to: Self.path)
        #expect(second.previousSequence == first.sequence)
        #expect(second.segments.keptCount == first.segmentCount - 1)
        // The tail of the older backup was sealed since; the new files are links and the new tail.
        let newCount = second.segmentCount - first.segmentCount
        #expect(newCount > 0)
        #expect(second.segments.copiedCount == 2)
        #expect(second.segments.linkedCount == newCount - 1)
        #expect(try content(files) == (try notes.all()))
        // Without new commits, only the tail is copied again.
        let third = try notes.engine.backup(to: Self.path)
        #expect(third.sequence == second.sequence)
        #expect(third.segments.copiedCount == 1)
        _ = try notes.engine.compact(.latest)
        let fourth = try notes.engine.backup(to: Self.path)
        #expect(fourth.segments.linkedCount > 0)
        #expect(try content(files) == (try notes.all()))
        let manifest = notes.engine.log.manifest
        var named: [String] = manifest.sealed.map { $0.fileName.text }
        named.append(manifest.activeFileName.text)
        let segments = try names(files, "segment-")
        #expect(segments == named.sorted())
        #expect(try names(files, "manifest-").count == 1)
        try notes.closeProven()
    }

    @Test func `a backup copies each file once if links are not possible`() throws {
        let memory = MemoryFileSystem()
        let files = LinkHook(memory) { _ in false }
        let notes = try NoteStore.filled(files)
        let sealedCount = notes.engine.log.manifest.sealed.count
        let first = try notes.engine.backup(to: Self.path)
        #expect(first.segments.linkedCount == 0)
        #expect(first.segments.copiedCount == sealedCount + 1)
        let second = try notes.engine.backup(to: Self.path)
        #expect(second.segments.keptCount == sealedCount)
        #expect(second.segments.copiedCount == 1)
        #expect(try content(files) == (try notes.all()))
        // A damaged copy is detected and replaced, unless the backup does not verify existing
        // files.
        let name = try #require(try names(memory, "segment-").first)
        let file = try memory.open(Self.path + "/" + name, .readWrite)
        try file.write([0xFF].span, at: 700)
        file.close()
        let trusting = try notes.engine.backup(to: Self.path, verifiesAll: false)
        #expect(trusting.segments.copiedCount == 1)
        #expect(try Engine.verify(Self.path, files).severity == .corruption)
        #expect(try notes.engine.backup(to: Self.path).segments.copiedCount == 2)
        #expect(try content(files) == (try notes.all()))
        try notes.closeProven()
    }

    @Test func `a backup on another file system consists of copies`() throws {
        let (files, other) = (MemoryFileSystem(), MemoryFileSystem())
        let notes = try NoteStore.filled(files)
        let snapshot = try notes.engine.writeSnapshot()
        let report = try notes.engine.backup(to: NoteStore.path, on: other)
        #expect(report.segments.linkedCount == 0)
        #expect(report.snapshotSequence == snapshot)
        #expect(try content(other, NoteStore.path) == (try notes.all()))
        try notes.closeProven()
    }

    @Test func `a segment that a compaction removes meanwhile is still copied`() throws {
        let memory = MemoryFileSystem()
        let hook = LinkHook(memory) { _ in true }
        let notes = try NoteStore.filled(hook)
        let sequence = try notes.engine.visibleSequence
        let expected = try notes.all()
        hook.whenLinked { _ = try notes.engine.compact(.latest, sealsActive: true) }
        let report = try notes.engine.backup(to: Self.path)
        #expect(report.sequence == sequence)
        #expect(report.segments.copiedCount > 1)
        #expect(try content(memory) == expected)
        try notes.closeProven()
    }

    @Test func `a backup contains a snapshot within its end, and opens from it`() throws {
        let files = MemoryFileSystem()
        let hook = LinkHook(files) { _ in true }
        let notes = try NoteStore.filled(hook)
        let first = try notes.engine.writeSnapshot()
        try notes.put("after it")
        // This snapshot is written after the backup has fixed its end.
        hook.whenLinked {
            try notes.put("meanwhile")
            try notes.engine.writeSnapshot()
        }
        let report = try notes.engine.backup(to: Self.path)
        #expect(report.snapshotSequence == first)
        let backup = try open(files)
        #expect(backup.engine.openReport.snapshotSequence == first)
        #expect(backup.engine.openReport.rejectedSnapshots.isEmpty)
        try backup.engine.close()
        let next = try notes.engine.backup(to: Self.path)
        #expect(next.snapshotSequence == report.sequence + 1)
        #expect(try names(files, "snapshot-").count == 1)
        // The compaction moves frames that an older snapshot refers to.
        _ = try notes.engine.compact(.all)
        let last = try notes.engine.backup(to: Self.path)
        #expect(last.snapshotSequence == last.sequence)
        #expect(try content(files) == (try notes.all()))
        try notes.closeProven()
    }

    @Test
    func
        `a backup contains consumers' earlier positions, and removes those of deleted ones`()
        throws
    {
        let files = MemoryFileSystem()
        let hook = LinkHook(files) { _ in true }
        let notes = try NoteStore.filled(hook)
        let folder = NoteStore.path + "/consumers"
        try files.createDirectory(folder)
        for name in ["mailer", "search"] {
            try files.replaceAtomically([1], named: name, in: folder)
        }
        // Positions that are written after the backup has fixed its end may be beyond that end.
        hook.whenLinked { try files.replaceAtomically([2], named: "mailer", in: folder) }
        try notes.engine.backup(to: Self.path)
        #expect(try files.readAll(Self.path + "/consumers/mailer") == [1])
        #expect(try files.readAll(Self.path + "/consumers/search") == [1])
        try files.remove(folder + "/search")
        try notes.engine.backup(to: Self.path)
        #expect(try files.list(Self.path + "/consumers") == ["mailer"])
        #expect(try files.readAll(Self.path + "/consumers/mailer") == [2])
        #expect(try content(files) == (try notes.all()))
        try notes.closeProven()
    }

    @Test func `a reader of a backup keeps its version during the next backup`() throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files)
        try notes.engine.backup(to: Self.path)
        let reader = try open(files)
        let before = try reader.all()
        for number in 0..<8 { try notes.put("new \(number)" + String(repeating: "z", count: 300)) }
        _ = try notes.engine.compact(.latest)
        try notes.engine.backup(to: Self.path)
        #expect(try !reader.engine.refresh())
        #expect(try reader.all() == before)
        try reader.engine.close()
        #expect(try content(files) == (try notes.all()))
        try notes.closeProven()
    }

    @Test func `a read-only store and a backup can be backed up`() throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files)
        let reader = try NoteStore(files, access: .read, NoteStore.small)
        let expected = try reader.all()
        try notes.put("not seen by the reader")
        let report = try reader.engine.backup(to: Self.path)
        #expect(report.sequence == (try reader.engine.visibleSequence))
        #expect(try content(files) == expected)
        let backup = try open(files)
        try backup.engine.backup(to: "/second")
        #expect(try content(files, "/second") == expected)
        // The writer continues with either.
        try notes.engine.backup(to: "/second")
        #expect(try content(files, "/second") == (try notes.all()))
        try backup.engine.close()
        try reader.engine.close()
        try notes.closeProven()
    }

    @Test func `a backup continues after a crash of the store moved its last frames`() throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files)
        try notes.engine.backup(to: Self.path)
        try notes.put("after the backup")
        let found = files.afterKill()
        let next = try NoteStore(found, NoteStore.small)
        #expect(next.engine.openReport.recovery.rewrittenFrameCount > 0)
        let report = try next.engine.backup(to: Self.path)
        #expect(report.previousSequence == report.sequence - 1)
        #expect(try content(found) == (try next.all()))
        try next.closeProven()
        try notes.closeProven()
    }

    @Test func `an interrupted backup keeps the older backup, and a first one leaves no files`()
        throws
    {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files)
        var calls = 0
        let soon = OperationControl(isCancelled: {
            calls += 1
            return calls > 3
        })
        expectError(.interrupted) { try notes.engine.backup(to: Self.path, soon) }
        #expect(try files.kind(of: "/kept") == nil)
        try notes.engine.backup(to: Self.path)
        let expected = try notes.all()
        let before = try names(files)
        for number in 0..<6 { try notes.put("new \(number)" + String(repeating: "z", count: 300)) }
        let now = OperationControl(isCancelled: { true })
        expectError(.interrupted) { try notes.engine.backup(to: Self.path, now) }
        #expect(try names(files) == before)
        #expect(try content(files) == expected)
        var fractions: [Double] = []
        let watched = OperationControl(progress: { fractions.append($0) })
        try notes.engine.backup(to: Self.path, watched)
        #expect(fractions.count > 5)
        #expect(fractions == fractions.sorted())
        #expect(fractions.last == 1)
        try notes.closeProven()
        expectError(.closed) { try notes.engine.backup(to: Self.path) }
    }
}

/// A file system where a test controls whether links succeed, and runs a closure when a link is
/// made.
final class LinkHook: ForwardingFileSystem {
    let base: any FileSystem
    private let allows: @Sendable (String) -> Bool
    private let action = Action()

    init(_ base: any FileSystem, _ allows: @escaping @Sendable (String) -> Bool) {
        self.base = base
        self.allows = allows
    }

    /// Runs a closure once, before the next link.
    func whenLinked(_ act: @escaping () throws -> Void) { action.act = act }

    func link(_ path: String, to newPath: String) throws(DaybookError) -> Bool {
        let act = action.act
        action.act = nil
        do { try act?() } catch {
            throw error as? DaybookError ?? DaybookError(.inputOutput, "\(error)")
        }
        guard allows(newPath) else { return false }
        return try base.link(path, to: newPath)
    }

    // SENDABLE: the tests that use it run on one thread.
    private final class Action: @unchecked Sendable {
        var act: (() throws -> Void)?
    }
}
