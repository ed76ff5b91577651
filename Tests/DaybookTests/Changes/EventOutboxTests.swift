@testable import Daybook
@testable import DaybookEvents
import DaybookTestSupport
import Foundation
import Testing

@Suite struct EventOutboxTests {
    private let directory = TemporaryDirectory()

    private func reading(_ number: Int) -> Reading {
        Reading(device: "roof", celsius: Double(number))
    }

    private func names(_ batches: [EventBatch]) throws -> [String] {
        try batches.flatMap { try $0.commits() }.flatMap(\.events).map { event in
            "\(event.entityName) \(event.index)"
        }
    }

    @Test func `a batch has the events of the named types in the order of the log`() throws {
        let store = try Store.ofEvents([Reading.self, Sample.self, Note.self])
        let outbox = try EventOutbox(store, of: [Reading.self])
        try store.write(metadata: CommitMetadata(author: "ada")) {
            try store.append(Sample())
            try store.append([reading(1), reading(2)])
            try store.box(for: Note.self).put(Note(text: "note"))
        }
        try store.box(for: Note.self).put(Note(text: "other"))
        try store.append(reading(3))
        try store.append(Sample())
        let batch = try outbox.next(after: outbox.acknowledged)
        let commits = try batch.commits()
        #expect(batch.store == outbox.storeIdentity && batch.eventCount == 3)
        #expect(batch.start == outbox.acknowledged)
        #expect(batch.end == EventPosition(sequence: try store.sequence + 1))
        #expect(try names([batch]) == ["Reading 2", "Reading 3", "Reading 1"])
        #expect(commits.map(\.metadata) == [["author": "ada"], [:]])
        #expect(commits[1].sequence == commits[0].sequence + 2)
        let rest = try outbox.next(after: batch.end)
        #expect(rest.isEmpty && rest.bytes.isEmpty && rest.end == batch.end)
        try store.close()
    }

    @Test func `a batch ends at its size, also within a commit, and the next one continues`() throws
    {
        let store = try Store.ofEvents([Reading.self])
        let outbox = try EventOutbox(store, of: [Reading.self])
        for number in 0..<5 {
            try store.append((0..<10).map { reading(number * 10 + $0) })
        }
        let all = try outbox.batches()
        #expect(all.count == 1 && all[0].eventCount == 50)
        for size in [0, 1, 300, 1000] {
            let batches = try outbox.batches(sizeBytesMax: size)
            #expect(batches.reduce(0) { $0 + $1.eventCount } == 50)
            #expect(size > 1 || batches.count == 50)
            #expect(try names(batches) == (try names(all)))
            #expect(zip(batches, batches.dropFirst()).allSatisfy { $0.end == $1.start })
            // A batch begins anywhere, not only where the last one ended.
            for batch in batches.reversed() {
                let again = try outbox.next(
                    after: batch.start, previous: batch.previous, sizeBytesMax: size)
                #expect(again.bytes == batch.bytes)
            }
        }
        try store.close()
    }

    @Test func `a place is kept, and the events after it are read again`() throws {
        var store = try Store.quiet(directory)
        for number in 1...4 { try store.append([reading(number), reading(-number)]) }
        var outbox = try EventOutbox(store, of: [Reading.self])
        #expect(outbox.acknowledged == .start)
        #expect(outbox.pendingCommitCount == (try store.sequence))
        let batches = try outbox.batches(sizeBytesMax: 1)
        #expect(batches.count == 8)
        try outbox.acknowledge(batches[2].end)
        #expect(outbox.acknowledged == batches[2].end)
        try outbox.acknowledge(batches[0].end)
        #expect(outbox.acknowledged == batches[2].end)
        outbox.close()
        try store.close()

        store = try Store.quiet(directory)
        #expect(try store.consumerNames() == ["event-outbox"])
        outbox = try EventOutbox(store, of: [Reading.self])
        // The place within a commit is not kept.
        #expect(outbox.acknowledged == EventPosition(sequence: batches[2].end.sequence))
        #expect(try outbox.batches(after: outbox.acknowledged).map(\.eventCount) == [6])
        try outbox.acknowledge(batches[7].end)
        #expect(outbox.pendingCommitCount == 0)
        expectError(.historyOfAnotherStore) {
            try outbox.acknowledge(EventPosition(sequence: batches[7].end.sequence + 1))
        }
        expectError(.historyOfAnotherStore) {
            _ = try outbox.next(after: EventPosition(sequence: batches[7].end.sequence, index: 1))
        }
        outbox.close()
        try store.close()
    }

