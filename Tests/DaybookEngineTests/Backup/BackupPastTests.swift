import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// Whether an existing backup is a prefix of the store's history.
@Suite struct BackupPastTests {
    private static let path = "/kept/backup"

    private func content(_ files: any FileSystem) throws -> [UInt64: String] {
        let notes = try NoteStore(files, path: Self.path, access: .read, NoteStore.small)
        defer { try? notes.engine.close() }
        return try notes.all()
    }

    /// Returns the store's files of one time with the backup of another time.
    private func setBack(_ files: MemoryFileSystem, to old: [String: [UInt8]]) -> MemoryFileSystem {
        let kept = files.contents.filter { $0.key.hasPrefix("/kept") }
        return MemoryFileSystem(contents: old.merging(kept) { $1 })
    }

    // The store's files were replaced with older ones, the store committed beyond the last commit
    // of its backup, and a compaction removed each segment that both had in common. The next backup
    // overwrote the old backup.
    @Test(arguments: [HistoryPolicy.all, .since(4), .latest])
    func `a replaced, changed and compacted store is not added to its backup`(
        policy: HistoryPolicy
    ) throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files, count: 10)
        try notes.closeProven()
        let old = files.contents
        let again = try NoteStore(files, NoteStore.small)
        for number in 0..<3 { try again.put("one way \(number)") }
        try again.engine.backup(to: Self.path)
        let expected = try again.all()
        try again.closeProven()
        let found = setBack(files, to: old)
        let behind = try NoteStore(found, NoteStore.small)
        for number in 0..<8 { try behind.put("another way \(number)") }
        _ = try behind.engine.compact(policy, sealsActive: true)
        let before = found.contents.filter { $0.key.hasPrefix("/kept") }
        let error = expectError(.backupInvalid) { try behind.engine.backup(to: Self.path) }
        #expect(error?.message.contains("not of the past of this store") == true)
        #expect(error?.details["path"] == Self.path)
        let after = found.contents.filter { $0.key.hasPrefix("/kept") && !$0.key.hasSuffix("LOCK") }
        #expect(after == before.filter { !$0.key.hasSuffix("LOCK") })
        #expect(try content(found) == expected)
        try behind.closeProven()
    }

    @Test(arguments: [HistoryPolicy.all, .since(4), .latest])
    func `a backup continues after a crash moved its last frames and a compaction rewrote them`(
        policy: HistoryPolicy
    ) throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files)
        try notes.engine.backup(to: Self.path)
        try notes.put("after the backup")
        let found = files.afterKill()
        let next = try NoteStore(found, NoteStore.small)
        #expect(next.engine.openReport.recovery.rewrittenFrameCount > 0)
        _ = try next.engine.compact(policy, sealsActive: true)
        let report = try next.engine.backup(to: Self.path)
        #expect(report.previousSequence != nil)
        #expect(try content(found) == (try next.all()))
        try next.closeProven()
        try notes.closeProven()
    }

    /// Applies commits, crashes, compactions, backups, and replacements with older files. Each
    /// commit of a history has a unique tag. A backup succeeds only if the existing backup is a
    /// prefix of the store's history.
    @Test(arguments: Seeds.first(40 * Seeds.rounds))
    func `a backup succeeds only for a store that continues it`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var files = MemoryFileSystem()
        var notes = try NoteStore(files, NoteStore.small)
        var line: [Int] = []
        var kept: (line: [Int], content: [UInt64: String])?
        var images: [(contents: [String: [UInt8]], line: [Int])] = []
        var tag = 0
        func note(_ line: inout [Int]) throws {
            while try line.count < Int(notes.engine.visibleSequence) {
                tag += 1
                line.append(tag)
            }
        }
        for step in 0..<50 {
            switch Int.random(in: 0..<14, using: &generator) {
            case 0..<5:
                try notes.put("note \(step) " + String(repeating: "x", count: 90))
                try notes.put("changed \(step)", id: 1)
                try notes.put("last \(step)")
            case 5: _ = try notes.engine.compact(.all, sealsActive: true)
            case 6: _ = try notes.engine.compact(.latest)
            case 7: try notes.engine.writeSnapshotAndPrune()
            case 8:
                files = files.afterKill()
                notes = try NoteStore(files, NoteStore.small)
            case 9:
                try notes.closeProven()
                notes = try NoteStore(files, NoteStore.small)
            case 10:
                try note(&line)
                images.append((files.contents.filter { $0.key.hasPrefix("/store") }, line))
            case 11:
                guard let image = images.randomElement(using: &generator) else { continue }
                files = setBack(files, to: image.contents)
                notes = try NoteStore(files, NoteStore.small)
                line = image.line
            default:
                try note(&line)
                let isPast = kept.map { line.starts(with: $0.line) } ?? true
                if isPast {
                    try notes.engine.backup(to: Self.path)
                    kept = (line, try notes.all())
                } else {
                    expectError(.backupInvalid) { try notes.engine.backup(to: Self.path) }
                }
                #expect(try content(files) == kept?.content, "seed \(seed), step \(step)")
            }
            try note(&line)
        }
        try notes.closeProven()
    }
}
