import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Testing

/// The size of links in the log.
@Suite struct LinkCostTests {
    @Test(arguments: [10, 20_000])
    func `one more link takes less than two hundred bytes of the log`(count: Int) throws {
        let store = try GraphStore(MemoryFileSystem()) { $0.log.segmentSizeBytes = 64 << 20 }
        let friends = store.number(.friends)
        let host = try store.engine.write { transaction in
            let host = try store.put("host", in: transaction)
            for _ in 0..<count {
                try transaction.changes.link(
                    friends, host, try store.put("friend", in: transaction))
            }
            return host
        }
        let other = try store.engine.write { try store.put("new", in: $0) }
        let before = store.engine.log.end
        try store.engine.write { _ = try $0.changes.link(friends, host, other) }
        let after = store.engine.log.end
        #expect(after.segment == before.segment)
        #expect((1..<200).contains(after.offset - before.offset))
        #expect(try store.engine.scope().linkCount(of: store.end(.friends, host)) == count + 1)
        try store.engine.close()
    }

    @Test func `an existing link, and one that is added and removed, write nothing`() throws {
        let store = try GraphStore(MemoryFileSystem())
        let friends = store.number(.friends)
        try store.engine.write { transaction in
            for _ in 0..<3 { _ = try store.put("node", in: transaction) }
            try transaction.changes.link(friends, 1, 2)
        }
        let before = try store.engine.visibleSequence
        try store.engine.write { transaction in
            let answers = [
                try transaction.changes.link(friends, 1, 2),
                try transaction.changes.link(friends, 1, 3),
                try transaction.changes.unlink(friends, 1, 3),
                try transaction.changes.unlink(friends, 1, 3),
            ]
            #expect(answers == [false, true, true, false])
        }
        #expect(try store.engine.visibleSequence == before)
        try store.engine.close()
    }
}
