import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
@testable import DaybookLog
import DaybookTestSupport
import Testing

/// Compactions of a store with a damaged segment.
@Suite struct DamagedCompactionTests {
    /// The files of a closed store with several uncompressed segments, one of which is damaged, and
    /// the number of that segment.
    private func files() throws -> (fileSystem: MemoryFileSystem, damaged: UInt64) {
        let files = MemoryFileSystem()
        let notes = try NoteStore(files) {
            $0.log.segmentSizeBytes = 2 << 10
            $0.snapshotChangeCountMin = 0
        }
        for number in 0..<120 { try notes.put("note \(number), with a longer text") }
        let entries = notes.engine.log.manifest.sealed
        try notes.engine.close()
        #expect(entries.count > 4)
        let path = NoteStore.path + "/" + entries[2].fileName.text
        return (files.afterKill(changing: path) { $0[$0.count / 2] ^= 1 }, entries[2].number)
    }

    @Test func `a damaged segment does not prevent the compression of the others`() throws {
        let (files, damaged) = try files()
        let notes = try NoteStore(files)
        let error = #expect(throws: DaybookError.self) { try notes.engine.compact(.all) }
        #expect(error?.code == .corruption)
        #expect(error?.details["segment"] == String(damaged))
        let raw = notes.engine.log.manifest.sealed.filter { !$0.isBlocked }
        #expect(raw.map(\.number) == [damaged])
        #expect(try notes.count() == 120)
        try notes.engine.close()
    }

    @Test func `the background skips a damaged segment, and writes snapshots`() throws {
        let (files, damaged) = try files()
        let notes = try NoteStore(files) {
            $0.isMaintenanceAutomatic = true
            $0.snapshotIntervalBytes = 1
            $0.log.segmentSizeBytes = 1 << 20
        }
        let engine = notes.engine
        // Longer than half of a snapshot, so that one is due after each commit.
        let text = String(repeating: "x", count: 40_000)
        try notes.put(text)
        engine.maintenance.sync {}
        let raw = engine.log.manifest.sealed.filter { !$0.isBlocked }
        #expect(raw.map(\.number) == [damaged])
        #expect(engine.maintenanceFailure?.details["segment"] == String(damaged))
        let number = engine.log.manifest.nextSegmentNumber
        for round in 1...3 {
            try notes.put("\(round)" + text)
            engine.maintenance.sync {}
            #expect(engine.log.manifest.nextSegmentNumber == number)
            let newest = try engine.statistics().snapshots.map(\.sequence).max()
            #expect(newest == engine.log.lastSequence)
        }
        #expect(engine.maintenanceFailure?.details["segment"] == String(damaged))
        try engine.close()
    }
}
