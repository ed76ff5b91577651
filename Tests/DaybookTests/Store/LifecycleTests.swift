@testable import Daybook
import DaybookBytes
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct LifecycleTests {
    @Test func `every use after the close throws closed`() throws {
        let directory = TemporaryDirectory()
        let store = try Store(directory: directory.url, entities: Note.self, Person.self)
        let notes = store.box(for: Note.self)
        var note = Note(text: "a")
        try notes.put(&note)
        try store.close()
        try store.close()
        let uses: [() throws -> Void] = [
            { try notes.put(Note(text: "b")) }, { try notes.put([Note(text: "b")]) },
            {
                var several = [Note(text: "b")]; try notes.put(&several)
            },
            { _ = try notes.put([Note(text: "b")]) },
            { try notes.put([Note(text: "b"), Note(text: "c")]) },
            { _ = try notes.get(1) }, { _ = try notes.get([1]) }, { _ = try notes.all() },
            { _ = try notes.getAsDictionary([1]) }, { _ = try notes.contains(1) },
            { _ = try notes.contains([1]) }, { _ = try notes.count() }, { _ = try notes.isEmpty() },
            { try notes.remove(1) }, { try notes.remove([1]) }, { try notes.removeAll() },
            { try notes.remove(note) }, { try notes.visit { _ in true } },
            { try notes.forEach { _ in } }, { try notes.forEach(writable: true) { _ in } },
            { try notes.forEach(ids: [1]) { _ in } }, { try store.write {} },
            { try store.read {} }, { try store.sync() },
            { try store.refresh() }, { _ = try store.sequence },
            { _ = try store.box(for: Person.self).count() },
        ]
        for use in uses { expectError(.closed) { try use() } }
    }

    @Test func `a second opening in this process is refused, and the error names the process`()
        throws
    {
        let directory = TemporaryDirectory()
        let store = try Store(directory: directory.url, entities: Note.self)
        let error = expectError(.locked) {
            _ = try Store(directory: directory.url, entities: Note.self)
        }
        let process = "process \(ProcessInfo.processInfo.processIdentifier)"
        #expect(error?.details["holder"]?.contains(process) == true)
        #expect(error?.message.contains("by this process, which has opened the store") == true)
        try store.box(for: Note.self).put(Note(text: "the first goes on"))
        try store.close()
        let again = try Store(directory: directory.url, entities: Note.self)
        #expect(try again.box(for: Note.self).count() == 1)
        try again.close()
    }

    @Test func `an opening waits for the lock of another writer`() async throws {
        let directory = TemporaryDirectory()
        let first = try await Store(directory: directory.url, entities: Note.self)
        try await first.box(for: Note.self).put(Note(text: "a"))
        var options = StoreOptions()
        options.lockWait = .seconds(Int64.max)
        let patient = options
        // The check after the first attempt closes the first store.
        let checks = Mutex(0)
        let second = try await OperationCancellation.$observer.withValue(
            {
                let number = checks.withLock { count in
                    count += 1
                    return count
                }
                if number == 2 { try? first.close() }
            },
            operation: {
                try await Store(directory: directory.url, entities: Note.self, options: patient)
            })
        #expect(checks.withLock { $0 } >= 2)
        #expect(try await second.box(for: Note.self).count() == 1)
        try await second.close()
    }

    @Test func `an opening that waits for a lock can be cancelled, and throws after its time`()
        async throws
    {
        let directory = TemporaryDirectory()
        let url = directory.url
        let first = try await Store(directory: url, entities: Note.self)
        let waiting = await CancelledOperation(at: 3) {
            var options = StoreOptions()
            options.lockWait = .seconds(Int64.max)
            _ = try await Store(directory: url, entities: Note.self, options: options)
        }
        #expect(waiting.isCancelled)
        var options = StoreOptions()
        options.lockWait = .milliseconds(5)
        let limited = options
        let error = await #expect(throws: DaybookError.self) {
            _ = try await Store(directory: url, entities: Note.self, options: limited)
        }
        #expect(error?.code == .locked)
        try await first.box(for: Note.self).put(Note(text: "the first store is open"))
        try await first.close()
    }

    @Test func `a released store closes itself, and its boxes throw closed`() throws {
        let directory = TemporaryDirectory()
        var store: Store? = try Store(directory: directory.url, entities: Note.self)
        let notes = try #require(store?.box(for: Note.self))
        try notes.put(Note(text: "a"))
        store = nil
        let error = expectError(.closed) { _ = try notes.count() }
        #expect(error?.message.contains("its last reference was released") == true)
        let again = try Store(directory: directory.url, entities: Note.self)
        #expect(try again.box(for: Note.self).count() == 1)
        try again.close()
    }

    @Test
    func `memory stores write no files, are identified by name, and end with their last close`()
        throws
    {
        let name = "memory:\(UUID())"
        let one = try Store(directoryPath: name, entities: Note.self)
        let two = try Store(directoryPath: name + "x", entities: Note.self)
        try one.box(for: Note.self).put(Note(text: "a"))
        #expect(try two.box(for: Note.self).isEmpty())
        #expect(!FileManager.default.fileExists(atPath: name))
        expectError(.locked) { _ = try Store(directoryPath: name, entities: Note.self) }
        var options = StoreOptions()
        options.isReadOnly = true
        let reader = try Store(directoryPath: name, entities: Note.self, options: options)
        #expect(try reader.box(for: Note.self).count() == 1)
        try one.close()
        let resumed = try Store(directoryPath: name, entities: Note.self)
        #expect(try resumed.box(for: Note.self).count() == 1)
        try resumed.close()
        try reader.close()
        let fresh = try Store(directoryPath: name, entities: Note.self)
        #expect(try fresh.box(for: Note.self).isEmpty())
        try fresh.close()
        try two.close()
    }

    @Test func `invalid options are refused before anything is made`() throws {
        let directory = TemporaryDirectory()
        let changes: [(String, (inout StoreOptions) -> Void)] = [
            ("segmentSizeBytes", { $0.segmentSizeBytes = 1 }),
            ("segmentSizeBytes", { $0.segmentSizeBytes = .max }),
            ("compressionLevel", { $0.compressionLevel = 0 }),
            ("compressionLevel", { $0.compressionLevel = 19 }),
            ("frameCacheBudgetBytes", { $0.frameCacheBudgetBytes = -1 }),
            ("indexBudgetBytes", { $0.indexBudgetBytes = 1 << 10 }),
            ("snapshotIntervalBytes", { $0.snapshotIntervalBytes = .min }),
        ]
        for (name, change) in changes {
            var options = StoreOptions()
            change(&options)
            let error = expectError(.invalidArgument) {
                _ = try Store(directory: directory.url, entities: Note.self, options: options)
            }
            #expect(error?.details["option"] == name)
        }
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test func `every duration is accepted`() throws {
        for duration in [
            Duration.seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(1),
        ] {
            var options = StoreOptions()
            options.durability = .interval(duration)
            options.refreshInterval = duration
            let store = try Store(
                directoryPath: "memory:\(UUID())", entities: Note.self, options: options)
            #expect(try store.box(for: Note.self).put(Note(text: "a")) == 1)
            try store.close()
        }
    }

    @Test(arguments: [Durability.always, .interval(.milliseconds(5)), .manual])
    func `a clean close keeps every commit at every durability`(durability: Durability)
        throws
    {
        let directory = TemporaryDirectory()
        var options = StoreOptions()
        options.durability = durability
        let store = try Store(directory: directory.url, entities: Note.self, options: options)
        let notes = store.box(for: Note.self)
        for number in 0..<50 { try notes.put(Note(text: "\(number)")) }
        #expect(try notes.count() == 50)
        try store.sync()
        try notes.put(Note(text: "last"))
        try store.close()
        let again = try Store(directory: directory.url, entities: Note.self)
        #expect(try again.box(for: Note.self).count() == 51)
        try again.close()
    }

    @Test func `a memory store ends even if its close fails`() throws {
        let name = "memory:\(UUID())"
        let store = try Store(directoryPath: name, entities: Note.self)
        try store.box(for: Note.self).put(Note(text: "a"))
        // A directory at the path where the close would write its mark.
        let share = MemoryStoreShare(name: String(name.dropFirst("memory:".count)))
        try share.fileSystem.createDirectory("/store/CURRENT.tmp")
        share.giveBack()
        #expect(throws: DaybookError.self) { try store.close() }
        expectError(.closed) { _ = try store.sequence }
        let fresh = try Store(directoryPath: name, entities: Note.self)
        #expect(fresh.openingReport.isNew)
        #expect(try fresh.box(for: Note.self).isEmpty())
        try fresh.close()
    }

    @Test func `a store without commits is at sequence 0`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())")
        #expect(try store.sequence == 0)
        try store.close()
    }
}