    /// A power failure may lose the others, and the store would use their sequences again.
    @Test func `a batch has only durable events`() throws {
        let store = try Store.ofEvents([Reading.self]) { $0.durability = .manual }
        let outbox = try EventOutbox(store, of: [Reading.self])
        try store.append(reading(1))
        try store.sync()
        try store.append(reading(2))
        let batch = try outbox.next(after: .start)
        #expect(batch.eventCount == 1)
        #expect(try outbox.next(after: batch.end).isEmpty)
        try store.sync()
        #expect(try outbox.next(after: batch.end).eventCount == 1)
        try store.close()
    }

    @Test func `commits without events move the place`() throws {
        let store = try Store.ofEvents([Reading.self, Note.self])
        let outbox = try EventOutbox(store, of: [Reading.self])
        for _ in 1...30 { try store.box(for: Note.self).put(Note(text: "note")) }
        let batch = try outbox.next(after: outbox.acknowledged)
        let last = try store.sequence
        #expect(batch.isEmpty && batch.end.sequence == last + 1)
        try outbox.acknowledge(batch.end)
        #expect(outbox.pendingCommitCount == 0)
        try store.append(reading(1))
        #expect(outbox.pendingCommitCount == 1)
        #expect(try outbox.next(after: outbox.acknowledged).eventCount == 1)
        try store.close()
    }

    @Test func `a compaction keeps events until they are acknowledged`() async throws {
        let store = try Store.ofEvents([Reading.self])
        let outbox = try EventOutbox(store, of: [Reading.self])
        for number in 1...6 { try await store.append(reading(number)) }
        let kept = try await store.compact(except: ["Reading": .latest])
        #expect(kept.droppedEventCount == 0 && kept.retainingConsumers == ["event-outbox"])
        let batches = try outbox.batches(sizeBytesMax: 1)
        try outbox.acknowledge(batches[3].end)
        let report = try await store.compact(except: ["Reading": .latest])
        #expect(report.droppedEventCount == 4)
        #expect(try outbox.batches(after: outbox.acknowledged).map(\.eventCount) == [2])
        for place in [EventPosition.start, batches[2].end] {
            let error = expectError(.historyTruncated) { _ = try outbox.next(after: place) }
            #expect(error?.details["place"] == "\(place)")
            #expect(error?.message.contains("skipDropped") == true)
        }
        #expect(outbox.skipDropped(after: batches[2].end) == batches[3].end)
        #expect(outbox.skipDropped(after: batches[4].end) == batches[4].end)
        try await store.close()
    }

