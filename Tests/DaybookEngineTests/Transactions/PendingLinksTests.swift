import DaybookBytes
import DaybookTesting
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// The pending links of a transaction, and their rollback.
@Suite struct PendingLinksTests {
    /// One to-many relation, one to-one relation and one list of a few nodes, in plain collections.
    private struct Graph: Equatable {
        var friends: Set<[UInt64]> = []
        var parents: [UInt64: UInt64] = [:]
        var lists: [UInt64: [ListElement]] = [:]

        /// The links of all relations, in their written form.
        func links(_ store: GraphStore) -> Set<String> {
            var found = Set(friends.map { "\(store.number(.friends)) \($0[0]) \($0[1]) []" })
            for (source, target) in parents {
                found.insert("\(store.number(.parent)) \(source) \(target) []")
            }
            for (source, list) in lists {
                for element in list {
                    found.insert(
                        "\(store.number(.playlist)) \(source) \(element.target)"
                            + " \(element.position)")
                }
            }
            return found
        }

        /// Applies the same random change to the transaction and to this graph.
        mutating func change(
            _ transaction: WriteTransaction, _ store: GraphStore, _ random: inout SeededGenerator
        ) throws {
            let source = UInt64.random(in: 1...3, using: &random)
            let target = UInt64.random(in: 1...3, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let isNew = friends.insert([source, target]).inserted
                #expect(
                    try transaction.changes.link(store.number(.friends), source, target) == isNew)
            case 1:
                let wasThere = friends.remove([source, target]) != nil
                #expect(
                    try transaction.changes.unlink(store.number(.friends), source, target)
                        == wasThere)
            case 2:
                parents[source] = target
                _ = try transaction.changes.link(store.number(.parent), source, target)
            case 3:
                parents[source] = Bool.random(using: &random) ? target : nil
                try transaction.changes.setTarget(store.number(.parent), source, parents[source])
            default:
                let before = lists[source] ?? []
                var wanted = before.map { ListPlacement(position: $0.position, target: $0.target) }
                if Bool.random(using: &random), !wanted.isEmpty {
                    wanted.remove(at: Int.random(in: 0..<wanted.count, using: &random))
                } else {
                    let place = Int.random(in: 0...wanted.count, using: &random)
                    wanted.insert(ListPlacement(position: nil, target: target), at: place)
                }
                let positions = try transaction.changes.setList(
                    store.number(.playlist), source, from: before.map(\.position), to: wanted)
                lists[source] = zip(positions, wanted).map {
                    ListElement(position: $0, target: $1.target)
                }
            }
        }

        /// Whether the transaction sees the same graph.
        func isSeen(by transaction: WriteTransaction, _ store: GraphStore) throws -> Bool {
            for node in UInt64(1)...3 {
                let friends = try transaction.changes.links(of: store.end(.friends, node))
                let parents = try transaction.changes.links(of: store.end(.parent, node))
                let fans = try transaction.changes.links(
                    of: store.end(.friends, node, isBackward: true))
                let list = try transaction.changes.list(store.number(.playlist), node)
                guard friends == self.friends.filter({ $0[0] == node }).map({ $0[1] }).sorted(),
                    fans == self.friends.filter({ $0[1] == node }).map({ $0[0] }).sorted(),
                    parents == self.parents[node].map({ [$0] }) ?? [], list == lists[node] ?? []
                else { return false }
            }
            return true
        }
    }

    @Test func `links that were read are not cached across a change`() throws {
        let store = try GraphStore(MemoryFileSystem())
        let friends = store.number(.friends)
        try store.engine.write { transaction in
            for name in ["a", "b", "c"] { _ = try store.put(name, in: transaction) }
            let mark = transaction.savepoint()
            #expect(try transaction.changes.link(friends, 1, 2))
            #expect(try transaction.changes.links(of: store.end(.friends, 1)) == [2])
            transaction.roll(backTo: mark)
            #expect(try transaction.changes.link(friends, 1, 3))
            #expect(try transaction.changes.links(of: store.end(.friends, 1)) == [3])
            #expect(try transaction.changes.link(friends, 1, 2))
            #expect(try transaction.changes.links(of: store.end(.friends, 1)) == [2, 3])
        }
        try store.engine.close()
    }

    @Test func `a negative limit gives no elements of a list`() throws {
        let store = try GraphStore(MemoryFileSystem())
        let end = store.end(.playlist, 1)
        try store.engine.write { transaction in
            for name in ["a", "b"] { _ = try store.put(name, in: transaction) }
            _ = try transaction.changes.setList(
                store.number(.playlist), 1, from: [],
                to: [ListPlacement(position: nil, target: 2)])
            #expect(try transaction.changes.links(of: end, limit: -1) == [])
            #expect(try transaction.changes.links(of: end, limit: 1) == [2])
        }
        let found = try store.engine.query { access in
            try [-1, 1].map { try access.scope.links(of: end, limit: $0) }
        }
        #expect(found == [[], [2]])
        try store.engine.close()
    }

    @Test(arguments: Seeds.first(60))
    func `only the final differences are written, after any changes and rollbacks`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let store = try GraphStore(MemoryFileSystem())
        try store.engine.write { transaction in
            for name in ["a", "b", "c"] { _ = try store.put(name, in: transaction) }
        }
        var graph = Graph()
        for _ in 0..<6 {
            let (before, sequence) = (graph, store.engine.log.lastSequence)
            try store.engine.write { transaction in
                var marks: [(transaction: WriteTransaction.Savepoint, graph: Graph)] = []
                for _ in 0..<Int.random(in: 1...40, using: &random) {
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0: marks.append((transaction.savepoint(), graph))
                    case 1:
                        guard let mark = marks.popLast() else { continue }
                        transaction.roll(backTo: mark.transaction)
                        graph = mark.graph
                    default: try graph.change(transaction, store, &random)
                    }
                    // Not each time, so that some links are loaded late.
                    if Bool.random(using: &random) {
                        #expect(try graph.isSeen(by: transaction, store), "seed \(seed)")
                    }
                }
            }
            let (old, new) = (before.links(store), graph.links(store))
            guard old != new else {
                #expect(store.engine.log.lastSequence == sequence, "seed \(seed)")
                continue
            }
            #expect(
                try lastEvents(store).sorted()
                    == (old.subtracting(new).map { "unlink \($0)" }
                    + new.subtracting(old).map { "link \($0)" }).sorted(), "seed \(seed)")
        }
        try store.engine.proveReplay()
        try store.engine.close()
    }

    /// Returns the link events of the last transaction.
    private func lastEvents(_ store: GraphStore) throws -> [String] {
        var found: [String] = []
        let range = HistoryRange(from: .sequence(store.engine.log.lastSequence))
        try store.engine.forEachTransaction(
            in: range, matching: EventFilter(kinds: [.link, .unlink])
        ) { transaction in
            for index in 0..<transaction.eventCount {
                let event = transaction[index]
                found.append(
                    "\(event.kind) \(event.relation) \(event.source) \(event.target)"
                        + " \(event.position ?? [])")
            }
            return true
        }
        return found
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

    @Test func `a transaction does not write changes that it reverts`() throws {
        let store = try GraphStore(MemoryFileSystem())
        let (friends, playlist) = (store.number(.friends), store.number(.playlist))
        let (a, b) = try store.engine.write { transaction in
            (try store.put("a", in: transaction), try store.put("b", in: transaction))
        }
        let sequence = store.engine.log.lastSequence
        try store.engine.write { transaction in
            #expect(try transaction.changes.link(friends, a, b))
            #expect(try !transaction.changes.link(friends, a, b))
            #expect(try transaction.changes.unlink(friends, a, b))
            #expect(try !transaction.changes.unlink(friends, a, b))
            let positions = try transaction.changes.setList(
                playlist, a, from: [], to: [ListPlacement(position: nil, target: b)])
            _ = try transaction.changes.setList(playlist, a, from: positions, to: [])
        }
        #expect(store.engine.log.lastSequence == sequence)
        #expect(try writtenEvents(store) == [])
        try store.engine.write { transaction in
            for _ in 0..<5 {
                _ = try transaction.changes.link(friends, a, b)
                _ = try transaction.changes.unlink(friends, a, b)
            }
            _ = try transaction.changes.link(friends, a, b)
        }
        #expect(try writtenEvents(store) == ["link 1 2"])
        try store.engine.proveReplay()
        try store.engine.close()
    }

    @Test func `a rollback to a savepoint restores its links and lists`() throws {
        let store = try GraphStore(MemoryFileSystem())
        let (parent, friends, playlist) = (
            store.number(.parent), store.number(.friends), store.number(.playlist)
        )
        try store.engine.write { transaction in
            for name in ["a", "b", "c"] { _ = try store.put(name, in: transaction) }
            _ = try transaction.changes.link(friends, 1, 2)
            try transaction.changes.setTarget(parent, 1, 2)
        }
        try store.engine.write { transaction in
            let kept = try transaction.changes.setList(
                playlist, 1, from: [],
                to: [2, 3, 2].map { ListPlacement(position: nil, target: $0) })
            let mark = transaction.savepoint()
            _ = try transaction.changes.unlink(friends, 1, 2)
            _ = try transaction.changes.link(friends, 1, 3)
            try transaction.changes.setTarget(parent, 1, 3)
            _ = try transaction.changes.setList(playlist, 1, from: kept, to: [])
            #expect(try transaction.changes.remove(store.entity, 2))
            #expect(try transaction.changes.links(of: store.end(.friends, 1)) == [3])
            transaction.roll(backTo: mark)
            #expect(try transaction.changes.links(of: store.end(.friends, 1)) == [2])
            #expect(try transaction.changes.links(of: store.end(.parent, 1)) == [2])
            #expect(try transaction.changes.list(playlist, 1).map(\.position) == kept)
            #expect(try transaction.changes.list(playlist, 1).map(\.target) == [2, 3, 2])
        }
        #expect(
            try writtenEvents(store) == [
                "link 1 2", "link 1 2", "link 1 2", "link 1 3", "link 1 2",
            ])
        #expect(try store.engine.scope().links(of: store.end(.friends, 2, isBackward: true)) == [1])
        #expect(try store.engine.scope().list(playlist, 1).map(\.target) == [2, 3, 2])
        try store.engine.proveReplay()
        try store.engine.close()
    }
}
