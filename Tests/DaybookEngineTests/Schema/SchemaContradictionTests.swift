import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookLog
import DaybookMaintenance
import DaybookTestSupport
import Testing

/// Layouts that contradict the schema must neither be written to a log nor be accepted in one.
@Suite struct SchemaContradictionTests {
    /// Returns the layout of the notes with the same number and another name for its field.
    private func contradiction(_ notes: NoteStore) throws -> EntityLayout {
        var layout = try #require(notes.engine.schemas.schema.layout(notes.layout))
        layout.fields[0].name = "title"
        return layout
    }

    @Test func `a commit with a contradicting layout is refused and its number is not used`()
        throws
    {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        let end = notes.engine.log.end
        let wrong = try contradiction(notes)
        expectError(.corruption) {
            try notes.engine.write { transaction in
                try notes.put("two", in: transaction)
                try transaction.changes.define(wrong)
            }
        }
        #expect(notes.engine.log.end == end)
        #expect(try notes.all() == [1: "one"])
        try notes.put("three")
        try notes.closeProven()
        let again = try NoteStore(fileSystem)
        #expect(try again.all().values.sorted() == ["one", "three"])
        try again.closeProven()
    }

    @Test func `a log whose layouts contradict each other is refused`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try append(try contradiction(notes), to: notes)
        let killed = fileSystem.afterKill()
        expectError(.corruption) { _ = try NoteStore(killed) }
        expectError(.corruption) { _ = try NoteStore(killed, access: .read) }
    }

    @Test func `a repair ignores a layout whose migration has no valid progress`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        var layout = try #require(notes.engine.schemas.schema.layout(notes.layout))
        layout.attributes["migration.next"] = "two"
        try append(layout, to: notes)
        let killed = fileSystem.afterKill()
        expectError(.corruption) { _ = try NoteStore(killed) }
        let report = try Engine.repair(NoteStore.path, into: "/repaired", killed)
        #expect(report.lostLayouts == [])
        let repaired = try NoteStore(killed, path: "/repaired")
        #expect(try repaired.all() == [1: "one"])
        try repaired.closeProven()
    }

    /// Appends a transaction with a layout that the store does not check.
    private func append(_ layout: EntityLayout, to notes: NoteStore) throws {
        let sequence = notes.engine.log.lastSequence + 1
        var body = ByteWriter()
        layout.encode(to: &body)
        var writer = RecordWriter()
        _ = writer.encoded(.schema, body.span)
        _ = writer.commit(CommitRecord(sequence: sequence, timeMicroseconds: 1))
        let payload = FramePayload(
            bytes: writer.payload, recordCount: 2, firstSequence: sequence, lastSequence: sequence,
            endsTransaction: true)
        _ = try notes.engine.log.append([payload], timeMicroseconds: 1)
        try notes.engine.log.durability?.wait(for: sequence)
    }
}