    @Test func `events of an older layout have the names of the newest one`() throws {
        let path = directory.path
        var store = try Store.ofEvents([Reading.self], path: path)
        try store.append(reading(7))
        try store.close()
        store = try Store.ofEvents([NewReading.self], path: path)
        let outbox = try EventOutbox(store, of: [NewReading.self])
        let batch = try outbox.next(after: .start)
        let decoded = try EventBatch(decoding: batch.bytes)
        #expect(
            try decoded.commits()[0].events[0].members == [
                "station": .text("roof"), "celsius": .decimal("7.0"),
            ])
        outbox.close()
        try store.close()
    }

    @Test func `one outbox of a name exists at a time`() throws {
        let store = try Store.ofEvents([Reading.self])
        let outbox = try EventOutbox(store, of: [Reading.self])
        expectError(.locked) { _ = try EventOutbox(store, of: [Reading.self]) }
        _ = try EventOutbox(store, of: [Reading.self], name: "other")
        outbox.close()
        let second = try EventOutbox(store, of: [Reading.self])
        expectError(.invalidArgument) {
            _ = try EventOutbox(store, of: [Reading.self], name: "no name")
        }
        // A closed outbox must not change the place of its successor.
        try store.append(reading(1))
        expectError(.closed) { _ = try outbox.next(after: .start) }
        expectError(.closed) { try outbox.acknowledge(EventPosition(sequence: 2)) }
        #expect(try second.next(after: .start).eventCount == 1)
        try store.close()
        expectError(.closed) { _ = try second.next(after: .start) }
        expectError(.closed) { try second.acknowledge(EventPosition(sequence: 2)) }
        expectError(.closed) { _ = try EventOutbox(store, of: [Reading.self]) }
    }

    @Test func `an event that no batch has space for is an error with the place after it`() throws {
        let store = try Store.ofEvents([Reading.self])
        let outbox = try EventOutbox(store, of: [Reading.self])
        let long = String(repeating: "long", count: 3 << 20)
        try store.append([reading(1), reading(2)])
        // Two that share no batch.
        try store.append([Reading(device: long, celsius: 3), Reading(device: long, celsius: 4)])
        try store.append([reading(5), Reading(device: long + long, celsius: 6), reading(7)])
        var batches: [EventBatch] = []
        for _ in 0..<2 {
            let place = batches.last?.end ?? .start
            batches.append(try outbox.next(after: place, sizeBytesMax: .max))
        }
        #expect(batches.map(\.eventCount) == [3, 2])
        #expect(try batches.allSatisfy { try EventBatch(decoding: $0.bytes).end == $0.end })
        let error = expectError(.overflow) { _ = try outbox.next(after: batches[1].end) }
        let next = EventPosition(sequence: try store.sequence, index: 2)
        #expect(error?.details["place"] == "\(next)")
        #expect(try outbox.next(after: next).eventCount == 1)
        try store.close()
    }

    @Test func `events with relations and unknown types are refused`() throws {
        let store = try Store.ofEvents([Visit.self, Note.self])
        let error = expectError(.invalidArgument) {
            _ = try EventOutbox(store, of: [Visit.self])
        }
        #expect(error?.details["property"] == "note")
        expectError(.invalidArgument) { _ = try EventOutbox(store, of: [Reading.self]) }
        #expect(try store.consumerNames().isEmpty)
        try store.close()
    }

    @Test func `a copy of the directory is noticed`() throws {
        let store = try Store.quiet(directory)
        try store.append(reading(1))
        let copy = directory.path + "-copy"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.copyItem(atPath: directory.path, toPath: copy)
        let first = try EventOutbox(store, of: [Reading.self])
        try store.append(reading(2))
        let sent = try #require(try first.next(after: .start).batchEnd)
        try first.check(sent)

        let other = try Store.ofEvents([Reading.self], path: copy)
        let second = try EventOutbox(other, of: [Reading.self])
        #expect(second.storeIdentity == first.storeIdentity)
        // The copy has no such commit.
        expectError(.historyOfAnotherStore) { try second.check(sent) }
        // It has another one.
        try other.append(reading(3))
        let error = expectError(.historyOfAnotherStore) { try second.check(sent) }
        #expect(error?.details["place"] == "\(sent.place)")
        try second.check(try #require(try second.next(after: .start).batchEnd))
        // The time of a commit that a compaction dropped is unknown.
        try other.compact(keeping: .latest, except: ["Reading": .latest], ignoringConsumers: true)
        try second.check(sent)
        for store in [store, other] { try store.close() }
    }

    @Test func `a wait ends with the next durable commit, and with the store`() async throws {
        let store = try Store.ofEvents([Reading.self])
        let outbox = try EventOutbox(store, of: [Reading.self])
        let end = try outbox.next(after: .start).end
        async let wait: Void = outbox.waitForCommit(after: end)
        try await store.append(reading(1))
        await wait
        #expect(try outbox.next(after: end).eventCount == 1)
        // A place before all others.
        await outbox.waitForCommit(after: EventPosition(sequence: 0))
        let last = try outbox.next(after: end).end
        async let end2: Void = outbox.waitForCommit(after: last)
        try await store.close()
        await end2
        expectError(.closed) { _ = try outbox.next(after: last) }
    }

    @Test func `a wait ends when the outbox is closed`() async throws {
        let store = try Store.ofEvents([Reading.self])
        let outbox = try EventOutbox(store, of: [Reading.self])
        let end = try outbox.next(after: .start).end
        let wait = Task { await outbox.waitForCommit(after: end) }
        try await Task.sleep(for: .milliseconds(20))
        outbox.close()
        await wait.value
        expectError(.closed) { _ = try outbox.next(after: end) }
        try await store.close()
    }
}
