import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookPages
import DaybookTestSupport
import Testing

/// Stores whose segments use the slots of locations again.
@Suite struct ReusedSlotTests {
    private func store(_ files: MemoryFileSystem) throws -> NoteStore {
        try NoteStore(files) {
            NoteStore.small(&$0)
            $0.blockPayloadBytes = 1 << 10
        }
    }

    @Test func `objects keep their values when slots are used again`() throws {
        let files = MemoryFileSystem()
        let slotCount = SegmentNumber.slotCount
        var notes = try store(files)
        var expected: [UInt64: String] = [:]
        var views: [(view: ReadView, expected: [UInt64: String])] = []
        func check(_ view: ReadView, _ expected: [UInt64: String]) throws {
            for (id, text) in expected {
                let row = try view.row(notes.entity, id)
                #expect(try row.map { try notes.text(of: $0) } == text)
            }
        }
        for round in UInt64(1)...8 {
            for id in UInt64(1)...40 where round == 1 || id % 8 != round % 8 {
                expected[id] = "\(round) of \(id)"
                try notes.put("\(round) of \(id)", id: round == 1 ? 0 : id)
            }
            views.append((ReadView(notes.engine.slot.pinVersion(), notes.engine.log), expected))
            _ = try notes.engine.compact(round % 2 == 0 ? .latest : .all, sealsActive: true)
            for (view, expected) in views { try check(view, expected) }
            // The next segments have the slots of the first rounds, unless these are in use.
            if round % 3 == 0 { views.removeAll() }
            let next = round * slotCount
            try notes.engine.log.commitManifest { $0.nextSegmentNumber = next }
            if round % 4 == 0 {
                views.removeAll()
                try notes.closeProven()
                notes = try store(files)
            }
            try check(ReadView(notes.engine.slot.pinVersion(), notes.engine.log), expected)
        }
        let numbers = notes.engine.log.manifest.sealed.map(\.number)
        #expect(numbers.contains { $0 > 6 * slotCount })
        views.removeAll()
        try notes.closeProven()
    }
}
