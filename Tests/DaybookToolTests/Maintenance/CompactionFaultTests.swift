import DaybookBytes
import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookLog
import DaybookTesting
import Foundation
import Synchronization
import Testing

/// Bugs of compactions, each as a short history.
@Suite struct CompactionFaultTests {
    private static let person = SampleStore.person

    /// The configuration that opens the stores of these tests.
    private struct Rig {
        var fileSystem: any FileSystem
        var options = EngineOptions()

        init(_ fileSystem: any FileSystem) {
            self.fileSystem = fileSystem
            options.isMaintenanceAutomatic = false
            options.log.segmentSizeBytes = 4096
        }

        func open() throws -> (Engine, EntityLayout) {
            let engine = try Engine.open("/store", fileSystem, options: options)
            return (engine, try engine.register([CompactionFaultTests.person])[0])
        }
    }

    private func put(
        _ name: String, id: UInt64 = 0, _ engine: Engine, _ layout: EntityLayout
    ) throws {
        var row = RowEncoder(RowLayout(layout))
        row.begin()
        try row.set(text: name, at: 0)
        row.finish()
        let bytes = row.row.array
        try engine.write { transaction in
            try transaction.changes.put(
                layout.entityID, id, layout: layout.layoutID, row: bytes.span)
        }
    }

    /// Writes three versions of each of forty objects.
    private func fill(_ engine: Engine, _ layout: EntityLayout) throws {
        for _ in 0..<40 { try put("first", engine, layout) }
        for round in 0..<2 {
            for id in 1...40 {
                try put("version \(round) of \(id)", id: UInt64(id), engine, layout)
            }
        }
    }

    private func objects(_ engine: Engine) throws -> [String] {
        var lines: [String] = []
        try engine.forEachObject { object throws(DaybookError) in
            var text = JSONText()
            try object.appendRow(to: &text)
            lines.append("\(object.id) \(object.sequence) \(text.text)")
            return true
        }
        return lines
    }

    /// Compacts a copy of `whole` while one call fails, then compacts again without failures.
    /// Returns the number of calls before the first compaction and during it.
    @discardableResult
    private func compactTwice(
        _ whole: [String: [UInt8]], failingCall: Int
    ) throws -> (before: Int, during: Int) {
        let disk = MemoryFileSystem(contents: whole)
        let faults = FaultFileSystem(
            disk, failingCall: failingCall, fault: .errno(28), persistence: .once,
            counting: [.open, .rename, .write, .syncDirectory, .preallocate])
        let (engine, _) = try Rig(faults).open()
        let expected = try objects(engine)
        let callsBefore = faults.callCount
        _ = try? engine.compact(.latest)
        let callsAfter = faults.callCount
        #expect(try objects(engine) == expected, "call \(failingCall)")
        do {
            _ = try engine.compact(.latest)
            #expect(try engine.checkReplay().isEqual, "call \(failingCall)")
        } catch {
            // After a failed sync of the directory, the next opening determines the valid manifest.
            #expect(error.code == .durabilityUnknown && faults.hasFailed, "call \(failingCall)")
        }
        #expect(try objects(engine) == expected, "call \(failingCall)")
        if engine.log.durability?.failure == nil {
            try engine.close()
        } else {
            #expect(throws: DaybookError.self) { try engine.close() }
        }
        let (again, _) = try Rig(disk).open()
        #expect(try objects(again) == expected, "call \(failingCall)")
        #expect(try again.checkReplay().isEqual, "call \(failingCall)")
        try again.close()
        return (callsBefore, callsAfter - callsBefore)
    }

    /// The disk was full when the compaction wrote the manifest: the entries pointed to copies that
    /// no manifest named, and the next compaction dropped the originals.
    @Test func `a compaction that fails at any call loses nothing in the next one`() throws {
        let disk = MemoryFileSystem()
        let (engine, layout) = try Rig(disk).open()
        try fill(engine, layout)
        try engine.close()
        let whole = disk.contents
        let (before, during) = try compactTwice(whole, failingCall: 0)
        #expect(during > 10)
        for call in 1...during { try compactTwice(whole, failingCall: before + call) }
    }

    /// A requested compaction and one in the background both replaced the same segments, and the
    /// log contained every transaction twice.
    @Test func `two concurrent compactions run one after the other`() throws {
        let disk = MemoryFileSystem()
        let (engine, layout) = try Rig(disk).open()
        try fill(engine, layout)
        let expected = try objects(engine)
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            do {
                _ = try engine.compact(index % 2 == 0 ? .latest : .all, sealsActive: true)
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(try objects(engine) == expected)
        #expect(try engine.checkReplay().isEqual)
        try engine.close()
        let (again, _) = try Rig(disk).open()
        #expect(try objects(again) == expected)
        try again.close()
    }

    /// The commit that records a compaction was written before the compaction could be interrupted.
    @Test func `an interrupted compaction leaves no trace in the history`() throws {
        let (engine, layout) = try Rig(MemoryFileSystem()).open()
        try fill(engine, layout)
        let sequence = try engine.visibleSequence
        var frameCount = 0
        #expect(throws: DaybookError.self) {
            try engine.compact(
                .latest,
                OperationControl(isCancelled: {
                    frameCount += 1
                    return frameCount > 5
                }))
        }
        #expect(try engine.visibleSequence == sequence)
        #expect(engine.historyFloor == 0)
        #expect(try engine.checkReplay().isEqual)
        try engine.close()
    }

    /// An id was assigned between the commit that records a compaction and the seal, and its object
    /// was removed: nothing recorded the id.
    @Test func `ids of objects that a compaction drops are not assigned again`() throws {
        let disk = MemoryFileSystem()
        let (engine, layout) = try Rig(disk).open()
        try fill(engine, layout)
        try engine.write { transaction in
            for id in 30...40 { _ = try transaction.changes.remove(layout.entityID, UInt64(id)) }
        }
        _ = try engine.compact(.latest)
        _ = try engine.compact(.latest)
        try engine.close()
        let (again, sameLayout) = try Rig(disk).open()
        try put("new", again, sameLayout)
        #expect(try objects(again).last?.hasPrefix("41 ") == true)
        try again.close()
    }

    @Test func `a snapshot from before a compaction does not prevent the next opening`()
        throws
    {
        let disk = MemoryFileSystem()
        let (engine, layout) = try Rig(disk).open()
        try fill(engine, layout)
        try engine.writeSnapshot()
        _ = try engine.compact(.latest)
        let expected = try objects(engine)
        try engine.close()
        let (again, _) = try Rig(disk).open()
        #expect(try objects(again) == expected)
        #expect(try again.checkReplay().isEqual)
        try again.close()
    }
}
