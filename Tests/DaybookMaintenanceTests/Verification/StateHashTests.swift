import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookLog
import DaybookTestSupport
import Testing

/// The differences that the hash of a state detects.
@Suite struct StateHashTests {
    private func store(_ texts: [String]) throws -> NoteStore {
        let notes = try NoteStore(MemoryFileSystem())
        try notes.engine.write { transaction in
            for text in texts { try notes.put(text, in: transaction) }
        }
        return notes
    }

    @Test func `stores with the same rows have the same hash, whatever their histories`() throws {
        let one = try store(["a", "b"])
        let other = try store(["a", "b"])
        let hash = try one.engine.stateHash()
        #expect(try other.engine.stateHash() == hash)
        _ = try other.engine.compact(.all, sealsActive: true)
        #expect(try other.engine.stateHash() == hash)
        try one.closeProven()
        try other.closeProven()
    }

    @Test(arguments: [["a", "c"], ["b", "a"], ["a", "b", "c"]])
    func `a different row, or the same rows of other objects, give another hash`(
        _ texts: [String]
    ) throws {
        let one = try store(["a", "b"])
        let other = try store(texts)
        #expect(try one.engine.stateHash() != other.engine.stateHash())
        try one.closeProven()
        try other.closeProven()
    }

    @Test func `an index entry with the location of another object is detected`() throws {
        let notes = try store(["a", "b"])
        let engine = notes.engine
        let tree = IndexTree.objects(of: notes.entity)
        let space = engine.slot.current
        try engine.writer.withLock { _ in
            let version = try engine.trees.withLock { state in
                state.stamp += 1
                space.begin(sequence: state.stamp)
                var entry = ObjectEntry(try #require(try space.working.get(tree, 1)))
                let other = ObjectEntry(try #require(try space.working.get(tree, 2)))
                entry.location = other.location
                _ = try space.put(tree, 1, entry.value)
                return space.end()
            }
            space.publish(version)
        }
        #expect(try !engine.checkReplay().isEqual)
        try engine.close()
    }

    @Test func `a copy has the hash of its source`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for number in 0..<20 { try notes.put("note \(number)") }
        let report = try notes.engine.copy(into: "/copy")
        #expect(report.stateHash == (try notes.engine.stateHash()))
        let copy = try NoteStore(fileSystem, path: "/copy", access: .read)
        #expect(try copy.engine.stateHash() == report.stateHash)
        #expect(try copy.all() == (try notes.all()))
        try copy.engine.close()
        try notes.closeProven()
    }
}
