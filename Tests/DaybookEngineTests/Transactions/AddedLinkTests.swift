import DaybookBytes
@testable import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Testing

/// Reads of links in the transaction that changes them.
@Suite(.timeLimit(.minutes(10))) struct AddedLinkTests {
    private struct Pair: Hashable {
        var source: UInt64
        var target: UInt64
    }

    /// The ids at an end of the linked pairs, ascending.
    private func ids(
        _ pairs: Set<Pair>, of id: UInt64, isBackward: Bool, after: UInt64, limit: Int
    ) -> [UInt64] {
        let others = pairs.filter { (isBackward ? $0.target : $0.source) == id }
            .map { isBackward ? $0.source : $0.target }
        return Array(others.filter { $0 > after }.sorted().prefix(limit))
    }

    @Test(arguments: Seeds.first(4 * Seeds.rounds))
    func `each page of links equals a model after changes and rollbacks`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = try GraphStore(MemoryFileSystem())
        try store.engine.write { transaction in
            for _ in 0..<40 { _ = try store.put("node", in: transaction) }
        }
        let relation = store.number(.friends)
        var pairs: Set<Pair> = []
        func change(_ transaction: WriteTransaction) throws {
            // Half of the links belong to the first node.
            let hub = UInt64.random(in: 1...40, using: &random)
            let pair = Pair(
                source: hub > 20 ? 1 : hub, target: UInt64.random(in: 1...40, using: &random))
            if Int.random(in: 0..<3, using: &random) > 0 {
                let isNew = try transaction.changes.link(relation, pair.source, pair.target)
                #expect(isNew == pairs.insert(pair).inserted)
            } else {
                let wasLinked = try transaction.changes.unlink(relation, pair.source, pair.target)
                #expect(wasLinked == (pairs.remove(pair) != nil))
            }
        }
        for _ in 0..<3 {
            try store.engine.write { transaction in
                for _ in 0..<150 {
                    let (before, mark) = (pairs, transaction.savepoint())
                    for _ in 0..<Int.random(in: 1...6, using: &random) { try change(transaction) }
                    let isBackward = Bool.random(using: &random)
                    let id = UInt64.random(in: 1...4, using: &random)
                    let after = UInt64.random(in: 0...30, using: &random)
                    let limit = Int.random(in: 0...20, using: &random)
                    func check() throws {
                        let found = try transaction.changes.links(
                            of: store.end(.friends, id, isBackward: isBackward), after: after,
                            limit: limit)
                        #expect(
                            found
                                == ids(
                                    pairs, of: id, isBackward: isBackward, after: after,
                                    limit: limit))
                    }
                    try check()
                    guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                    transaction.roll(backTo: mark)
                    pairs = before
                    try check()
                }
            }
        }
        try store.engine.proveReplay()
        try store.engine.close()
    }

    /// Each read visited all links that the transaction had added to the object.
    @Test func `an object with many links is read after each change`() throws {
        let store = try GraphStore(MemoryFileSystem())
        let count = 20_000
        try store.engine.write { transaction in
            let hub = try store.put("hub", in: transaction)
            for number in 1...count {
                let node = try store.put("node", in: transaction)
                try transaction.changes.link(store.number(.friends), hub, node)
                let last = try transaction.changes.links(
                    of: store.end(.friends, hub), after: node - 1, limit: 1)
                let first = try transaction.changes.links(of: store.end(.friends, hub), limit: 1)
                guard last == [node], first == [hub + 1] else {
                    Issue.record("\(last) and \(first) after \(number) links")
                    return
                }
            }
        }
        #expect(try store.engine.scope().linkCount(of: store.end(.friends, 1)) == count)
        try store.engine.close()
    }
}
