import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Synchronization
import Testing

/// Compactions that fail, are interrupted, or find damage.
@Suite struct CompactionFailureTests {
    private func small(_ fileSystem: any FileSystem) throws -> NoteStore {
        let notes = try NoteStore(fileSystem) {
            $0.log.segmentSizeBytes = 2 << 10
            $0.snapshotChangeCountMin = 1
        }
        for number in 0..<20 { try notes.put("note \(number)") }
        for id in UInt64(3)...9 { try notes.put("changed \(id)", id: id) }
        return notes
    }

    /// The segments stayed on the full disk, and each later snapshot named them, so the next
    /// opening rejected it.
    @Test
    func `a compaction whose manifest fails leaves no segment, and no snapshot refers to one`()
        throws
    {
        let counting: Set<FaultFileSystem.Operation> = [.rename]
        let counter = FaultFileSystem(
            MemoryFileSystem(), failingCall: 0, fault: .errno(28), persistence: .once,
            counting: counting)
        let unharmed = try small(counter)
        let firstCall = counter.callCount
        _ = try unharmed.engine.compact(.latest)
        let lastCall = counter.callCount
        try unharmed.closeProven()
        #expect(lastCall > firstCall + 3)
        for call in stride(from: firstCall + 1, through: lastCall, by: 1) {
            let memory = MemoryFileSystem()
            let fileSystem = FaultFileSystem(
                memory, failingCall: call, fault: .errno(28), persistence: .once,
                counting: counting)
            let notes = try small(fileSystem)
            _ = try? notes.engine.compact(.latest)
            #expect(fileSystem.hasFailed)
            let log = notes.engine.log
            guard log.durability?.failure == nil else {
                try? notes.engine.close()
                continue
            }
            let named =
                log.manifest.sealed.map(\.fileName.text) + [log.manifest.activeFileName.text]
            #expect(
                memory.paths("segment-") == named.map { NoteStore.path + "/" + $0 }.sorted(),
                "call \(call)")
            let all = try notes.all()
            let snapshots = try notes.engine.statistics().snapshots
            #expect(snapshots.allSatisfy { $0.rejection == nil }, "call \(call): \(snapshots)")
            try notes.closeProven()
            let again = try NoteStore(memory)
            let report = again.engine.openReport
            #expect(report.snapshotSequence == again.engine.log.lastSequence, "call \(call)")
            #expect(report.rejectedSnapshots.isEmpty, "call \(call)")
            #expect(try again.all() == all)
            try again.closeProven()
        }
    }

    @Test func `the segments of a failed compaction are kept while a reader uses them`() throws {
        let memory = MemoryFileSystem()
        // Counts the calls that reserve numbers, seal and name the segment and write the snapshot,
        // then the calls that write the manifest and CURRENT.
        let counter = FaultFileSystem(
            memory, failingCall: 0, fault: .errno(28), persistence: .once, counting: [.rename])
        let unharmed = try small(counter)
        _ = try unharmed.engine.compact(.latest)
        let lastCall = counter.callCount
        try unharmed.closeProven()
        let fileSystem = FaultFileSystem(
            MemoryFileSystem(), failingCall: lastCall - 1, fault: .errno(28), persistence: .once,
            counting: [.rename])
        let notes = try small(fileSystem)
        let all = try notes.all()
        try notes.engine.read { view in
            try onThreads(1) { _ in
                expectError(.outOfSpace) { _ = try notes.engine.compact(.latest) }
            }
            #expect(!notes.engine.trees.withLock { $0.replaced.isEmpty })
            var scan = view.scan(notes.entity)
            var found: [UInt64: String] = [:]
            while let row = try scan.next() { found[row.id] = try notes.text(of: row) }
            #expect(found == all)
        }
        notes.engine.releaseReplacedSegments()
        #expect(notes.engine.trees.withLock { $0.replaced.isEmpty })
        let log = notes.engine.log
        #expect(
            Set(log.segmentNumbers(log.manifest))
                == Set(log.manifest.sealed.map(\.number) + [log.manifest.activeNumber]))
        try notes.closeProven()
    }

    @Test func `a compaction can be planned after a damaged snapshot, and for an open store`()
        throws
    {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for start in stride(from: 0, to: 3000, by: 100) {
            try notes.engine.write { transaction in
                for number in start..<(start + 100) { try notes.put("n\(number)", in: transaction) }
            }
        }
        try notes.engine.writeSnapshot()
        let plan = try notes.engine.planCompaction(.latest)
        let path = try #require(fileSystem.paths("snapshot-").last)
        let length = try #require(fileSystem.contents[path]).count
        for access in [Engine.Access.read, .write] {
            let image = fileSystem.afterKill(changing: path) { $0[length / 3] ^= 0x40 }
            let again = try NoteStore(image, access: access)
            #expect(again.engine.openReport.snapshotSequence != nil)
            let found = try again.engine.planCompaction(.latest)
            #expect(found.droppedRecordCount == plan.droppedRecordCount)
            try again.closeProven()
            expectError(.closed) { _ = try again.engine.planCompaction(.latest) }
        }
        try notes.closeProven()
    }

    /// Records that were superseded while the compaction started were dropped, but the history
    /// floor stayed below them.
    @Test func `the state at the history floor is complete beside a writer`() throws {
        let notes = try NoteStore(MemoryFileSystem()) { $0.durability = .manual }
        let ids = try (0..<4).map { try notes.put("first \($0)") }
        for _ in 0..<20 {
            try whileWriting(notes, ids) {
                let floor = try notes.engine.compact(.latest).historyFloor
                var found: [UInt64] = []
                try notes.engine.forEachObject(until: .sequence(floor)) { object in
                    found.append(object.id)
                    return true
                }
                #expect(found == ids)
            }
        }
        try notes.closeProven()
    }

    private func whileWriting(
        _ notes: NoteStore, _ ids: [UInt64], _ body: @Sendable @escaping () throws -> Void
    ) throws {
        let isDone = Atomic(false)
        try onThreads(2) { number in
            if number == 0 {
                defer { isDone.store(true, ordering: .releasing) }
                return try body()
            }
            while !isDone.load(ordering: .acquiring) {
                for id in ids { try notes.put("later \(id)", id: id) }
            }
        }
    }
}
