import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// Copies of one store that were written to separately, and then compacted.
@Suite struct BackupSessionTests {
    private static let policies: [HistoryPolicy?] = [nil, .all, .latest]

    /// The files of a store with some commits, closed.
    private func original() throws -> [String: [UInt8]] {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files, count: 10)
        try notes.closeProven()
        return files.contents.filter { !$0.key.hasSuffix("LOCK") }
    }

    /// Opens a store, replaces the text of its notes, and compacts it.
    private func continued(
        _ files: MemoryFileSystem, _ path: String, count: Int, _ policy: HistoryPolicy?
    ) throws -> NoteStore {
        let notes = try NoteStore(files, path: path, NoteStore.small)
        for number in 0..<count { try notes.put("text \(number)", id: UInt64(number % 10 + 1)) }
        if let policy { _ = try notes.engine.compact(policy, sealsActive: true) }
        return notes
    }

    private func content(_ files: MemoryFileSystem, _ path: String) throws -> [UInt64: String] {
        let notes = try NoteStore(files, path: path, access: .read, NoteStore.small)
        defer { try? notes.engine.close() }
        return try notes.all()
    }

    private func moved(_ contents: [String: [UInt8]], to path: String) -> [String: [UInt8]] {
        let pairs = contents.map { (path + $0.key.dropFirst("/store".count), $0.value) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private func untouched(_ files: MemoryFileSystem, _ path: String) -> [String: [UInt8]] {
        files.contents.filter { $0.key.hasPrefix(path + "/") && !$0.key.hasSuffix("LOCK") }
    }

    @Test(arguments: policies, policies)
    func `a copy that was written to separately is refused after any compactions`(
        first: HistoryPolicy?, second: HistoryPolicy?
    ) throws {
        let old = try original()
        // The second copy has fewer, as many, and more commits than the first.
        for count in [20, 30, 40] {
            let files = MemoryFileSystem(
                contents: moved(old, to: "/one").merging(moved(old, to: "/two")) { $1 })
            let one = try continued(files, "/one", count: 30, first)
            let two = try continued(files, "/two", count: count, second)
            #expect(one.engine.log.store == two.engine.log.store)
            let last = try one.engine.backup(to: "/kept/one").sequence
            try two.engine.backup(to: "/kept/two")
            for (notes, other) in [(one, "/kept/two"), (two, "/kept/one")] {
                let before = untouched(files, other)
                let error = expectError(.backupInvalid) { try notes.engine.backup(to: other) }
                #expect(error?.message.contains(other) == true)
                #expect(error?.message.contains(notes.engine.log.directory) == true)
                #expect(error?.message.contains("empty or new directory") == true)
                #expect(untouched(files, other) == before)
            }
            #expect(try content(files, "/kept/one") == (try one.all()))
            #expect(try content(files, "/kept/two") == (try two.all()))
            try one.put("more")
            #expect(try one.engine.backup(to: "/kept/one").previousSequence == last)
            try two.put("more")
            #expect(try two.engine.backup(to: "/kept/two").previousSequence != nil)
            try one.closeProven()
            try two.closeProven()
        }
    }

    @Test(arguments: policies, policies)
    func `a backup continues after any compactions and openings`(
        first: HistoryPolicy?, second: HistoryPolicy?
    ) throws {
        let files = MemoryFileSystem(contents: try original())
        let path = "/kept"
        for policy in [first, second, first] {
            let notes = try continued(files, "/store", count: 12, policy)
            try notes.engine.backup(to: path)
            #expect(try content(files, path) == (try notes.all()))
            try notes.closeProven()
            let idle = try NoteStore(files, NoteStore.small)
            if let policy { _ = try idle.engine.compact(policy, sealsActive: true) }
            try idle.engine.backup(to: path)
            #expect(try content(files, path) == (try idle.all()))
            try idle.closeProven()
        }
    }

    // The copy is the same store as long as nobody writes to it.
    @Test func `a copy without own commits continues the backup of the other`() throws {
        let old = try original()
        let files = MemoryFileSystem(
            contents: moved(old, to: "/one").merging(moved(old, to: "/two")) { $1 })
        let one = try NoteStore(files, path: "/one", NoteStore.small)
        try one.engine.backup(to: "/kept")
        try one.closeProven()
        let two = try NoteStore(files, path: "/two", NoteStore.small)
        try two.engine.backup(to: "/kept")
        try two.put("only in the second copy")
        _ = try two.engine.compact(.latest, sealsActive: true)
        try two.engine.backup(to: "/kept")
        let expected = try two.all()
        try two.closeProven()
        let again = try NoteStore(files, path: "/one", NoteStore.small)
        expectError(.backupInvalid) { try again.engine.backup(to: "/kept") }
        try again.put("only in the first copy")
        expectError(.backupInvalid) { try again.engine.backup(to: "/kept") }
        #expect(try content(files, "/kept") == expected)
        try again.closeProven()
    }

    // Both copies have the same history, but a segment number names another segment in each.
    @Test func `copies that were only compacted separately are refused`() throws {
        let old = try original()
        let files = MemoryFileSystem(
            contents: moved(old, to: "/one").merging(moved(old, to: "/two")) { $1 })
        let one = try continued(files, "/one", count: 0, .all)
        let two = try NoteStore(files, path: "/two") {
            NoteStore.small(&$0)
            $0.blockPayloadBytes = 300
        }
        _ = try two.engine.compact(.all, sealsActive: true)
        #expect(one.engine.log.manifest.sessions == two.engine.log.manifest.sessions)
        try one.engine.backup(to: "/kept")
        let before = untouched(files, "/kept")
        let error = expectError(.backupInvalid) { try two.engine.backup(to: "/kept") }
        #expect(error?.message.contains("compacted separately") == true)
        #expect(untouched(files, "/kept") == before)
        #expect(try content(files, "/kept") == (try one.all()))
        try one.closeProven()
        try two.closeProven()
    }

    @Test(arguments: policies)
    func `a restored store continues its own backup and no other`(policy: HistoryPolicy?) throws {
        let files = MemoryFileSystem(contents: try original())
        let source = try continued(files, "/store", count: 5, policy)
        let last = try source.engine.backup(to: "/kept").sequence
        for path in ["/one", "/two"] { _ = try Engine.restore(from: "/kept", to: path, files) }
        let one = try continued(files, "/one", count: 5, policy)
        let two = try continued(files, "/two", count: 5, policy)
        #expect(one.engine.log.manifest.ancestors.first?.store == source.engine.log.store)
        #expect(one.engine.log.manifest.sessions.kept.map(\.firstSequence) == [last + 1])
        for notes in [one, two] {
            let path = notes.engine.log.directory + "-kept"
            let own = try notes.engine.backup(to: path).sequence
            _ = try notes.engine.compact(.latest, sealsActive: true)
            #expect(try notes.engine.backup(to: path).previousSequence == own)
            expectError(.backupInvalid) { try notes.engine.backup(to: "/kept") }
            expectError(.backupInvalid) { try source.engine.backup(to: path) }
        }
        expectError(.backupInvalid) { try one.engine.backup(to: "/two-kept") }
        #expect(try content(files, "/kept") == (try source.all()))
        for notes in [source, one, two] { try notes.closeProven() }
    }

    // A backup as of a moment at which the restored store had no session yet.
    @Test func `the backup of a restored store without commits is continued`() throws {
        let files = MemoryFileSystem(contents: try original())
        let source = try NoteStore(files, NoteStore.small)
        let last = try source.engine.backup(to: "/kept").sequence
        _ = try Engine.restore(from: "/kept", to: "/one", files)
        let restored = try NoteStore(files, path: "/one", NoteStore.small)
        try restored.engine.backup(to: "/one-kept")
        try restored.put("first")
        _ = try restored.engine.compact(.latest, sealsActive: true)
        #expect(try restored.engine.backup(to: "/one-kept").previousSequence == last)
        #expect(try content(files, "/one-kept") == (try restored.all()))
        try restored.closeProven()
        try source.closeProven()
    }

    @Test func `a backup with a forgotten session is continued only if its files prove it`()
        throws
    {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files, count: 10)
        try notes.engine.backup(to: "/proven")
        try notes.engine.backup(to: "/unproven")
        for number in 0..<1_100 { try notes.put("text \(number)", id: UInt64(number % 10 + 1)) }
        try notes.engine.log.commitManifest { manifest in
            for number: UInt64 in 1...1_050 {
                manifest.sessions.begin(.init(identity: number, firstSequence: number + 20))
            }
        }
        #expect(notes.engine.log.manifest.sessions.isShortened)
        try notes.engine.backup(to: "/proven")
        _ = try notes.engine.compact(.latest, sealsActive: true)
        let before = untouched(files, "/unproven")
        let error = expectError(.backupInvalid) { try notes.engine.backup(to: "/unproven") }
        #expect(error?.message.contains("/unproven") == true)
        #expect(error?.message.contains("/store") == true)
        #expect(error?.message.contains("full backup in an empty or new directory") == true)
        #expect(untouched(files, "/unproven") == before)
        // The newer one has a session that is still known.
        try notes.engine.backup(to: "/proven")
        #expect(try content(files, "/proven") == (try notes.all()))
        try notes.closeProven()
    }
}
