import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookMaintenance
import DaybookRecords
import DaybookTestSupport
import Foundation
import Testing

/// Rare states of replicas.
@Suite(.timeLimit(.minutes(5))) struct LogShippingEdgeTests {
    private typealias Shipping = LogShippingTests

    @Test func `a close does not wait for queued writes that no shipper ships`() throws {
        let files = MemoryFileSystem()
        let (notes, _) = try Shipping.writer(files, isAwaited: true)
        for number in 1...3 {
            let row = try notes.row("note \(number)")
            let (entity, layout) = (notes.entity, notes.layout)
            try notes.engine.enqueue(timeoutSeconds: 1) { transaction throws(DaybookError) in
                _ = try transaction.changes.put(
                    entity, 0, layout: layout, row: row.span, PutOptions(mode: .put))
            }
        }
        try notes.engine.close()
        let again = try NoteStore(files, path: "/a")
        #expect(try again.count() == 3)
        try again.closeProven()
    }

    @Test func `transactions whose history was dropped count as equal`() throws {
        let files = MemoryFileSystem()
        let (notes, _) = try Shipping.writer(files, NoteStore.small)
        let id = try notes.put("first")
        for round in 1...10 {
            try notes.put("text \(round) " + String(repeating: "x", count: 150), id: id)
        }
        let all = try #require(
            try notes.engine.shippedTransactions(after: 0, sizeBytesMax: 1 << 20))
        notes.engine.didShip(through: notes.engine.log.lastSequence)
        _ = try notes.engine.compact(.latest)
        #expect(notes.engine.log.manifest.gapsEnd > 0)
        let hash = try notes.engine.stateHash()
        try notes.engine.close()
        var options = notes.engine.options
        options.shipping = LogShipping(isAwaited: false)
        let follower = try Engine.open("/a", files, options: options)
        #expect(try follower.append(shipped: all.bytes, after: 0) == all.lastSequence)
        #expect(try follower.stateHash() == hash)
        try follower.close()
    }

    @Test func `transactions with a gap or an unknown layout are refused`() throws {
        let (notes, _) = try Shipping.writer(MemoryFileSystem())
        for number in 1...3 { try notes.put("note \(number)") }
        let store = notes.engine.log.store
        func records(after sequence: UInt64) throws -> [UInt8] {
            let shipped = try #require(
                try notes.engine.shippedTransactions(after: sequence, sizeBytesMax: 1))
            return try ShippedTransactions.records(of: shipped.bytes.span)
        }
        let parts = try (0...3).map { try records(after: UInt64($0)) }
        func expectRefused(_ parts: [[UInt8]], after sequence: UInt64) throws {
            let follower = try Shipping.follower(MemoryFileSystem(), of: store)
            let bytes = try ShippedTransactions(
                firstSequence: 1, lastSequence: 1, times: 0...0,
                records: Array(parts.joined()).span
            ).bytes
            expectError(.corruption) { try follower.append(shipped: bytes, after: sequence) }
            #expect(follower.log.lastSequence == 0)
            try follower.close()
        }
        try expectRefused([parts[0], parts[1], parts[3]], after: 0)
        try expectRefused([parts[1], parts[0]], after: 0)
        // Without the schema, its rows are unknown. The sequence is that of an empty log.
        var writer = RecordWriter()
        let row = try notes.row("text")
        writer.put(entity: 1, id: 1, previous: 0, layout: 7, row: row.span)
        writer.commit(CommitRecord(sequence: 1, timeMicroseconds: 1))
        try expectRefused([writer.span.array], after: 0)
        try notes.closeProven()
    }

    @Test func `a cut moves consumers back and ends readers`() throws {
        let files = MemoryFileSystem()
        let (notes, _) = try Shipping.writer(files)
        for number in 1...6 { try notes.put("note \(number)") }
        let consumers = ConsumerStore(notes.engine)
        let store = notes.engine.log.store
        try consumers.write(ChangePosition(store: store, sequence: 6), of: "late")
        try consumers.write(ChangePosition(store: store, sequence: 2), of: "early")
        let reader = try NoteStore(files, path: "/a", access: .read)
        #expect(try reader.count() == 6)
        try notes.engine.close()
        #expect(try Engine.cut("/a", files, after: 4)?.lastSequence == 7)
        expectError(.historyOfAnotherStore) { try reader.engine.refresh() }
        expectError(.historyOfAnotherStore) { try reader.engine.refresh() }
        try reader.engine.close()
        let again = try NoteStore(files, path: "/a")
        #expect(try again.count() == 3)
        let positions = ConsumerStore(again.engine)
        #expect(try positions.position(of: "late")?.sequence == 4)
        #expect(try positions.position(of: "early")?.sequence == 2)
        try again.closeProven()
    }

    // Otherwise a close would compress the unshipped transactions, and they could not be cut off.
    @Test func `equal transactions leave the ones after them unshipped`() throws {
        let files = MemoryFileSystem()
        let (notes, _) = try Shipping.writer(files)
        for number in 1...9 { try notes.put("note \(number)") }
        let first = try #require(
            try notes.engine.shippedTransactions(after: 0, sizeBytesMax: 200))
        try notes.engine.close()
        var options = notes.engine.options
        let shipping = LogShipping(isAwaited: false)
        options.shipping = shipping
        let follower = try Engine.open("/a", files, options: options)
        try follower.append(shipped: first.bytes, after: 0)
        #expect(first.lastSequence < follower.log.lastSequence)
        #expect(shipping.shippedSequence == first.lastSequence)
        try follower.close()
    }

    @Test func `a compaction waits for the moves of the last one`() throws {
        let files = MemoryFileSystem()
        let (notes, shipping) = try Shipping.writer(files, isAwaited: true, NoteStore.small)
        let engine = notes.engine
        for number in 1...20 {
            shipping.failWaiting(DaybookError(.interrupted, "The stream cannot be reached."))
            let text = "note \(number) " + String(repeating: "x", count: 150)
            engine.didShip(through: engine.log.lastSequence + 1)
            try notes.put(text)
        }
        engine.didShip(through: engine.log.lastSequence)
        // The last commit is not shipped while the segments before it are compressed.
        try onThreads(2) { thread in
            if thread == 0 {
                #expect(throws: DaybookError.self) { try notes.put("waits") }
            } else {
                while engine.log.lastSequence < 22 { Thread.sleep(forTimeInterval: 0.001) }
                _ = try engine.compact(.all)
                #expect(engine.publication.hasWaitingRelocation)
                expectError(.interrupted) { _ = try engine.pinNewest(including: 1) }
                shipping.failWaiting(DaybookError(.interrupted, "The stream cannot be reached."))
            }
        }
        engine.didShip(through: 22)
        #expect(try notes.count() == 21)
        _ = try engine.compact(.all)
        #expect(try notes.all().count == 21)
        try notes.closeProven()
    }
}
