import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookMaintenance
import DaybookTesting
import DaybookTestSupport
import Testing

/// The bytes that a store writes, by purpose.
@Suite struct WrittenBytesTests {
    private static let headerBytes = 64

    @Test func `each purpose counts the bytes of its files`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem) { $0.log.segmentSizeBytes = 16 << 10 }
        #expect(notes.engine.writtenBytes.commits < 1024)
        for number in 0..<300 { try notes.put("note \(number % 7) of many", id: 0) }
        for number in 0..<300 { try notes.put("changed", id: UInt64(number % 9 + 1)) }

        let log = notes.engine.log
        let sealedCount = log.manifest.sealed.count
        #expect(sealedCount > 1)
        let sealBytes = log.manifest.sealed.reduce(0) { $0 + $1.length - $1.sealOffset }
        var written = notes.engine.writtenBytes
        let headerBytes = (sealedCount + 1) * Self.headerBytes
        #expect(written.commits == log.lengthBytes - headerBytes - sealBytes)
        #expect(written.total == written.commits)
        #expect(written.amplification == 1)

        _ = try notes.engine.compact(.all, sealsActive: true)
        written = notes.engine.writtenBytes
        #expect(written.compression == log.manifest.sealed.reduce(0) { $0 + $1.length })
        #expect(written.compaction == 0)
        let compressedBytes = written.compression

        _ = try notes.engine.compact(.latest)
        written = notes.engine.writtenBytes
        #expect(written.compression == compressedBytes)
        #expect(written.compaction > 0)
        #expect(written.compaction < compressedBytes)

        let snapshotBytes = written.snapshots
        let sequence = try notes.engine.writeSnapshot()
        let statistics = try notes.engine.statistics()
        let line = try #require(statistics.snapshots.last { $0.sequence == sequence })
        written = notes.engine.writtenBytes
        #expect(written.snapshots - snapshotBytes == line.lengthBytes)
        #expect(statistics.writtenBytes == written)
        let parts = [
            written.commits, written.compression, written.compaction, written.snapshots,
        ]
        #expect(written.total == parts.reduce(0, +))
        let amplification = try #require(written.amplification)
        #expect(amplification == Double(written.total) / Double(written.commits))
        try notes.closeProven()
    }

    @Test func `a read-only store writes nothing and has no amplification`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("note")
        let reader = try NoteStore(fileSystem, access: .read)
        #expect(reader.engine.writtenBytes == WrittenBytes())
        #expect(reader.engine.writtenBytes.amplification == nil)
        try reader.engine.close()
        try notes.closeProven()
    }
}
