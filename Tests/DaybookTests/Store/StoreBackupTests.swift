import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// Backups through the public API.
@Suite struct StoreBackupTests {
    @Test func `a backup is restored as of its end, a commit or a time`() throws {
        let (source, kept) = (TemporaryDirectory(), TemporaryDirectory())
        let store = try Store(directory: source.url, entities: Note.self)
        let notes = store.box(for: Note.self)
        try notes.put(Note(text: "one"))
        let first = try store.sequence
        Thread.sleep(forTimeInterval: 0.01)
        let between = Date()
        Thread.sleep(forTimeInterval: 0.01)
        try notes.put(Note(text: "two"))
        let report = try store.backup(to: kept.url)
        #expect(report.sequence == first + 1)
        #expect(report.previousSequence == nil)
        try notes.put(Note(text: "three"))
        try store.close()
        for (moment, count) in [
            (nil, 2), (.sequence(first), 1), (.date(between), 1), (.date(Date()), 2),
        ] as [(HistoryMoment?, Int)] {
            let restored = TemporaryDirectory()
            let outcome = try Store.restore(from: kept.url, to: restored.url, until: moment)
            #expect(outcome.sequence == first + UInt64(count) - 1)
            let again = try Store(directory: restored.url, entities: Note.self)
            #expect(try again.box(for: Note.self).count() == count)
            try again.close()
        }
        var options = StoreOptions()
        options.isReadOnly = true
        let backup = try Store(directory: kept.url, entities: Note.self, options: options)
        #expect(try backup.box(for: Note.self).count() == 2)
        try backup.close()
        #expect(throws: DaybookError.self) {
            _ = try Store(directory: kept.url, entities: Note.self)
        }
    }

    @Test
    func `a position within the common history is valid in a restored store`()
        async throws
    {
        let (source, kept) = (TemporaryDirectory(), TemporaryDirectory())
        let restored = TemporaryDirectory()
        let store = try await Store(directory: source.url, entities: Note.self)
        let notes = store.box(for: Note.self)
        try await notes.put(Note(text: "one"))
        let shared = store.position
        try await notes.put(Note(text: "two"))
        try await store.backup(to: kept.url)
        try await notes.put(Note(text: "three"))
        let later = store.position
        try await store.close()
        try await Store.restore(from: kept.url, to: restored.url)
        let again = try await Store(directory: restored.url, entities: Note.self)
        var commits = again.changes(from: shared).makeAsyncIterator()
        let commit = try #require(try await commits.next())
        #expect(try commit.changes(of: Note.self).map { try $0.after?.text } == ["two"])
        await expectFailure(.historyOfAnotherStore) {
            _ = try await again.changes(from: later).taken(1)
        }
        try await again.close()
    }

    @Test func `a consumer continues at its position in a restored store`() async throws {
        let (source, kept) = (TemporaryDirectory(), TemporaryDirectory())
        let (restored, cut) = (TemporaryDirectory(), TemporaryDirectory())
        let store = try await Store(directory: source.url, entities: Note.self)
        let notes = store.box(for: Note.self)
        try await notes.put(Note(text: "one"))
        let first = store.position
        try await notes.put([Note(text: "two")])
        let mailer = store.consumer("mailer", startingFrom: .beginning)
        try await mailer.reset(to: store.position)
        let early = store.consumer("early")
        try await early.reset(to: first)
        try await notes.put(Note(text: "three"))
        try await store.backup(to: kept.url)
        try await store.close()

        // If the restored history includes everything that a consumer has seen, its position is
        // valid in the new store.
        try await Store.restore(from: kept.url, to: restored.url)
        var again = try await Store(directory: restored.url, entities: Note.self)
        try await again.box(for: Note.self).put(Note(text: "its own"))
        #expect(try await again.consumerNames() == ["early", "mailer"])
        var same = again.consumer("mailer")
        #expect(try await same.lag() == 2)
        let deliveries = try await same.taken(2)
        #expect(deliveries.map(\.text) == ["three", "its own"])
        try await same.acknowledge(deliveries[1])
        #expect(try await same.position() == again.position)
        try await again.close()

        // If the restored history ends earlier and then diverges, it is unknown which commits the
        // consumer has seen.
        let outcome = try await Store.restore(
            from: kept.url, to: cut.url, until: .sequence(first.sequence))
        #expect(outcome.sequence == first.sequence)
        again = try await Store(directory: cut.url, entities: Note.self)
        for number in 0..<3 { try await again.box(for: Note.self).put(Note(text: "\(number)")) }
        same = again.consumer("mailer")
        await expectFailure(.historyOfAnotherStore) { _ = try await same.taken(1) }
        expectError(.historyOfAnotherStore) { _ = try same.position() }
        #expect(try await again.consumer("early").taken(3).map(\.text) == ["0", "1", "2"])
        try await same.reset(to: first)
        #expect(try await same.taken(3).map(\.text) == ["0", "1", "2"])
        try await again.close()
    }

    @Test func `an in-memory store has a backup on disk`() throws {
        let kept = TemporaryDirectory()
        let store = try Store(
            directoryPath: "memory:\(UUID().uuidString)", entities: Note.self)
        try store.box(for: Note.self).put(Note(text: "one"))
        try store.backup(to: kept.url)
        #expect(try kept.names.contains("CURRENT"))
        let restored = TemporaryDirectory()
        try Store.restore(from: kept.url, to: restored.url)
        let again = try Store(directory: restored.url, entities: Note.self)
        #expect(try again.box(for: Note.self).count() == 1)
        try again.close()
        try store.close()
    }

    @Test func `a cancelled backup leaves no files`() async throws {
        let (source, kept) = (TemporaryDirectory(), TemporaryDirectory())
        let store = try await Store(directory: source.url, entities: Note.self)
        let url = kept.url
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.backup(to: url)
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(!FileManager.default.fileExists(atPath: kept.path))
        let report = try await store.backup(to: url)
        #expect(report.sequence == (try store.sequence))
        try await store.close()
    }
}
