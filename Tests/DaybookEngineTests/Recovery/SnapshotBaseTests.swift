import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookMaintenance
import DaybookTesting
import DaybookTestSupport
import Synchronization
import Testing

/// Snapshots that use pages of older files.
@Suite struct SnapshotBaseTests {
    private let fileSystem = MemoryFileSystem()

    private func open(
        _ files: MemoryFileSystem, _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> NoteStore {
        try NoteStore(files) {
            NoteStore.withBases(&$0)
            change(&$0)
        }
    }

    @Test func `a snapshot after few changes writes a small part of the indexes`() throws {
        let notes = try NoteStore.large(fileSystem, count: 40_000)
        let full = try notes.save()
        try notes.put("changed", id: 20_000)
        #expect(try notes.save() < full / 4)
        try notes.put("added")
        #expect(try notes.save() < full / 4)
        #expect(fileSystem.paths("snapshot-").count == 3)
        try notes.closeProven()
        // The opened snapshot is the base of the next one.
        let again = try open(fileSystem)
        #expect(again.engine.openReport.snapshotSequence == again.engine.log.lastSequence)
        try again.change([3, 30_000], "changed again")
        #expect(try again.save() < full / 3)
        #expect(try again.text(20_000) == "changed")
        try again.closeProven()
        let last = try open(fileSystem)
        #expect(last.engine.openReport.snapshotSequence == last.engine.log.lastSequence)
        #expect(try last.text(3) == "changed again")
        #expect(try Engine.verify(NoteStore.path, fileSystem).findings.isEmpty)
        try last.closeProven()
    }

    @Test func `snapshots at one sequence use each other`() throws {
        let notes = try NoteStore.large(fileSystem)
        try notes.save()
        let sequence = try notes.engine.writeSnapshot()
        #expect(try notes.engine.writeSnapshot() == sequence)
        #expect(try notes.save() < 2_000)
        #expect(try notes.orphans() == [])
        let again = try open(fileSystem.afterKill())
        #expect(again.engine.openReport.snapshotSequence == sequence)
        #expect(again.engine.openReport.replayedChangeCount == 0)
        try again.closeProven()
        try notes.closeProven()
    }

    @Test func `the statistics name the files that newer snapshots use`() throws {
        let notes = try NoteStore.large(fileSystem)
        for id in [1, 2, 3] as [UInt64] {
            try notes.put("changed", id: id)
            try notes.save()
        }
        let lines = try notes.engine.statistics().snapshots
        #expect(lines.map(\.isBase) == [true, false, false])
        #expect(lines.allSatisfy { $0.rejection == nil })
        try notes.closeProven()
    }

    @Test func `a base that was removed from an open store is written again`() throws {
        let notes = try NoteStore.large(fileSystem)
        let full = try notes.save()
        try notes.put("changed", id: 5)
        for path in fileSystem.paths("snapshot-") { try fileSystem.remove(path) }
        #expect(try notes.save() > full / 2)
        let again = try open(fileSystem.afterKill())
        #expect(again.engine.openReport.replayedChangeCount == 0)
        #expect(again.engine.openReport.rejectedSnapshots.isEmpty)
        try again.closeProven()
        try notes.closeProven()
    }

    @Test func `a compaction's snapshots use older files, and recovery finds them`() throws {
        let notes = try NoteStore.large(fileSystem) { $0.log.segmentSizeBytes = 64 << 10 }
        try notes.save()
        for round in 0..<3 {
            try notes.change(stride(from: 1, to: 12_000, by: 50), "round \(round)")
            try notes.save()
            _ = try notes.engine.compact(.latest, sealsActive: true)
            let again = try open(fileSystem.afterKill())
            #expect(again.engine.openReport.rejectedSnapshots.isEmpty)
            #expect(again.engine.openReport.replayedChangeCount == 0)
            try again.closeProven()
            #expect(try Engine.verify(NoteStore.path, fileSystem).findings.isEmpty)
        }
        try notes.closeProven()
    }

    // MARK: Damage

    /// A store whose two newest snapshots use the same base.
    private func store() throws -> (MemoryFileSystem, content: [UInt64: String], base: String) {
        let notes = try NoteStore.large(fileSystem)
        try notes.save()
        for id in [5, 7_000] as [UInt64] {
            try notes.put("changed", id: id)
            try notes.save()
        }
        try notes.put("in the log only", id: 9)
        let content = try notes.all()
        try notes.closeProven()
        let paths = fileSystem.paths("snapshot-")
        #expect(paths.count == 3)
        return (fileSystem, content, paths[0])
    }

    /// Opens the store, compares its content, and expects that its next snapshots are valid. They
    /// may use a file of which they do not read the damaged part.
    private func expectIntact(
        _ files: MemoryFileSystem, _ content: [UInt64: String], except damaged: String? = nil
    ) throws {
        let notes = try open(files)
        #expect(try notes.all() == content)
        try notes.engine.proveReplay()
        for id in [6, 8_000] as [UInt64] {
            try notes.put("later", id: id)
            try notes.save()
        }
        #expect(try notes.orphans() == [])
        try notes.closeProven()
        let report = try Engine.verify(NoteStore.path, files)
        #expect(report.findings.allSatisfy { $0.subject == damaged }, "\(report.findings)")
        #expect(report.snapshotCount == 2)
        let again = try open(files)
        #expect(again.engine.openReport.replayedChangeCount == 0)
        #expect(again.engine.openReport.rejectedSnapshots.isEmpty)
        try again.closeProven()
    }

    @Test func `a missing, shortened or replaced base costs a replay only`() throws {
        let (files, content, base) = try store()
        let name = String(base.split(separator: "/").last ?? "")
        let newest = files.contents[files.paths("snapshot-")[2]] ?? []
        let changes: [(inout [UInt8]) -> Void] = [
            { $0 = [] }, { $0.removeLast() }, { $0.removeLast($0.count / 2) }, { $0 = newest },
            { $0[$0.count - 20] ^= 4 },
        ]
        for change in changes {
            let damaged = files.afterKill(changing: base, change)
            let report = try Engine.verify(NoteStore.path, damaged)
            #expect(report.severity == .repairable)
            #expect(report.findings.contains { $0.details["file"] == name })
            let notes = try open(damaged)
            #expect(notes.engine.openReport.snapshotSequence == nil)
            #expect(notes.engine.openReport.rejectedSnapshots.count == 3)
            try notes.engine.close()
            try expectIntact(damaged, content)
        }
        let missing = files.afterKill()
        try missing.remove(base)
        #expect(try Engine.verify(NoteStore.path, missing).severity == .repairable)
        try expectIntact(missing, content)
    }

    @Test func `a flipped bit anywhere in a base is found and gives no wrong answer`() throws {
        let (files, content, base) = try store()
        let length = files.contents[base]?.count ?? 0
        let name = String(base.split(separator: "/").last ?? "")
        for offset in stride(from: 0, to: length - 80, by: length / 9) {
            let damaged = files.afterKill(changing: base) { $0[offset] ^= 8 }
            let report = try Engine.verify(NoteStore.path, damaged)
            #expect(report.severity == .repairable, "byte \(offset)")
            #expect(report.findings.first?.subject == name, "byte \(offset)")
            // The live state cannot be read beside a damaged page.
            #expect(report.findings.dropFirst().allSatisfy { $0.subject == "state" })
            try expectIntact(damaged, content, except: name)
        }
    }

    @Test func `a damaged snapshot falls back to the older one with its bases`() throws {
        let (files, content, base) = try store()
        let damaged = files.afterKill(changing: files.paths("snapshot-")[2]) { $0 = [] }
        let notes = try open(damaged) { $0.isMaintenanceAutomatic = true }
        #expect(notes.engine.openReport.rejectedSnapshots.count == 1)
        #expect(notes.engine.openReport.replayedChangeCount == 2)
        #expect(damaged.contents[base] != nil)
        #expect(try notes.all() == content)
        // The next snapshot keeps the usable one, and removes the damaged one.
        try notes.put("later", id: 1)
        try notes.save()
        #expect(try notes.orphans() == [])
        #expect(damaged.contents.values.allSatisfy { !$0.isEmpty })
        try notes.closeProven()
    }

    @Test func `a prune keeps the bases of the older snapshot`() throws {
        let notes = try NoteStore.large(fileSystem)
        try notes.save()
        try notes.put("changed", id: 5)
        let sequence = notes.engine.log.lastSequence
        try notes.save()
        // All pages change, so the newest snapshot needs no older file.
        try notes.change(1...12_000, "all")
        try notes.save()
        let newest = try #require(fileSystem.paths("snapshot-").last)
        let again = try open(fileSystem.afterKill(changing: newest) { $0 = [] })
        #expect(again.engine.openReport.snapshotSequence == sequence)
        #expect(try again.text(5) == "all")
        try again.closeProven()
        try notes.closeProven()
    }

    // MARK: Readers and backups

    // So a reader that finds no base can tell a removed snapshot from a damaged one.
    @Test func `a writer removes a snapshot before the files that it uses`() throws {
        let removed = Mutex<[String]>([])
        let hook = FileHook(
            base: fileSystem, willRemove: { path in removed.withLock { $0.append(path) } })
        let notes = try NoteStore.large(hook)
        try notes.save()
        for id in [1, 2, 3] as [UInt64] {
            try notes.put("changed", id: id)
            try notes.save()
        }
        // All pages change, so the new snapshots need no older file.
        try notes.change(1...12_000, "all")
        try notes.save()
        removed.withLock { $0 = [] }
        try notes.change(1...12_000, "all again")
        try notes.save()
        let paths = removed.withLock { $0 }
        #expect(paths.count == 2)
        #expect(paths == paths.sorted().reversed())
        #expect(fileSystem.paths("snapshot-").count == 2)
        try notes.closeProven()
    }

    @Test func `a reader uses a newer snapshot if a base is removed while it opens`() throws {
        let notes = try NoteStore.large(fileSystem)
        try notes.save()
        try notes.put("changed", id: 5)
        try notes.save()
        let base = fileSystem.paths("snapshot-")[0]
        let memory = fileSystem
        let hook = FileHook(
            base: fileSystem,
            willOpen: { path in
                guard path == base, memory.contents[base] != nil else { return }
                // All pages change, so the new snapshots need no older file.
                for round in 0..<2 {
                    try? notes.change(1...12_000, "round \(round)")
                    _ = try? notes.save()
                }
            })
        let reader = try NoteStore(hook, access: .read)
        #expect(fileSystem.contents[base] == nil)
        #expect(reader.engine.openReport.rejectedSnapshots.isEmpty)
        #expect(reader.engine.openReport.snapshotSequence == notes.engine.log.lastSequence)
        #expect(try reader.text(5) == "round 1")
        try reader.engine.close()
        try notes.closeProven()
    }

    @Test func `a reader keeps the files that a writer removes`() throws {
        let notes = try NoteStore.large(fileSystem)
        try notes.save()
        try notes.put("changed", id: 5)
        try notes.save()
        let reader = try NoteStore(fileSystem, access: .read)
        for round in 0..<2 {
            try notes.change(1...12_000, "round \(round)")
            try notes.save()
        }
        let texts = try (1...12_000).map { try reader.text($0) }
        #expect(texts.allSatisfy { $0 != nil })
        try reader.engine.close()
        try notes.closeProven()
    }

    @Test(arguments: [true, false])
    func `a backup contains the bases of its snapshot, each copied once`(links: Bool) throws {
        let path = "/kept"
        let files = fileSystem
        let copied = Mutex<[String]>([])
        let hook = FileHook(
            base: LinkHook(files) { _ in links },
            willOpen: { opened in
                guard opened.hasPrefix(path), opened.hasSuffix(".tmp") else { return }
                copied.withLock { $0.append(opened) }
            })
        let notes = try NoteStore.large(hook)
        try notes.save()
        for round in 0..<3 {
            try notes.change([5, UInt64(round + 100)], "round \(round)")
            let sequence = try notes.engine.writeSnapshot()
            let report = try notes.engine.backup(to: path, verifiesAll: false)
            #expect(report.snapshotSequence == sequence)
            let names = files.contents.keys.filter { $0.hasPrefix(path + "/snapshot-") }
            #expect(names.count > 1)
            #expect(try Engine.verify(path, files).findings.isEmpty)
            let backup = try NoteStore(files, path: path, access: .read)
            #expect(backup.engine.openReport.snapshotSequence == sequence)
            #expect(backup.engine.openReport.rejectedSnapshots.isEmpty)
            #expect(try backup.text(5) == "round \(round)")
            try backup.engine.close()
        }
        let snapshots = copied.withLock { $0.filter { $0.contains("snapshot-") } }
        #expect(snapshots.count == (links ? 0 : 4))
        #expect(Set(snapshots).count == snapshots.count)
        // A damaged copy of a base is replaced.
        let base = try #require(
            files.contents.keys.filter { $0.hasPrefix(path + "/snapshot-") }.min())
        let file = try files.open(base, .readWrite)
        try file.resize(to: 100)
        file.close()
        if !links {
            let report = try notes.engine.backup(to: path)
            #expect(report.snapshotSequence == notes.engine.log.lastSequence)
            #expect(try Engine.verify(path, files).findings.isEmpty)
        }
        try notes.closeProven()
    }
}
