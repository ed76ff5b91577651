import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTestSupport
import Testing

/// The cost of an undo in bytes read, and for many links.
@Suite struct UndoCostTests {
    @Test func `all previous versions are found in one pass over the log`() throws {
        let disk = CountingDisk(MemoryFileSystem())
        let notes = try NoteStore(disk)
        let count: UInt64 = 1_000
        let text = String(repeating: "text ", count: 40)
        for number in 1...count { try notes.put("\(number) " + text) }
        try notes.engine.write { transaction in
            for id in 1...count { try notes.put("changed \(id)", id: id, in: transaction) }
        }
        let length = notes.engine.log.lengthBytes
        disk.readByteCount.store(0, ordering: .relaxed)
        let report = try notes.engine.undo(count + 2...count + 2)
        #expect(report.changedCount == Int(count))
        #expect(try notes.text(7) == "7 " + text)
        // There are forty commits between two sparse index entries: searching for each version
        // separately would read the log forty times.
        #expect(disk.readByteCount.load(ordering: .relaxed) < 8 * length)
        try notes.closeProven()
    }

    @Test func `the question for an author's last commit reads the log once`() throws {
        let disk = CountingDisk(MemoryFileSystem())
        let notes = try NoteStore(disk)
        let text = String(repeating: "text ", count: 200)
        for number in 1...2_000 { try notes.put("\(number) " + text) }
        let length = notes.engine.log.lengthBytes
        func readBytes(_ step: UndoStep = .undo, finds sequence: UInt64?) throws -> Int {
            var found: UInt64?
            let count = try disk.readBytes {
                found = try notes.engine.lastCommit(by: "ada", for: step)
            }
            #expect(found == sequence)
            return count
        }
        #expect(try readBytes(finds: nil) > length / 2)
        #expect(try readBytes(finds: nil) == 0)
        try notes.put("other")
        #expect(try readBytes(finds: nil) < length / 4)
        try notes.engine.write(metadata: ["author": "ada"]) { transaction in
            _ = try notes.put("hers", in: transaction)
        }
        let sequence = notes.engine.log.lastSequence
        #expect(try readBytes(finds: sequence) < length / 4)
        try notes.engine.undo(sequence...sequence, metadata: ["author": "ada"])
        // The author has no commit before.
        #expect(try readBytes(finds: nil) < length / 4)
        #expect(try readBytes(.redo, finds: sequence + 1) < length / 4)
        try notes.closeProven()
    }

    @Test func `a previous version that is missing in the log is corruption, not a new object`()
        throws
    {
        let notes = try NoteStore(MemoryFileSystem())
        try notes.put("one")
        let object = UndoHistory.Object(entity: notes.entity, id: 1)
        #expect(try notes.engine.rows(written: [object: 2]).count == 1)
        for sequence in [1, 90] as [UInt64] {
            let error = expectError(.corruption) {
                _ = try notes.engine.rows(written: [object: sequence])
            }
            #expect(error?.details["id"] == "1")
        }
        try notes.closeProven()
    }

    /// Returns a list with many elements.
    private func list(_ count: Int) throws -> (GraphStore, [UInt64]) {
        let store = try GraphStore(MemoryFileSystem()) { $0.log.segmentSizeBytes = 64 << 20 }
        var nodes: [UInt64] = []
        try store.engine.write { transaction in
            for number in 0...count { nodes.append(try store.put("\(number)", in: transaction)) }
            _ = try transaction.changes.setList(
                store.number(.playlist), 1, from: [],
                to: nodes.dropFirst().map { ListPlacement(position: nil, target: $0) })
        }
        return (store, nodes)
    }

    private func targets(_ store: GraphStore) throws -> [UInt64] {
        try store.engine.scope().list(store.number(.playlist), 1).map(\.target)
    }

    @Test func `a list with many elements is emptied and restored`() throws {
        let (store, nodes) = try list(5_000)
        let all = try targets(store)
        #expect(all == Array(nodes.dropFirst()))
        let base = try store.engine.scope().list(store.number(.playlist), 1).map(\.position)
        try store.engine.write { transaction in
            _ = try transaction.changes.setList(store.number(.playlist), 1, from: base, to: [])
        }
        let sequence = store.engine.log.lastSequence
        let report = try store.engine.undo(sequence...sequence)
        #expect(report.linkCount == 5_000)
        #expect(try targets(store) == all)
        try store.engine.undo(sequence + 1...sequence + 1)
        #expect(try targets(store).isEmpty)
        try store.engine.proveReplay()
        try store.engine.close()
    }

