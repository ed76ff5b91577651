import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookMaintenance
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// Erasures of objects with relations.
@Suite struct ErasedLinkTests {
    private static let secret = "xq7-secret-value"

    private func open(_ fileSystem: any FileSystem) throws -> GraphStore {
        try GraphStore(fileSystem) { $0.log.segmentSizeBytes = 2 << 10 }
    }

    /// Node 1 is linked with nodes 2 to 4 in all ways; links change in several commits.
    private func fill(_ graph: GraphStore) throws {
        try graph.engine.write { transaction in
            for id in 1...6 {
                _ = try graph.put(
                    id == 1 || id == 4 ? "\(Self.secret)\(id)" : "node", in: transaction)
            }
        }
        func change(_ body: (inout PendingChanges) throws -> Void) throws {
            try graph.engine.write { try body(&$0.changes) }
        }
        func list(_ source: UInt64, _ targets: [UInt64], _ changes: inout PendingChanges) throws {
            let relation = graph.number(.playlist)
            let known = try changes.list(relation, source)
            _ = try changes.setList(
                relation, source, from: known.map(\.position),
                to: targets.map { ListPlacement(position: nil, target: $0) })
        }
        let (friends, owned) = (graph.number(.friends), graph.number(.owned))
        try change { changes in
            try changes.link(friends, 1, 2)
            try changes.link(friends, 2, 1)
            try changes.link(friends, 2, 3)
        }
        try change { try $0.link(owned, 1, 4) }
        try change { try list(1, [2, 3, 2], &$0) }
        try change { try list(3, [1, 2, 1], &$0) }
        try change { try $0.unlink(friends, 1, 2) }
        try change { try list(3, [2, 1], &$0) }
        try change { try $0.link(friends, 1, 3) }
    }

    private func linkRecords(
        _ graph: GraphStore, of ids: Set<UInt64>
    ) throws -> Int {
        var count = 0
        for entry in graph.engine.log.entries {
            var scanner = try graph.engine.log.scan(entry)
            while let frame = try scanner.next() {
                count += try frame.records().count { record, _ in
                    switch record.kind {
                    case .link, .unlink, .listInsert, .listRemove:
                        ids.contains(record.source) || ids.contains(record.target)
                    default: false
                    }
                }
            }
        }
        return count
    }

    @Test func `links and owned objects are erased with their object`() throws {
        let memory = MemoryFileSystem()
        let graph = try open(memory)
        try fill(graph)
        #expect(try linkRecords(graph, of: [1, 4]) > 8)
        let last = graph.engine.log.lastSequence
        let report = try graph.engine.erase(ErasureRequest("Node", ids: [1]))
        // Node 4 is removed with its owner.
        #expect(report.objectCounts == ["Node": 2] && report.versionCount == 2)
        #expect(report.linkChangeCount > 8)
        #expect(try StoredTexts.files(containing: Self.secret, memory) == [])
        #expect(try linkRecords(graph, of: [1, 4]) == 0)
        #expect(try graph.rows().keys.sorted() == [2, 3, 5, 6])
        for way in [PastWay.rewind, .replay] {
            let view = try graph.engine.pastView(at: last, by: way)
            #expect(try view.links(of: graph.end(.friends, 2)) == [3])
            #expect(try view.links(of: graph.end(.playlist, 3)) == [2])
        }
        try graph.engine.proveReplay()
        try graph.engine.close()
        #expect(try Engine.verify(NoteStore.path, memory).findings.isEmpty)
    }

    @Test func `a denied removal erases nothing`() throws {
        let graph = try open(MemoryFileSystem())
        try fill(graph)
        try graph.engine.write { try $0.changes.link(graph.number(.guarded), 1, 5) }
        let sequence = graph.engine.log.lastSequence
        expectError(.relationDenied) {
            _ = try graph.engine.erase(ErasureRequest("Node", ids: [1]))
        }
        expectError(.relationDenied) {
            _ = try graph.engine.planErasure(ErasureRequest("Node", ids: [1]))
        }
        #expect(graph.engine.log.lastSequence == sequence)
        #expect(graph.engine.unfinishedErasures.isEmpty)
        try graph.engine.close()
    }

