import DaybookBytes
import DaybookEngine
import DaybookTestSupport
import Testing

/// Interactions of delete rules. Each test reproduces a bug.
@Suite struct GraphRuleTests {
    private let store: GraphStore

    init() throws { store = try GraphStore(MemoryFileSystem()) }

    private func nodes(_ count: Int) throws -> [UInt64] {
        try store.engine.write { transaction in
            try (0..<count).map { try store.put("node \($0)", in: transaction) }
        }
    }

    private func link(
        _ relation: GraphStore.Relation, _ source: UInt64, _ target: UInt64,
        _ transaction: WriteTransaction
    ) throws {
        try transaction.changes.link(store.number(relation), source, target)
    }

    /// The lost link belonged to the removed object.
    @Test func `an owned object that is removed and put again in a transaction stays`() throws {
        let ids = try nodes(2)
        try store.engine.write { try link(.owned, ids[0], ids[1], $0) }
        try store.engine.write { transaction in
            _ = try transaction.changes.remove(store.entity, ids[1])
            _ = try store.put("again", id: ids[1], in: transaction)
        }
        #expect(try store.engine.contains(store.entity, ids[1]))
        #expect(try store.engine.scope().links(of: store.end(.owned, ids[0])).isEmpty)
        try store.engine.close()
    }

    @Test func `objects that are removed together do not refuse each other's removal`() throws {
        let ids = try nodes(3)
        try store.engine.write { transaction in
            try link(.guarded, ids[0], ids[1], transaction)
            try link(.guarded, ids[1], ids[2], transaction)
        }
        let engine = store.engine
        let entity = store.entity
        #expect(throws: DaybookError.self) {
            try engine.write { _ = try $0.changes.remove(entity, [ids[0], ids[1]]) }
        }
        #expect(try engine.count(entity) == 3)
        #expect(try engine.write { try $0.changes.remove(entity, ids + [ids[0], 77]) } == 3)
        #expect(try engine.count(entity) == 0)
        try engine.close()
    }

    /// The removal of the first orphan is refused while the second exists, which is removed later.
    @Test
    func `an orphan whose removal was denied is removed when no object refers to it any more`()
        throws
    {
        let ids = try nodes(4)
        try store.engine.write { transaction in
            for owned in [ids[1], ids[2]] { try link(.owned, ids[0], owned, transaction) }
            // The first cannot be removed before the third, whose owner is removed with the second.
            try link(.guarded, ids[1], ids[3], transaction)
            try link(.owned, ids[2], ids[3], transaction)
        }
        try store.engine.write { transaction in
            for owned in [ids[1], ids[2]] {
                try transaction.changes.unlink(store.number(.owned), ids[0], owned)
            }
        }
        #expect(try store.engine.count(store.entity) == 1)
        try store.engine.proveReplay()
        try store.engine.close()
    }

    @Test func `pages inside a transaction show its added and removed links`() throws {
        let ids = try nodes(30)
        try store.engine.write { transaction in
            for id in ids[1..<20] { try link(.friends, ids[0], id, transaction) }
        }
        try store.engine.write { transaction in
            for id in ids[5..<15] {
                try transaction.changes.unlink(store.number(.friends), ids[0], id)
            }
            for id in ids[20...] { try link(.friends, ids[0], id, transaction) }
            let mark = transaction.savepoint()
            for id in ids[1..<5] {
                try transaction.changes.unlink(store.number(.friends), ids[0], id)
            }
            transaction.roll(backTo: mark)
            var seen: [UInt64] = []
            while true {
                let page = try transaction.changes.links(
                    of: store.end(.friends, ids[0]), after: seen.last ?? 0, limit: 3)
                if page.isEmpty { break }
                seen += page
            }
            let expected = Array(ids[1..<5] + ids[15...])
            try demand(seen == expected, "\(seen)")
            try demand(
                try transaction.changes.linkCount(of: store.end(.friends, ids[0]))
                    == expected.count,
                "the count")
            let none = try transaction.changes.links(of: store.end(.friends, ids[0]), limit: -1)
            try demand(none.isEmpty, "a negative limit")
        }
        try store.engine.close()
    }
}