    @Test func `elements are inserted after the elements that took their positions, in order`()
        throws
    {
        let (store, nodes) = try list(2_000)
        let relation = store.number(.playlist)
        let all = Array(nodes.dropFirst())
        let base = try store.engine.scope().list(relation, 1).map(\.position)
        try store.engine.write { transaction in
            _ = try transaction.changes.setList(relation, 1, from: base, to: [])
        }
        let sequence = store.engine.log.lastSequence
        // The new elements get the same positions, because positions in an empty list start over.
        try store.engine.write { transaction in
            _ = try transaction.changes.setList(
                relation, 1, from: [],
                to: all.reversed().map { ListPlacement(position: nil, target: $0) })
        }
        let refusal = #expect(throws: DaybookError.self) {
            try store.engine.undo(sequence...sequence)
        }
        let conflicts = (refusal?.cause as? UndoObstacles)?.conflicts ?? []
        #expect(conflicts.count == 2_000)
        #expect(conflicts.allSatisfy { $0.sequences == [sequence + 1] })
        let report = try store.engine.undo(sequence...sequence, conflicts: .overwrite)
        #expect(report.linkCount == 2_000)
        let found = try targets(store)
        #expect(found == zip(all.reversed(), all).flatMap { [$0, $1] })
        try store.engine.proveReplay()
        try store.engine.close()
    }

    @Test func `a new element with the same position is not mistaken for the old one`() throws {
        let (store, nodes) = try list(0)
        let relation = store.number(.playlist)
        func append() throws -> UInt64 {
            try store.engine.write { transaction in
                let base = try transaction.changes.list(relation, 1)
                _ = try transaction.changes.setList(
                    relation, 1, from: base.map(\.position),
                    to: base.map { ListPlacement(position: $0.position, target: $0.target) }
                        + [ListPlacement(position: nil, target: nodes[0])])
            }
            return store.engine.log.lastSequence
        }
        let first = try append()
        let undo = try #require(try store.engine.undo(first...first).sequence)
        let second = try append()
        let refusal = #expect(throws: DaybookError.self) {
            try store.engine.undo(undo...undo)
        }
        let conflicts = (refusal?.cause as? UndoObstacles)?.conflicts ?? []
        #expect(conflicts.map(\.sequences) == [[second]])
        // Objects that an undo restored exist: undoing twice equals undoing once.
        try store.engine.undo(second...second)
        try store.engine.undo(undo...undo)
        let again = try store.engine.undo(undo...undo)
        #expect(again.sequence == nil && again.conflicts.isEmpty)
        #expect(try targets(store) == [nodes[0]])
        try store.engine.proveReplay()
        try store.engine.close()
    }

    @Test func `elements added to an emptied list have no order relative to the old ones`() throws {
        let (store, nodes) = try list(2)
        let relation = store.number(.playlist)
        func set(_ indices: [Int], _ others: [UInt64] = []) throws -> UInt64 {
            try store.engine.write { transaction in
                let base = try transaction.changes.list(relation, 1)
                let kept = indices.map {
                    ListPlacement(position: base[$0].position, target: base[$0].target)
                }
                _ = try transaction.changes.setList(
                    relation, 1, from: base.map(\.position),
                    to: kept + others.map { ListPlacement(position: nil, target: $0) })
            }
            return store.engine.log.lastSequence
        }
        let removal = try set([0])
        _ = try set([])
        // It gets the position that the first one had.
        let later = try set([], [nodes[0]])
        let refusal = #expect(throws: DaybookError.self) {
            try store.engine.undo(removal...removal)
        }
        let conflicts = (refusal?.cause as? UndoObstacles)?.conflicts ?? []
        #expect(conflicts.map(\.sequences) == [[later]])
        #expect(conflicts.map(\.target) == [nodes[2]])
        #expect(try targets(store) == [nodes[0]])
        try store.engine.close()
    }

    @Test func `each link of a hub is checked among many later links`() throws {
        let store = try GraphStore(MemoryFileSystem()) { $0.log.segmentSizeBytes = 64 << 20 }
        let (friends, count) = (store.number(.friends), 3_000)
        try store.engine.write { transaction in
            for number in 0...2 * count { _ = try store.put("\(number)", in: transaction) }
        }
        let others = (2...UInt64(2 * count + 1)).map { $0 }
        try store.engine.write { transaction in
            for id in others.prefix(count) { try transaction.changes.link(friends, 1, id) }
        }
        let sequence = store.engine.log.lastSequence
        try store.engine.write { transaction in
            for id in others.suffix(count) { try transaction.changes.link(friends, 1, id) }
            for id in others.prefix(10) { try transaction.changes.unlink(friends, 1, id) }
        }
        try store.engine.write { try $0.changes.link(friends, 1, others[0]) }
        let report = try store.engine.undo(sequence...sequence, conflicts: .skip)
        #expect(report.conflicts.map(\.target) == [others[0]])
        #expect(report.conflicts.map(\.sequences) == [[sequence + 1, sequence + 2]])
        #expect(report.linkCount == count - 10)
        #expect(
            try store.engine.scope().links(of: store.end(.friends, 1))
                == [others[0]] + others.suffix(count))
        try store.engine.proveReplay()
        try store.engine.close()
    }
}