    @Test func `links do not come back if an erasure is killed`() throws {
        let recording = MemoryFileSystem(recording: true)
        let graph = try open(recording)
        try fill(graph)
        let first = recording.operationCount
        _ = try graph.engine.erase(ErasureRequest("Node", ids: [1]))
        let last = recording.operationCount
        let sequence = graph.engine.log.lastSequence
        try graph.engine.close()
        for operation in stride(from: first, through: last, by: 2) {
            let memory = recording.afterKill(at: operation)
            for path in memory.paths("snapshot-") { try memory.remove(path) }
            #expect(try Engine.verify(NoteStore.path, memory).severity != .corruption)
            let again = try open(memory)
            if again.engine.log.lastSequence == sequence {
                #expect(try again.engine.view(until: nil).links(of: graph.end(.friends, 2)) == [3])
            }
            try again.engine.finishErasures()
            try again.engine.proveReplay()
            try again.engine.close()
        }
    }

    /// The rows and links of one past state.
    private struct State: Equatable {
        var rows: [UInt64: [UInt8]] = [:]
        var targets: [GraphStore.Relation: [UInt64: [UInt64]]] = [:]

        init(_ graph: GraphStore, at sequence: UInt64, by way: PastWay?) throws {
            let view = try graph.engine.pastView(at: sequence, by: way)
            var scan = view.scan(graph.entity)
            while let row = try scan.next() { rows[row.id] = row.bytes.array }
            for relation in GraphStore.Relation.allCases {
                for id in rows.keys {
                    let found = try view.links(of: graph.end(relation, id))
                    if !found.isEmpty { targets[relation, default: [:]][id] = found }
                }
            }
        }

        /// The same state as if some nodes had never existed.
        func without(_ erased: Set<UInt64>) -> State {
            var state = self
            for id in erased { state.rows[id] = nil }
            for (relation, all) in targets {
                let rest = all.filter { !erased.contains($0.key) }
                    .mapValues { $0.filter { !erased.contains($0) } }
                    .filter { !$0.value.isEmpty }
                state.targets[relation] = rest.isEmpty ? nil : rest
            }
            return state
        }
    }

    @Test(arguments: Seeds.first(6 * Seeds.rounds))
    func `random histories are as if erased objects had never existed`(seed: UInt64) throws {
        let memory = MemoryFileSystem()
        let world = try RetentionWorld(memory, seed: seed)
        var erased: Set<UInt64> = []
        for round in 0..<3 {
            try world.write(commitCount: 60)
            let graph = world.graph
            let last = graph.engine.log.lastSequence
            let sequences = stride(from: 1, through: last, by: 9)
            let before = try sequences.map { try State(graph, at: $0, by: .replay) }
            let living = try Set(graph.rows().keys)
            let nextId = graph.engine.trees.withLock {
                $0.applied.counts[graph.entity]?.nextId ?? 1
            }
            let ids = (1..<nextId).filter { ($0 + seed) % 5 == UInt64(round) }
            do {
                _ = try graph.engine.erase(ErasureRequest("Node", ids: ids))
            } catch DaybookError.Code.relationDenied {
                continue
            }
            // Delete rules may have removed and erased other nodes, too.
            erased.formUnion(ids)
            erased.formUnion(try living.subtracting(graph.rows().keys))
            for (sequence, state) in zip(sequences, before) {
                for way in [PastWay.rewind, .replay] {
                    let now = try State(graph, at: sequence, by: way)
                    let isAsIf = now == state.without(erased)
                    #expect(isAsIf, "seed \(seed), sequence \(sequence), \(way)")
                }
            }
            let findings = try Engine.verify(NoteStore.path, memory).findings
            #expect(findings.allSatisfy { $0.severity == .note }, "seed \(seed): \(findings)")
        }
        _ = try world.engine.compact(.since(world.engine.log.lastSequence / 2))
        #expect(!erased.isEmpty)
        try world.engine.proveReplay()
        try world.engine.close()
        #expect(try Engine.verify(NoteStore.path, memory).severity != .corruption)
    }
}
