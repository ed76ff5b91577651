import DaybookBytes
@testable import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Testing

/// The link differences between versions of a store, compared with the expected links.
@Suite struct LinkDifferenceTests {
    private struct Place: Hashable {
        var relation: UInt32
        var source: UInt64
        var target: UInt64
        var position: [UInt8]?
    }

    private func links(_ store: GraphStore, _ view: ReadView) throws -> Set<Place> {
        var found: Set<Place> = []
        for relation in GraphStore.Relation.allCases {
            let number = store.number(relation)
            for id in try view.rows(store.entity, from: 0, limit: .max).map(\.id) {
                if relation == .playlist {
                    for element in try view.list(number, id) {
                        found.insert(
                            Place(
                                relation: number, source: id, target: element.target,
                                position: element.position))
                    }
                } else {
                    for target in try view.links(of: store.end(relation, id)) {
                        found.insert(Place(relation: number, source: id, target: target))
                    }
                }
            }
        }
        return found
    }

    private func expectDifference(
        _ store: GraphStore, _ new: ReadView, since old: ReadView, _ comment: Comment
    ) throws {
        var state = try links(store, old)
        let relations = store.engine.schemas.schema.relations
        try new.forEachLinkDifference(since: old, among: relations) { change in
            let place = Place(
                relation: change.relation, source: change.source, target: change.target,
                position: change.position)
            #expect(state.contains(place) != change.isLink, comment)
            if change.isLink { state.insert(place) } else { state.remove(place) }
            return true
        }
        #expect(try state == links(store, new), comment)
    }

    @Test(arguments: Seeds.first(8 * Seeds.rounds))
    func `applying link differences to one version gives the other`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let store = try GraphStore(MemoryFileSystem())
        var nodes: [UInt64] = []
        for _ in 0..<12 {
            nodes.append(try store.engine.write { try store.put("node", in: $0) })
        }
        var views = [try store.engine.view()]
        var sequences = [try store.engine.visibleSequence]
        for _ in 0..<25 {
            try store.engine.write { transaction in
                for _ in 0..<Int.random(in: 1...5, using: &generator) {
                    try change(store, nodes, &generator, transaction)
                }
            }
            views.append(try store.engine.view())
            sequences.append(try store.engine.visibleSequence)
        }
        for way in [PastWay.rewind, .replay] {
            for sequence in sequences.shuffled(using: &generator).prefix(3)
            where sequence < sequences.last ?? 0 {
                views.append(try store.engine.pastView(at: sequence, by: way))
            }
        }
        for _ in 0..<40 {
            let from = Int.random(in: 0..<views.count, using: &generator)
            let to = Int.random(in: 0..<views.count, using: &generator)
            try expectDifference(
                store, views[to], since: views[from], "seed \(seed), from \(from) to \(to)")
        }
        views.removeAll()
        try store.engine.proveReplay()
        try store.engine.close()
    }

    private func change(
        _ store: GraphStore, _ nodes: [UInt64], _ generator: inout SeededGenerator,
        _ transaction: WriteTransaction
    ) throws {
        let source = nodes.randomElement(using: &generator) ?? 1
        let target = nodes.randomElement(using: &generator) ?? 1
        let relation: GraphStore.Relation =
            [.parent, .friends, .playlist].randomElement(using: &generator) ?? .friends
        guard relation == .playlist else {
            if Bool.random(using: &generator) {
                _ = try transaction.changes.link(store.number(relation), source, target)
            } else {
                _ = try transaction.changes.unlink(store.number(relation), source, target)
            }
            return
        }
        let number = store.number(.playlist)
        let base = try transaction.changes.list(number, source)
        var list = base.map { ListPlacement(position: $0.position, target: $0.target) }
        if list.count > 6 || Int.random(in: 0..<4, using: &generator) == 0, !list.isEmpty {
            list.remove(at: Int.random(in: 0..<list.count, using: &generator))
        } else {
            list.insert(
                ListPlacement(position: nil, target: target),
                at: Int.random(in: 0...list.count, using: &generator))
        }
        _ = try transaction.changes.setList(number, source, from: base.map(\.position), to: list)
    }

    @Test func `the differences of many links are compared in parts`() throws {
        let store = try GraphStore(MemoryFileSystem()) { $0.log.segmentSizeBytes = 64 << 20 }
        let count = 5_000
        try store.engine.write { transaction in
            for number in 0...count { _ = try store.put("\(number)", in: transaction) }
        }
        let old = try store.engine.view()
        try store.engine.write { transaction in
            for id in 2...UInt64(count + 1) {
                _ = try transaction.changes.link(store.number(.friends), 1, id)
            }
            _ = try transaction.changes.setList(
                store.number(.playlist), 1, from: [],
                to: (2...UInt64(count + 1)).map { ListPlacement(position: nil, target: $0) })
        }
        let new = try store.engine.view()
        let relations = store.engine.schemas.schema.relations
        for (view, other, isLink) in [(new, old, true), (old, new, false)] {
            var targets: [UInt32: [UInt64]] = [:]
            try view.forEachLinkDifference(since: other, among: relations) { change in
                #expect(change.isLink == isLink)
                targets[change.relation, default: []].append(change.target)
                return true
            }
            let all = Array(2...UInt64(count + 1))
            #expect(targets == [store.number(.friends): all, store.number(.playlist): all])
        }
        var seen = 0
        try new.forEachLinkDifference(since: old, among: relations) { _ in
            seen += 1
            return seen < 7
        }
        #expect(seen == 7)
        try store.engine.close()
    }
}
