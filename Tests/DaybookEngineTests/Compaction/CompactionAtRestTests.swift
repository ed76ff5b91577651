import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Foundation
import Testing

/// The compression of a store that is idle or closed.
@Suite struct CompactionAtRestTests {
    private static let text = String(repeating: "a text that repeats itself, ", count: 8)

    private func open(
        _ fileSystem: any FileSystem, idleMilliseconds: Int = 3_600_000
    ) throws -> NoteStore {
        try NoteStore(fileSystem) {
            $0.isMaintenanceAutomatic = true
            $0.idleMillisecondsBeforeCompression = idleMilliseconds
        }
    }

    /// Puts notes until the log has at least this many more bytes.
    private func grow(_ notes: NoteStore, byBytes bytes: Int) throws {
        let end = notes.engine.log.lengthBytes + bytes
        while notes.engine.log.lengthBytes < end {
            try notes.engine.write { transaction in
                for number in 0..<20 { try notes.put(Self.text + "\(number)", in: transaction) }
            }
        }
    }

    private func compressedLengthBytes(_ fileSystem: MemoryFileSystem) throws -> Int {
        let copy = try NoteStore(fileSystem.afterKill())
        let report = try copy.engine.compact(.all, sealsActive: true)
        try copy.engine.close()
        return try #require(report.bytesAfter)
    }

