@testable import Daybook
@testable import DaybookEvents
import DaybookTestSupport
import DaybookTesting
import Foundation
import Testing

@Suite struct EventInboxTests {
    private let directory = TemporaryDirectory()

    private func reading(_ number: Int) -> Reading {
        Reading(device: "device \(number % 3)", celsius: Double(number) / 8)
    }

    /// A store that has appended readings in commits of one to three, and its outbox.
    private func device(_ count: Int) throws -> (Store, EventOutbox) {
        let store = try Store.ofEvents([Reading.self, Note.self])
        var number = 0
        while number < count {
            let size = min(number % 3 + 1, count - number)
            try store.append((number..<(number + size)).map(reading))
            number += size
        }
        return (store, try EventOutbox(store, of: [Reading.self]))
    }

    @Test func `values of every kind arrive unchanged`() async throws {
        let device = try Store.ofEvents([Sample.self])
        let samples = [Sample.hard, Sample(), Sample(ratio: .nan, origin: Sample.Origin())]
        try await device.append(samples)
        let batch = try EventOutbox(device, of: [Sample.self]).next(after: .start)
        let store = try Store.ofInbox([Sample.self])
        let inbox = try EventInbox(store)
        let report = try inbox.append(try EventBatch(decoding: batch.bytes))
        #expect(report.appendedCount == 3 && report.rejectedCount == 0)
        let found = try await store.events(of: Sample.self)
        #expect(found.prefix(2) == samples.prefix(2))
        #expect(found.count == 3 && found[2].ratio.isNaN && found[2].origin == Sample.Origin())
        #expect(found[0].scores["ü"]?.sign == .minus)
        try await store.close()
        try await device.close()
    }

