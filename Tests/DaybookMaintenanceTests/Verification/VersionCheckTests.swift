import DaybookBytes
@testable import DaybookEngine
import DaybookLog
import DaybookMaintenance
import DaybookRecords
import DaybookTestSupport
import Testing

/// A verification checks the data by which earlier versions are found.
@Suite struct VersionCheckTests {
    /// Returns the findings of a store whose last record is a put of object 1, which was written at
    /// sequence 2, with a given range of ids in its frame.
    private func findings(
        id: UInt64 = 1, previous: UInt64, ids: ClosedRange<UInt64>? = 1...1
    ) throws -> [VerificationReport.Finding] {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        try notes.put("two")
        let sequence = notes.engine.log.lastSequence + 1
        var writer = RecordWriter()
        let row = try notes.row("again")
        writer.put(
            entity: notes.entity, id: id, previous: previous, layout: notes.layout, row: row.span)
        writer.commit(CommitRecord(sequence: sequence, timeMicroseconds: 1))
        let payload = FramePayload(
            bytes: writer.payload, recordCount: 2, firstSequence: sequence, lastSequence: sequence,
            endsTransaction: true, keys: KeyRange(ids))
        _ = try notes.engine.log.append([payload], timeMicroseconds: 1)
        try notes.engine.log.durability?.wait(for: sequence)
        return try Engine.verify(NoteStore.path, fileSystem.afterKill()).findings
            .filter { $0.severity == .corruption }
    }

    @Test func `a correct reference to the version before is no finding`() throws {
        #expect(try findings(previous: 2) == [])
        #expect(try findings(id: 7, previous: 0, ids: 7...7) == [])
    }

    @Test(arguments: [0, 1, 3] as [UInt64])
    func `a reference to a wrong version before is reported`(_ previous: UInt64) throws {
        let findings = try findings(previous: previous)
        #expect(findings.count == 1)
        let details = try #require(findings.first?.details)
        #expect(details["previous"] == String(previous))
        #expect(details["before"] == "2")
        #expect(details["id"] == "1" && details["count"] == "1")
    }

    @Test func `a reference of a new object to a version is reported`() throws {
        let findings = try findings(id: 7, previous: 3, ids: 7...7)
        #expect(findings.map { $0.details["before"] } == ["0"])
    }

    @Test(arguments: [nil, 2...9] as [ClosedRange<UInt64>?])
    func `a range of ids without the id of a record is reported`(
        _ ids: ClosedRange<UInt64>?
    ) throws {
        let findings = try findings(previous: 2, ids: ids)
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("range of ids") == true)
        #expect(findings.first?.details["offset"] != nil)
    }

    @Test func `references to versions that a compaction dropped are no findings`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem) { $0.log.segmentSizeBytes = 1 << 10 }
        for round in 0..<4 {
            for id in 1...20 as ClosedRange<UInt64> {
                try notes.put("\(round) \(id)", id: round == 0 ? 0 : id)
                if (id + UInt64(round)) % 5 == 0 { try notes.remove(id) }
            }
            _ = try notes.engine.compact(.since(notes.engine.log.lastSequence - 10))
        }
        for id in 1...20 as ClosedRange<UInt64> { try notes.put("last", id: id) }
        #expect(notes.engine.historyFloor > 0)
        #expect(try notes.engine.verify().findings == [])
        _ = try notes.engine.compact(.latest)
        #expect(try notes.engine.verify().findings == [])
        try notes.closeProven()
    }
}
