import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// Programs that end without `close()`: scripts with a global store, `exit()`, kills.
@Suite struct UncleanEndingTests {
    private static let replayCountMax = 30

    private func open(_ fileSystem: any FileSystem) throws -> NoteStore {
        try NoteStore(fileSystem) {
            $0.isMaintenanceAutomatic = true
            $0.openingReplayCountMax = Self.replayCountMax
        }
    }

    @Test func `hundreds of programs that put once and never close leave few files`() throws {
        var fileSystem = MemoryFileSystem()
        var snapshotCount = 0
        for round in 1...400 {
            let notes = try open(fileSystem)
            let report = notes.engine.openReport
            #expect(report.sequence == UInt64(round == 1 ? 0 : round))
            // An opening that finds twice as many changes writes the snapshot itself.
            #expect(report.replayedChangeCount <= 2 * Self.replayCountMax + 1)
            if report.snapshotSequence != nil { snapshotCount += 1 }
            try notes.put("note \(round)")
            let found = fileSystem.afterKill()
            try notes.engine.close()
            fileSystem = found
            // Three snapshots if the program ended before it removed the oldest.
            #expect(fileSystem.contents.count <= 9)
        }
        #expect(snapshotCount > 300)
        let last = try open(fileSystem)
        let expected = (1...400).map { (UInt64($0), "note \($0)") }
        #expect(try last.all() == Dictionary(uniqueKeysWithValues: expected))
        #expect(last.engine.log.manifest.sealed.isEmpty)
        try last.closeProven()
        #expect(fileSystem.contents.count <= 6)
    }

    @Test func `an opening that replayed much writes a snapshot in the background`() throws {
        let memory = MemoryFileSystem()
        let notes = try NoteStore(memory)
        for number in 0..<Self.replayCountMax + 5 { try notes.put("note \(number)") }
        let fileSystem = memory.afterKill()
        let again = try open(fileSystem)
        #expect(again.engine.openReport.snapshotSequence == nil)
        again.engine.maintenance.sync {}
        #expect(fileSystem.paths("snapshot-").count == 1)
        #expect(again.engine.trees.withLock { $0.changesSinceSnapshot } == 0)
        let third = try open(fileSystem.afterKill())
        #expect(third.engine.openReport.replayedChangeCount == 0)
        try third.closeProven()
        try again.closeProven()
        try notes.engine.close()
    }

    @Test func `an opening that replayed much more writes the snapshot itself`() throws {
        let memory = MemoryFileSystem()
        let notes = try NoteStore(memory)
        for number in 0..<2 * Self.replayCountMax + 5 { try notes.put("note \(number)") }
        let fileSystem = memory.afterKill()
        let again = try open(fileSystem)
        #expect(fileSystem.paths("snapshot-").count == 1)
        #expect(again.engine.maintenanceFailure == nil)
        try again.closeProven()
        try notes.engine.close()
    }

    @Test func `an opening removes the snapshots that an ended program left`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try open(fileSystem)
        for number in 0..<5 {
            try notes.put("note \(number)")
            try notes.engine.writeSnapshot()
        }
        let left = fileSystem.afterKill()
        #expect(left.paths("snapshot-").count == 5)
        let again = try open(left)
        #expect(left.paths("snapshot-") == Array(fileSystem.paths("snapshot-").suffix(2)))
        try again.closeProven()
        try notes.engine.close()
    }

    @Test func `an opening keeps the usable snapshot although newer ones are damaged`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try open(fileSystem)
        for number in 0..<4 {
            try notes.put("note \(number)")
            try notes.engine.writeSnapshot()
        }
        let paths = fileSystem.paths("snapshot-")
        var left = fileSystem
        for path in paths.suffix(2) { left = left.afterKill(changing: path) { $0 = [] } }
        let again = try open(left)
        #expect(again.engine.openReport.rejectedSnapshots.count == 2)
        #expect(again.engine.openReport.snapshotSequence != nil)
        #expect(left.paths("snapshot-") == paths)
        try again.closeProven()
        try notes.engine.close()
    }

    @Test func `an opening that cannot write the snapshot opens nevertheless`() throws {
        let memory = MemoryFileSystem()
        let notes = try NoteStore(memory)
        for number in 0..<2 * Self.replayCountMax + 5 { try notes.put("note \(number)") }
        let fileSystem = memory.afterKill()
        // The manifest with the copy of the tail and CURRENT need two renames.
        let failing = FaultFileSystem(
            fileSystem, failingCall: 3, fault: .errno(28), persistence: .once,
            counting: [.rename])
        let again = try open(failing)
        #expect(failing.hasFailed)
        #expect(again.engine.maintenanceFailure?.code == .outOfSpace)
        #expect(try again.all() == (try notes.all()))
        try again.closeProven()
        try notes.engine.close()
    }

    @Test func `an opening that replayed little writes no snapshot`() throws {
        let memory = MemoryFileSystem()
        let notes = try NoteStore(memory)
        for number in 0..<10 { try notes.put("note \(number)") }
        let fileSystem = memory.afterKill()
        let again = try open(fileSystem)
        again.engine.maintenance.sync {}
        #expect(fileSystem.paths("snapshot-").isEmpty)
        try again.closeProven()
        try notes.engine.close()
    }

    @Test func `the bytes that an opening replays count for the next snapshot`() throws {
        let memory = MemoryFileSystem()
        let notes = try NoteStore(memory)
        for number in 0..<10 { try notes.put("note \(number)") }
        let again = try NoteStore(memory.afterKill())
        let (bytes, length) = (
            again.engine.trees.withLock { $0.bytesSinceSnapshot }, again.engine.log.end.offset
        )
        #expect(bytes == length - LogFormat.SegmentHeader.length)
        try again.closeProven()
        try notes.engine.close()
    }
}