    @Test func `an event is appended once, however often and wherever its batches begin`()
        async throws
    {
        let (device, outbox) = try device(40)
        let store = try Store.ofInbox([Reading.self])
        let inbox = try EventInbox(store)
        var generator = SeededGenerator(seed: 7)
        let events = try await device.events(of: Reading.self)
        let places = try outbox.batches(sizeBytesMax: 1).map(\.start)
        var end = EventPosition.start
        while true {
            // Batches of random sizes that begin at or before the last end.
            let known = places.filter { $0 <= end }
            let start =
                Bool.random(using: &generator) ? end : known.randomElement(using: &generator)
            let batch = try outbox.next(
                after: start ?? end, sizeBytesMax: .random(in: 1...200, using: &generator))
            if !batch.isEmpty {
                let before = try inbox.source(device.storeIdentity)?.eventCount ?? 0
                let report = try inbox.append(try EventBatch(decoding: batch.bytes))
                #expect(report.appendedCount + report.duplicateCount == batch.eventCount)
                #expect(
                    try inbox.source(device.storeIdentity)?.eventCount
                        == before + report.appendedCount)
            }
            end = max(end, batch.end)
            if end.sequence > device.position.sequence { break }
        }
        #expect(try await store.events(of: Reading.self) == events)
        let last = try store.sequence
        let whole = try outbox.next(after: .start)
        #expect(try inbox.append(whole).duplicateCount == 40)
        #expect(try store.sequence == last)
        let source = try inbox.source(device.storeIdentity)
        #expect(source?.place == end && source?.gapCount == 0 && source?.rejectedCount == 0)
        #expect(
            try await store.commits(of: Reading.self).allSatisfy { commit in
                commit.metadata.others["daybook.source"] == device.storeIdentity
            })
        try await store.close()
        try await device.close()
    }

    @Test func `the commits of many stores are collected with their metadata`() async throws {
        let store = try Store.ofInbox([Reading.self])
        let inbox = try EventInbox(store)
        var devices: [Store] = []
        for number in 0..<3 {
            let device = try Store.ofEvents([Reading.self])
            for step in 0..<4 {
                let author = step < 2 ? "ada" : "ben"
                try await device.write(metadata: CommitMetadata(author: author)) {
                    try device.append(reading(number * 10 + step))
                }
            }
            try inbox.append(try EventOutbox(device, of: [Reading.self]).next(after: .start))
            devices.append(device)
        }
        let commits = try await store.commits(of: Reading.self)
        #expect(commits.map(\.metadata.author) == ["ada", "ben", "ada", "ben", "ada", "ben"])
        let original = try await devices[1].commits(of: Reading.self)
        let noted = commits[2].metadata.others
        #expect(noted["daybook.source"] == devices[1].storeIdentity)
        #expect(
            noted["daybook.sourceCommits"]
                == "\(original[0].sequence)-\(original[1].sequence)")
        #expect(noted["daybook.sourceTime"]?.hasSuffix("Z") == true)
        #expect(try commits[2].events(of: Reading.self) == [reading(10), reading(11)])
        let source = try #require(try inbox.source(devices[2].storeIdentity))
        #expect(source.eventCount == 4)
        let difference = source.lastCommitDate.timeIntervalSince(
            try await devices[2].commits(of: Reading.self)[3].date)
        #expect(abs(difference) < 0.001)
        for device in devices { try await device.close() }
        try await store.close()
    }

    @Test func `the metadata of the collecting task are not those of the events`() async throws {
        let (device, outbox) = try device(2)
        let store = try Store.ofInbox([Reading.self])
        let inbox = try EventInbox(store)
        try CommitMetadata.$current.withValue(CommitMetadata(author: "collector")) {
            _ = try inbox.append(try outbox.next(after: .start))
        }
        #expect(try await store.commits(of: Reading.self).map(\.metadata.author) == [nil])
        try await store.close()
        try await device.close()
    }

    @Test func `events that do not fit are kept, and appended when they do`() async throws {
        let (device, outbox) = try device(3)
        try await device.write(metadata: CommitMetadata(author: "ada")) {
            try device.append(reading(9))
        }
        let batch = try outbox.next(after: .start)
        let path = directory.path
        var store = try Store.ofInbox([Sample.self], path: path)
        var inbox = try EventInbox(store)
        #expect(try inbox.append(batch).rejectedCount == 4)
        #expect(try inbox.append(batch).duplicateCount == 4)
        #expect(try inbox.retryRejected() == 0)
        let rejected = try await store.box(for: RejectedEvent.self).all()
        #expect(rejected.map(\.index) == [1, 1, 2, 1])
        #expect(rejected[0].reason.contains("has no entity 'Reading'"))
        #expect(rejected[0].values == #"{"celsius":0.0,"device":"device 0"}"#)
        #expect(rejected[3].metadata == ["author": "ada"])
        let last = try #require(batch.batchEnd)
        #expect(rejected[3].commitMicroseconds == last.lastCommitMicroseconds)
        #expect(
            rejected.allSatisfy { $0.store == device.storeIdentity && $0.entityName == "Reading" })
        #expect(try inbox.source(device.storeIdentity)?.rejectedCount == 4)
        // A program may have changed the text.
        var damaged = rejected[1]
        damaged.values = "{"
        try await store.box(for: RejectedEvent.self).put(damaged)
        try await store.close()

        // The program is updated.
        store = try Store.ofInbox([Sample.self, Reading.self], path: path)
        inbox = try EventInbox(store)
        #expect(try inbox.retryRejected() == 3)
        #expect(try inbox.retryRejected() == 0)
        #expect(try await store.events(of: Reading.self) == [0, 2, 9].map(reading))
        let commits = try await store.commits(of: Reading.self)
        #expect(commits[2].metadata.author == "ada")
        #expect(
            commits[2].metadata.others["daybook.sourceCommits"] == "\(rejected[3].sequence)")
        #expect(try await store.box(for: RejectedEvent.self).all() == [damaged])
        let source = try inbox.source(device.storeIdentity)
        #expect(source?.eventCount == 3 && source?.rejectedCount == 1)
        #expect(try inbox.append(batch).duplicateCount == 4)
        try await store.close()
        try await device.close()
    }

    @Test func `unknown properties are rejected, and missing ones are null or zero`() async throws {
        let new = try Store.ofEvents([NewReading.self])
        try await new.append(NewReading(station: "roof", celsius: 1, humidity: 4, level: 2))
        let old = try Store.ofEvents([Reading.self])
        try await old.append(Reading(device: "roof", celsius: 2))
        let store = try Store.ofInbox([Reading.self])
        let inbox = try EventInbox(store)
        let batch = try EventOutbox(new, of: [NewReading.self]).next(after: .start)
        #expect(try inbox.append(batch).rejectedCount == 1)
        let reason = try await store.box(for: RejectedEvent.self).all()[0].reason
        #expect(reason.contains("Reading has no property 'humidity'"))
        try await store.close()

        let older = try EventOutbox(old, of: [Reading.self]).next(after: .start)
        let fresh = try Store.ofInbox([NewReading.self])
        let newInbox = try EventInbox(fresh)
        // A store that never had the former name does not know it.
        #expect(try newInbox.append(older).rejectedCount == 1)
        #expect(try newInbox.append(batch).appendedCount == 1)
        #expect(
            try await fresh.events(of: NewReading.self) == [
                NewReading(station: "roof", celsius: 1, humidity: 4, level: 2)
            ])
        for store in [fresh, new, old] { try await store.close() }
    }

    @Test func `events with former names are appended`() async throws {
        let (device, outbox) = try device(3)
        let path = directory.path
        try await Store.ofInbox([Reading.self], path: path).close()
        let store = try Store.ofInbox([NewReading.self], path: path)
        #expect(try EventInbox(store).append(outbox.next(after: .start)).appendedCount == 3)
        let found = try await store.events(of: NewReading.self)
        #expect(found.map(\.station) == [0, 1, 2].map { reading($0).device })
        #expect(found.allSatisfy { $0.humidity == nil && $0.level == 0 })
        try await store.close()
        try await device.close()
    }

    @Test func `missing batches are counted`() throws {
        let (device, outbox) = try device(6)
        let store = try Store.ofInbox([Reading.self])
        let inbox = try EventInbox(store)
        let batches = try outbox.batches(sizeBytesMax: 1)
        #expect(batches[1].previous == batches[0].end && batches[0].previous == nil)
        // A new source may begin anywhere.
        #expect(try inbox.append(batches[1]).gapCount == 0)
        #expect(try inbox.append(batches[2]).gapCount == 0)
        #expect(try inbox.append(batches[4]).gapCount == 1)
        #expect(try inbox.append(batches[3]).duplicateCount == 1)
        #expect(try inbox.append(batches[5]).gapCount == 0)
        #expect(try inbox.source(device.storeIdentity)?.gapCount == 1)
        #expect(try inbox.source(device.storeIdentity)?.eventCount == 4)
        // Commits without events are no gap, and neither is a batch of an unknown predecessor.
        for _ in 0..<3 { try device.box(for: Note.self).put(Note(text: "note")) }
        try device.append(reading(7))
        let end = try outbox.next(after: batches[5].end, sizeBytesMax: 1).end
        let later = EventPosition(sequence: end.sequence - 1)
        let next = try outbox.next(after: later, previous: batches[5].end)
        #expect(try inbox.append(EventBatch(decoding: next.bytes)).gapCount == 0)
        try device.append(reading(8))
        #expect(try inbox.append(try outbox.next(after: end)).gapCount == 0)
        try store.close()
        try device.close()
    }

    @Test func `a store without the inbox's types is refused`() throws {
        let store = try Store.ofEvents([Reading.self])
        expectError(.entityNotRegistered) { _ = try EventInbox(store) }
        try store.close()
    }

    @Test func `an append after a part of its commits appends the others`() throws {
        let device = try Store.ofEvents([Reading.self])
        for number in 0..<6 {
            try device.write(metadata: CommitMetadata(cause: "\(number)")) {
                try device.append(reading(number))
            }
        }
        let batch = try EventOutbox(device, of: [Reading.self]).next(after: .start)
        let store = try Store.ofInbox([Reading.self])
        let inbox = try EventInbox(store)
        var parts = try batch.commits()
        parts.removeLast(3)
        let part = EventBatch(
            store: batch.store, start: batch.start, previous: nil,
            end: EventPosition(sequence: parts[2].sequence + 1), bytes: [], commits: parts)
        #expect(try inbox.append(part).appendedCount == 3)
        let report = try inbox.append(batch)
        #expect(report.appendedCount == 3 && report.duplicateCount == 3 && report.gapCount == 0)
        try store.close()
        expectError(.closed) { _ = try inbox.append(batch) }
        try device.close()
    }
}