    @Test func `closing compresses the log, also of a store that grows by little`() throws {
        let fileSystem = MemoryFileSystem()
        let roundCount = 8
        var count = 0
        for round in 0..<roundCount {
            let notes = try open(fileSystem)
            try grow(notes, byBytes: [3_000, 40_000, 90_000, 700_000][round % 4])
            count = try notes.all().count
            try notes.closeProven()
            let again = try open(fileSystem)
            #expect(try again.all().count == count)
            #expect(again.engine.openReport.recovery.wasClosedCleanly)
            let lengthBytes = again.engine.log.lengthBytes
            try again.engine.close()
            let compressed = try compressedLengthBytes(fileSystem)
            #expect(
                Double(lengthBytes) <= 1.2 * Double(compressed) + Double(Engine.rawBytesMin),
                "round \(round)")
        }
        // Small segments were merged.
        let last = try open(fileSystem)
        #expect(last.engine.log.manifest.sealed.count <= 6)
        #expect(last.engine.log.manifest.activeNumber < UInt64(roundCount) * 8)
        try last.closeProven()
    }

    @Test func `a compression rewrites at most the size of a segment`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem) {
            $0.isMaintenanceAutomatic = true
            $0.log.segmentSizeBytes = 200 << 10
            $0.idleMillisecondsBeforeCompression = 3_600_000
        }
        for _ in 0..<5 {
            try grow(notes, byBytes: 150 << 10)
            notes.engine.maintenance.sync {}
            notes.engine.compressRawFrames(because: .idle)
        }
        let sealed = notes.engine.log.manifest.sealed
        try grow(notes, byBytes: 190 << 10)
        notes.engine.maintenance.sync {}
        notes.engine.compressRawFrames(because: .idle)
        let kept = notes.engine.log.manifest.sealed.filter { sealed.contains($0) }
        let rewritten = sealed.filter { !kept.contains($0) }
        #expect(rewritten.reduce(0) { $0 + $1.length } <= 200 << 10)
        #expect(!notes.engine.log.manifest.sealed.map(\.isBlocked).contains(false))
        try notes.closeProven()
    }

    @Test func `closing a store of a few commits writes no segment`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try open(fileSystem)
        for number in 0..<50 { try notes.put("note \(number)") }
        try notes.closeProven()
        #expect(fileSystem.paths("segment-").count == 1)
    }

    @Test func `without automatic maintenance, closing compresses nothing`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try grow(notes, byBytes: 300_000)
        try notes.closeProven()
        #expect(fileSystem.paths("segment-").count == 1)
    }

    @Test(.timeLimit(.minutes(5))) func `an idle store compresses its log`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try open(fileSystem, idleMilliseconds: 20)
        try grow(notes, byBytes: 300_000)
        let all = try notes.all()
        while !notes.engine.log.manifest.sealed.contains(where: \.isBlocked) {
            Thread.sleep(forTimeInterval: 0.005)
        }
        #expect(try notes.all() == all)
        try notes.put("later")
        #expect(try notes.all().count == all.count + 1)
        try notes.closeProven()
    }

    @Test(.timeLimit(.minutes(5)))
    func `a store that was idle, too, is compressed after later commits`()
        throws
    {
        let fileSystem = MemoryFileSystem()
        let notes = try open(fileSystem, idleMilliseconds: 20)
        try notes.put("few")
        while notes.engine.trees.withLock({ $0.isIdleCheckScheduled }) {
            Thread.sleep(forTimeInterval: 0.005)
        }
        #expect(notes.engine.log.manifest.sealed.isEmpty)
        try grow(notes, byBytes: 300_000)
        while !notes.engine.log.manifest.sealed.contains(where: \.isBlocked) {
            Thread.sleep(forTimeInterval: 0.005)
        }
        try notes.closeProven()
    }

    @Test func `closing does not wait for a running compaction`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try open(fileSystem)
        try grow(notes, byBytes: 100_000)
        let count = try notes.all().count
        notes.engine.compaction.withLock { _ in notes.engine.compressRawFrames(because: .idle) }
        #expect(notes.engine.log.manifest.sealed.isEmpty)
        try notes.closeProven()
        let again = try open(fileSystem)
        #expect(try again.all().count == count)
        try again.closeProven()
    }

    @Test func `a compression that fails loses nothing, and is repeated when the log is longer`()
        throws
    {
        // The renames of a compression that succeeds.
        let counter = FaultFileSystem(
            MemoryFileSystem(), failingCall: 0, fault: .errno(28), persistence: .once,
            counting: [.rename])
        let unharmed = try open(counter)
        try grow(unharmed, byBytes: 100_000)
        let firstCall = counter.callCount
        unharmed.engine.compressRawFrames(because: .idle)
        let lastCall = counter.callCount
        try unharmed.closeProven()
        #expect(lastCall > firstCall + 2)

        var failedCount = 0
        for call in (firstCall + 1)...lastCall {
            let failing = FaultFileSystem(
                MemoryFileSystem(), failingCall: call, fault: .errno(28), persistence: .once,
                counting: [.rename])
            let notes = try open(failing)
            try grow(notes, byBytes: 100_000)
            let all = try notes.all()
            notes.engine.compressRawFrames(because: .idle)
            #expect(failing.hasFailed)
            #expect(try notes.all() == all)
            // A snapshot that cannot be written is not an error, and a failed sync ends the store.
            let engine = notes.engine
            guard engine.maintenanceFailure != nil, engine.log.durability?.failure == nil else {
                try? engine.close()
                continue
            }
            #expect(engine.maintenanceFailure?.code == .outOfSpace)
            failedCount += 1
            let sealed = engine.log.manifest.sealed
            engine.compressRawFrames(because: .idle)
            #expect(engine.log.manifest.sealed == sealed)
            #expect(sealed.allSatisfy { !$0.isBlocked })
            try grow(notes, byBytes: 200_000)
            // The commits may have begun the compression of the sealed segment.
            engine.maintenance.sync {}
            engine.compressRawFrames(because: .idle)
            #expect(Set(engine.log.manifest.sealed.map(\.isBlocked)) == [true])
            #expect(engine.maintenanceFailure == nil)
            try notes.closeProven()
        }
        #expect(failedCount > 0)
    }

    @Test func `a kill at any point of the compression at closing loses nothing`() throws {
        let memory = MemoryFileSystem(recording: true)
        let notes = try open(memory)
        try grow(notes, byBytes: 80_000)
        let all = try notes.all()
        let first = memory.operationCount
        try notes.closeProven()
        for operation in first...memory.operationCount {
            let again = try open(memory.afterKill(at: operation))
            #expect(try again.all() == all)
            try again.closeProven()
        }
    }
}
