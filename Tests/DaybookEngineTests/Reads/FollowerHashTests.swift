import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookTestSupport
import Testing

/// The hash of a reader's state, after its writer has moved the frames that the reader's trees
/// refer to.
@Suite struct FollowerHashTests {
    @Test(arguments: [HistoryPolicy.all, .since(4), .latest])
    func `a reader's state has the same hash before and after its writer's compaction`(
        policy: HistoryPolicy
    ) throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem) { $0.log.segmentSizeBytes = 8 << 10 }
        let reader = try NoteStore(fileSystem, access: .read)
        for round in 0..<3 {
            for number in 0..<100 { try notes.put("note \(number) of round \(round)") }
            for id in UInt64(1)...20 { try notes.put("changed \(round)", id: id) }
            try reader.engine.refresh()
            let before = try reader.engine.stateHash()
            #expect(before == (try notes.engine.stateHash()))
            _ = try notes.engine.compact(policy)
            // The compaction's own commit is the only new one.
            try reader.engine.refresh()
            #expect(try reader.engine.stateHash() == (try notes.engine.stateHash()))
            #expect(try reader.engine.stateHash() == before)
            try reader.engine.proveReplay()
            #expect(try reader.all() == (try notes.all()))
        }
        try reader.closeProven()
        try notes.closeProven()
    }
}
