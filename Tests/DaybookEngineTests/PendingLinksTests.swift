import DaybookBytes
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// What a transaction remembers of its links, and how it takes that back.
@Suite struct PendingLinksTests {
    /// The bookkeeping with the operations that a transaction has beside it.
    private struct Operations {
        var links = PendingLinks()
        /// Each with whether it is written.
        var all: [(link: PendingLinks.Link, isDead: Bool)] = []

        mutating func push(_ link: PendingLinks.Link) {
            let (undone, isDead) = links.push(link, all.count)
            if let undone { all[undone].isDead = true }
            all.append((link, isDead))
        }

        mutating func pop() {
            guard let last = all.popLast() else { return }
            if let earlier = links.pop(last.link) { all[earlier].isDead = false }
        }

        /// The operations that are written.
        var written: [Int] { all.indices.filter { !all[$0].isDead } }
    }

    /// Operations on one link follow each other, so the last of an odd number is written, and
    /// nothing of an even number.
    private static func expected(_ all: [(link: PendingLinks.Link, isDead: Bool)]) -> [Int] {
        let indexes = Dictionary(grouping: all.indices) { all[$0].link }
        return indexes.values.compactMap { $0.count.isMultiple(of: 2) ? nil : $0.max() }.sorted()
    }

    @Test(arguments: Seeds.first(100))
    func `every second operation on a link is not written, also after some were taken back`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        var operations = Operations()
        for _ in 0..<200 {
            if Int.random(in: 0..<3, using: &random) > 0 {
                let number = UInt64.random(in: 1...4, using: &random)
                operations.push(
                    PendingLinks.Link(
                        relation: 1, source: number, target: 5 - number,
                        position: number == 4 ? [1] : []))
            } else {
                for _ in 0..<Int.random(in: 1...6, using: &random) { operations.pop() }
            }
            #expect(operations.written == Self.expected(operations.all), "seed \(seed)")
        }
        while !operations.all.isEmpty { operations.pop() }
        #expect(operations.links.isEmpty)
    }

    private func writtenEvents(_ store: GraphStore) throws -> [String] {
        var found: [String] = []
        try store.engine.forEachTransaction(matching: EventFilter(kinds: [.link, .unlink])) {
            transaction in
            for index in 0..<transaction.eventCount {
                let event = transaction[index]
                found.append("\(event.kind) \(event.source) \(event.target)")
            }
            return true
        }
        return found
    }

    @Test func `what a transaction undoes it does not write`() throws {
        let store = try GraphStore(MemoryFileSystem())
        let (friends, playlist) = (store.number(.friends), store.number(.playlist))
        let (a, b) = try store.engine.write { transaction in
            (try store.put("a", in: transaction), try store.put("b", in: transaction))
        }
        let sequence = store.engine.log.lastSequence
        try store.engine.write { transaction in
            #expect(try transaction.link(friends, a, b))
            #expect(try !transaction.link(friends, a, b))
            #expect(try transaction.unlink(friends, a, b))
            #expect(try !transaction.unlink(friends, a, b))
            let positions = try transaction.setList(
                playlist, a, from: [], to: [ListPlacement(position: nil, target: b)])
            _ = try transaction.setList(playlist, a, from: positions, to: [])
        }
        #expect(store.engine.log.lastSequence == sequence)
        #expect(try writtenEvents(store) == [])
        try store.engine.write { transaction in
            for _ in 0..<5 {
                _ = try transaction.link(friends, a, b)
                _ = try transaction.unlink(friends, a, b)
            }
            _ = try transaction.link(friends, a, b)
        }
        #expect(try writtenEvents(store) == ["link 1 2"])
        try store.engine.proveFold()
        try store.engine.close()
    }

    @Test func `going back to a savepoint brings back the links and lists of that moment`() throws {
        let store = try GraphStore(MemoryFileSystem())
        let (parent, friends, playlist) = (
            store.number(.parent), store.number(.friends), store.number(.playlist)
        )
        try store.engine.write { transaction in
            for name in ["a", "b", "c"] { _ = try store.put(name, in: transaction) }
            _ = try transaction.link(friends, 1, 2)
            try transaction.setTarget(parent, 1, 2)
        }
        try store.engine.write { transaction in
            let kept = try transaction.setList(
                playlist, 1, from: [],
                to: [2, 3, 2].map { ListPlacement(position: nil, target: $0) })
            let mark = transaction.savepoint()
            _ = try transaction.unlink(friends, 1, 2)
            _ = try transaction.link(friends, 1, 3)
            try transaction.setTarget(parent, 1, 3)
            _ = try transaction.setList(playlist, 1, from: kept, to: [])
            #expect(try transaction.remove(store.entity, 2))
            #expect(try transaction.links(of: store.end(.friends, 1)) == [3])
            transaction.roll(backTo: mark)
            #expect(try transaction.links(of: store.end(.friends, 1)) == [2])
            #expect(try transaction.links(of: store.end(.parent, 1)) == [2])
            #expect(try transaction.list(playlist, 1).map(\.position) == kept)
            #expect(try transaction.list(playlist, 1).map(\.target) == [2, 3, 2])
        }
        #expect(
            try writtenEvents(store) == [
                "link 1 2", "link 1 2", "link 1 2", "link 1 3", "link 1 2",
            ])
        #expect(try store.engine.links(of: store.end(.friends, 2, isBackward: true)) == [1])
        #expect(try store.engine.list(playlist, 1).map(\.target) == [2, 3, 2])
        try store.engine.proveFold()
        try store.engine.close()
    }
}
