import DaybookBytes
import DaybookPages
import DaybookRecords
import Testing

/// The trees of lists, when records of a repaired log are missing.
@Suite struct ListIndexTests {
    private func entry(_ target: UInt64) -> ListEntry {
        ListEntry(relation: 3, source: 7, target: target, position: [0x80])
    }

    /// Returns the numbers of elements and of backlinks after some changes.
    private func counts(_ changes: [IndexChange]) throws -> [Int] {
        let space = PageSpace()
        var state = AppliedState()
        space.begin(sequence: 1)
        try state.apply(changes, sequence: 1, to: space)
        space.publish(space.end())
        return try space.withPinned { reader in
            try [IndexTree.list(of: 3), IndexTree.listBacklinks(of: 3)].map { tree in
                var cursor = try reader.bytes(tree)
                var count = 0
                while try cursor.next() != nil { count += 1 }
                return count
            }
        }
    }

    @Test func `an element that is replaced or removed leaves no backlink`() throws {
        #expect(try counts([.listInsert(entry(18))]) == [1, 1])
        #expect(try counts([.listInsert(entry(18)), .listInsert(entry(20))]) == [1, 1])
        #expect(try counts([.listInsert(entry(18)), .listRemove(entry(18))]) == [0, 0])
        // The record that put 20 at the position is missing.
        #expect(try counts([.listInsert(entry(18)), .listRemove(entry(20))]) == [0, 0])
        #expect(try counts([.listRemove(entry(20))]) == [0, 0])
    }
}
