import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookMaintenance
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Testing

/// Random histories and crashes of stores whose snapshots use older files.
@Suite struct SnapshotBaseStoryTests {
    /// A store and the expected content.
    private struct World {
        var fileSystem = MemoryFileSystem()
        var notes: NoteStore
        var model: [UInt64: String] = [:]
        var random: SeededGenerator
        var lastIndexBytes = 0

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            notes = try NoteStore.large(fileSystem, count: 8_000, Self.options)
            for number in 1...8_000 as ClosedRange<UInt64> { model[number] = "note \(number)" }
        }

        static func options(_ options: inout EngineOptions) {
            options.indexBudgetBytes = 256 << 10
            options.log.segmentSizeBytes = 128 << 10
        }

        mutating func change(_ count: Int, removing share: Int) throws {
            let (notes, before) = (notes, model)
            var (model, random) = (before, random)
            try notes.engine.write { transaction in
                for _ in 0..<count {
                    let id = UInt64.random(in: 1...8_000, using: &random)
                    if model[id] != nil, Int.random(in: 0..<100, using: &random) < share {
                        _ = try transaction.changes.remove(notes.entity, id)
                        model[id] = nil
                    } else if model[id] != nil {
                        let text = "changed \(UInt32.random(in: 0...999, using: &random))"
                        _ = try notes.put(text, id: id, in: transaction)
                        model[id] = text
                    } else {
                        let id = try notes.put("added", in: transaction)
                        model[id] = "added"
                    }
                }
            }
            (self.model, self.random) = (model, random)
        }

        /// Writes a snapshot, and checks the number and the length of the files.
        mutating func save() throws {
            try notes.save()
            let indexBytes = notes.engine.trees.withLock { $0.indexBytes }
            let paths = fileSystem.paths("snapshot-")
            let length = paths.reduce(0) { $0 + (fileSystem.contents[$1]?.count ?? 0) }
            // Half of each file is in use by the newest snapshot or by the one before it.
            #expect(length <= 2 * (indexBytes + lastIndexBytes) + paths.count * 2_000)
            #expect(paths.count <= 9)
            #expect(try notes.orphans() == [])
            lastIndexBytes = indexBytes
        }

        mutating func reopen(killed: Bool) throws {
            if killed {
                let found = fileSystem.afterKill()
                try notes.engine.close()
                fileSystem = found
            } else {
                try notes.engine.close()
            }
            notes = try NoteStore(fileSystem) {
                NoteStore.withBases(&$0)
                Self.options(&$0)
            }
            #expect(notes.engine.openReport.rejectedSnapshots == [])
        }
    }

    @Test(arguments: Seeds.first(2))
    func `snapshots give the state of a model and of a replay in every history`(
        seed: UInt64
    ) throws {
        var world = try World(seed: seed)
        try world.save()
        for round in 0..<50 {
            switch Int.random(in: 0..<12, using: &world.random) {
            case 0: _ = try world.notes.engine.compact(.latest, sealsActive: true)
            case 1: _ = try world.notes.engine.compact(.all)
            case 2: try world.reopen(killed: false)
            case 3: try world.reopen(killed: true)
            case 4, 5: try world.notes.engine.evict()
            case 6...8: try world.save()
            case 9: try world.change(800, removing: round < 30 ? 20 : 80)
            default:
                let size = Int.random(in: 1...40, using: &world.random)
                try world.change(size, removing: 30)
            }
            if round % 10 == 9 {
                #expect(try world.notes.all() == world.model, "seed \(seed), round \(round)")
                try world.notes.engine.proveReplay()
            }
        }
        try world.save()
        try world.reopen(killed: true)
        #expect(world.notes.engine.openReport.replayedChangeCount == 0)
        #expect(try world.notes.all() == world.model, "seed \(seed)")
        try world.notes.closeProven()
        #expect(try Engine.verify(NoteStore.path, world.fileSystem).findings.isEmpty)
    }

    /// Two groups of pages.
    private static let noteCount = 3_000

    /// Opens the state after a crash, and expects the content, usable snapshots, and no more files
    /// than needed.
    private func expectRecovered(
        _ files: MemoryFileSystem, after first: UInt64, _ comment: Comment
    ) throws {
        let notes = try NoteStore(files) {
            NoteStore.withBases(&$0)
            $0.isMaintenanceAutomatic = true
        }
        let report = notes.engine.openReport
        #expect(report.rejectedSnapshots == [], comment)
        #expect(try #require(report.snapshotSequence) >= first, comment)
        #expect(try notes.count() == Self.noteCount, comment)
        let version = notes.engine.slot.current.publishedVersion
        try notes.engine.slot.current.checkStructure(version)
        for id in stride(from: 1, through: UInt64(Self.noteCount), by: 601) as StrideThrough<UInt64>
        {
            #expect(try notes.text(id) != nil, comment)
        }
        #expect(try notes.orphans() == [], comment)
        #expect(files.contents.keys.allSatisfy { !$0.hasSuffix(".tmp") }, comment)
        // The opened snapshot is a valid base.
        try notes.put("after the crash", id: 17)
        try notes.save()
        #expect(try notes.orphans() == [], comment)
        try notes.engine.close()
        let again = try NoteStore(files, NoteStore.withBases)
        #expect(again.engine.openReport.replayedChangeCount == 0, comment)
        #expect(again.engine.openReport.rejectedSnapshots == [], comment)
        try again.engine.slot.current.checkStructure(again.engine.slot.current.publishedVersion)
        #expect(try again.text(17) == "after the crash", comment)
        try again.engine.close()
    }

    @Test func `a crash at any step of writing and removing snapshots leaves usable ones`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        let notes = try NoteStore.large(fileSystem, count: Self.noteCount)
        try notes.save()
        let first = notes.engine.log.lastSequence
        let start = fileSystem.operationCount
        // The third snapshot replaces the base and its own predecessors.
        for (round, size) in [2, 2, Self.noteCount / 2, 2].enumerated() {
            try notes.change((1...UInt64(size)).map { $0 * 2 }, "round \(round)")
            try notes.save()
        }
        let end = fileSystem.operationCount
        try notes.closeProven()
        var imageCount = 0
        var checkedCount = 0
        for operation in start...end {
            try expectRecovered(
                fileSystem.afterKill(at: operation), after: first, "killed after \(operation)")
            guard operation % 3 == 0 else { continue }
            try fileSystem.visitCrashImages(after: operation, seed: 7, randomCount: 1) { image in
                imageCount += 1
                guard imageCount % 16 == 0 else { return }
                checkedCount += 1
                try expectRecovered(image.makeFileSystem(), after: first, "\(image)")
            }
        }
        #expect(checkedCount > 20, "\(checkedCount) of \(imageCount)")
    }
}
