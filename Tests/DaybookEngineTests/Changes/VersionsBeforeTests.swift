import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Testing

/// The versions before the changes of a large commit are read in one pass over the log.
@Suite struct VersionsBeforeTests {
    private static let count = 4_000
    private let fileSystem = MemoryFileSystem()

    /// A store with one transaction that inserted notes, and one that changed them in another
    /// order. The log is far longer than the frames that a lookup keeps.
    private func updated() throws -> (notes: NoteStore, disk: CountingDisk, start: UInt64) {
        let disk = CountingDisk(fileSystem)
        let notes = try NoteStore(disk) { $0.framePayloadBytes = 8 << 10 }
        let text = String(repeating: "text ", count: 400)
        try notes.engine.write { transaction in
            for number in 1...Self.count { try notes.put("\(number) " + text, in: transaction) }
        }
        let start = notes.engine.position.sequence
        try notes.engine.write { transaction in
            for number in 0..<Self.count {
                let id = UInt64(number * 1_237 % Self.count) + 1
                try notes.put("new \(id)", id: id, in: transaction)
            }
        }
        return (notes, disk, start)
    }

    private func isBefore(
        _ before: CommitChanges.Before, _ change: ObjectChange, _ notes: NoteStore
    ) throws -> Bool {
        guard case .row(let row) = before else { return false }
        let text = try notes.text(of: row)
        return row.sequence == change.previous && text.hasPrefix("\(change.id) text")
    }

    @Test func `the versions before all changes of a commit are read in one pass`() throws {
        let (notes, disk, start) = try updated()
        var reader = try ChangeReader(notes.engine, after: start)
        let commit = try #require(try reader.next())
        var visited: Set<Int> = []
        let bytes = try disk.readBytes {
            try commit.forEachBefore(of: commit.objects.indices) {
                index, before throws(DaybookError) in
                visited.insert(index)
                let isRight = try? isBefore(before, commit.objects[index], notes)
                #expect(isRight == true)
            }
        }
        #expect(visited.count == Self.count)
        #expect(bytes < 2 * notes.engine.log.lengthBytes)
        try notes.closeProven()
    }

    @Test func `a reader that asks one change after the other reads the log a few times`() throws {
        let (notes, disk, start) = try updated()
        var reader = try ChangeReader(notes.engine, after: start)
        let versions = VersionsBefore(try #require(try reader.next()))
        let bytes = try disk.readBytes {
            for (index, change) in versions.commit.objects.enumerated() {
                let before = try versions.before(index)
                #expect(try isBefore(before, change, notes))
            }
        }
        #expect(bytes < 5 * notes.engine.log.lengthBytes)
        var visited = 0
        try versions.forEach { _, _ in visited += 1 }
        #expect(visited == Self.count)
        try notes.closeProven()
    }

    @Test func `changes of some properties are found in one pass`() throws {
        let (notes, disk, start) = try updated()
        let properties = Set(
            notes.engine.schemas.schema.layouts(ofEntity: notes.entity).flatMap(\.fields).map(
                \.propertyID))
        for (wanted, found) in [(properties, Self.count), ([], 0)] {
            let filter = EntityFilter([notes.entity], properties: [notes.entity: wanted])
            var reader = try ChangeReader(notes.engine, after: start, matching: filter)
            let bytes = try disk.readBytes {
                let commit = try reader.next()
                #expect(commit?.objects.count ?? 0 == found)
            }
            #expect(bytes < 4 * notes.engine.log.lengthBytes)
        }
        try notes.closeProven()
    }

    @Test func `versions that a compaction dropped are gone, and insertions have none`() throws {
        let (notes, disk, start) = try updated()
        var reader = try ChangeReader(notes.engine, after: start)
        let commit = try #require(try reader.next())
        _ = try notes.engine.compact(.latest)
        var gone = 0
        let bytes = try disk.readBytes {
            try commit.forEachBefore(of: commit.objects.indices) { _, before in
                if case .gone = before { gone += 1 }
            }
        }
        #expect(gone == Self.count)
        #expect(bytes < 2 * notes.engine.log.lengthBytes)
        var insertions = try ChangeReader(notes.engine, after: notes.engine.position.sequence)
        try notes.put("inserted")
        let inserted = try #require(try insertions.next())
        try inserted.forEachBefore(of: [0]) { _, before in
            guard case .none = before else { return #expect(Bool(false), "\(before)") }
        }
        try notes.closeProven()
    }

    @Test func `a cancelled pass ends, and an error of the visitor is thrown`() throws {
        let (notes, disk, start) = try updated()
        var reader = try ChangeReader(notes.engine, after: start)
        let commit = try #require(try reader.next())
        let bytes = disk.readBytes {
            expectError(.interrupted) {
                try commit.forEachBefore(of: commit.objects.indices, isCancelled: { true }) {
                    _, _ in
                }
            }
        }
        #expect(bytes == 0)
        expectError(.invalidValue) {
            try commit.forEachBefore(of: commit.objects.indices) {
                _, _ throws(DaybookError) in
                throw DaybookError(.invalidValue, "Enough of the log was read.")
            }
        }
        try notes.closeProven()
    }
}
