import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookPages
import DaybookTestSupport
import Testing

/// Snapshots with valid checksums whose trees no replay of the log can give: each is rejected in
/// favour of the log, like a damaged snapshot.
@Suite struct ForgedSnapshotTests {
    /// Returns a killed store whose only snapshot contains the trees that `change` modified. Its
    /// log continues with a removal and a put.
    private func store(
        _ change: (PageSpace, NoteStore) throws -> Void
    ) throws -> MemoryFileSystem {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem, NoteStore.small)
        for number in 1...3 { try notes.put("note \(number)") }
        try notes.engine.writeSnapshot()
        let path = try #require(fileSystem.paths("snapshot-").last)
        let name = try #require(path.split(separator: "/").last)
        let snapshot = try notes.engine.snapshotStore.open(String(name))
        snapshot.space.begin(sequence: snapshot.stamp + 1)
        try change(snapshot.space, notes)
        snapshot.space.publish(snapshot.space.end())
        // Written next to the snapshot that provides its pages.
        let file = try fileSystem.open(path + ".forged", .replace)
        _ = try snapshot.space.capture().write(to: file, metadata: snapshot.metadata.encoded())
        file.close()
        try notes.remove(1)
        try notes.put("note 4")
        var contents = fileSystem.contents
        contents[path] = contents.removeValue(forKey: path + ".forged")
        return MemoryFileSystem(contents: contents)
    }

    private func expectPassedOver(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (PageSpace, NoteStore) throws -> Void
    ) throws {
        let notes = try NoteStore(try store(change), NoteStore.small)
        #expect(
            try notes.all() == [2: "note 2", 3: "note 3", 4: "note 4"],
            sourceLocation: sourceLocation)
        #expect(
            notes.engine.openReport.rejectedSnapshots.count == 1, sourceLocation: sourceLocation)
        #expect(try notes.put("note 5") == 5, sourceLocation: sourceLocation)
        try notes.closeProven()
    }

    @Test func `an unchanged snapshot is used`() throws {
        let notes = try NoteStore(try store { _, _ in }, NoteStore.small)
        #expect(notes.engine.openReport.rejectedSnapshots.isEmpty)
        #expect(notes.engine.openReport.snapshotSequence != nil)
        try notes.closeProven()
    }

    @Test func `a snapshot with a tree of another kind is rejected`() throws {
        try expectPassedOver { space, notes in
            try space.remove(IndexTree.entities, 0)
            try space.remove(IndexTree.entities, UInt64(notes.entity))
            try space.insert(IndexTree.entities, 1, 1)
        }
    }

    @Test(arguments: [UInt64(IndexTree.entityMax) + 1, 0xF000_0000, 0xFFFF_FFFF, .max])
    func `a snapshot with an impossible entity number is rejected`(_ entity: UInt64) throws {
        try expectPassedOver { space, _ in
            try space.put(IndexTree.entities, entity, WordValue(first: 1, second: 0))
        }
    }

    @Test(arguments: [0, 4, UInt64(Int64.max), .max])
    func `a snapshot whose object count contradicts the ids is rejected`(_ count: UInt64) throws {
        try expectPassedOver { space, notes in
            try space.put(
                IndexTree.entities, UInt64(notes.entity), WordValue(first: 4, second: count))
        }
    }

    @Test func `a snapshot whose next id is zero is rejected`() throws {
        try expectPassedOver { space, notes in
            try space.put(
                IndexTree.entities, UInt64(notes.entity), WordValue(first: 0, second: 3))
        }
    }

    @Test func `a snapshot at the highest sequence is rejected`() throws {
        try expectPassedOver { space, _ in
            try space.put(IndexTree.entities, 0, WordValue(first: .max, second: 0))
        }
    }

    @Test func `a snapshot at the highest version is rejected`() throws {
        let notes = try NoteStore(
            try store { space, _ in
                _ = space.end()
                space.begin(sequence: .max)
                try space.put(IndexTree.entities, 7, WordValue(first: 1, second: 0))
            }, NoteStore.small)
        #expect(try notes.all().count == 3)
        #expect(notes.engine.openReport.rejectedSnapshots.count == 1)
        try notes.closeProven()
    }

    @Test(arguments: [true, false])
    func `verification finds wrong trees that no replay checks, by their content and locations`(
        leadsElsewhere: Bool
    ) throws {
        let found = try store { space, notes in
            let tree = IndexTree.objects(of: notes.entity)
            var entry = ObjectEntry(try #require(try space.working.get(tree, 2)))
            let other = ObjectEntry(try #require(try space.working.get(tree, 3)))
            if leadsElsewhere {
                entry.location = other.location
            } else {
                entry.sequence = other.sequence
            }
            _ = try space.put(tree, 2, entry.value)
        }
        let name = try #require(found.paths("snapshot-").last?.split(separator: "/").last)
        let report = try Engine.verify(NoteStore.path, found)
        // The state that the store opens with, and the snapshot of that state.
        #expect(report.findings.contains { $0.severity == .corruption && $0.subject == "state" })
        #expect(report.findings.contains { $0.severity == .repairable && $0.subject == name })
    }
}
