@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// Erasures through the public API.
@Suite(.timeLimit(.minutes(5))) struct StoreErasureTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> (Store, Box<Note>) {
        let store = try Store.quiet(directory)
        return (store, store.box(for: Note.self))
    }

    @Test func `an object is erased with the author of the task`() throws {
        let (store, notes) = try open()
        let kept = try notes.put(Note(text: "kept"))
        let id = try notes.put(Note(text: "a secret", stars: 1))
        try notes.put(Note(id: id, text: "another secret", stars: 2))
        let note = try #require(try notes.get(id))
        let report = try CommitMetadata.$current.withValue(CommitMetadata(author: "ada")) {
            try store.erase(note)
        }
        #expect(report.versionCount == 2 && report.objectCount == 1)
        #expect(try notes.all().map(\.id) == [kept])
        let erasure = try #require(try store.erasures().first)
        #expect(erasure.author == "ada" && erasure.sequence == report.sequence)
        #expect(abs(erasure.date.timeIntervalSinceNow) < 3600)
        let history = try notes.history(of: id)
        #expect(try history.map { try $0.object } == [nil])
        try store.close()
    }

    @Test func `a query's objects are erased, and their plan has the same numbers`() throws {
        let items = try ItemStore()
        let count = try items.box.count()
        let query = items.box.query { $0.name.matches("ad*") }
        let found = try query.count()
        #expect(found > 1)
        let plan = try items.store.erasurePlan(matching: query)
        let report = try items.store.erase(matching: query)
        #expect(plan.objectCount == found && plan.versionCount == found)
        #expect(report.objectCount == found && report.versionCount == found)
        #expect(plan.sequence == nil && plan.bytesAfter == nil)
        #expect(try items.box.count() == count - found && query.count() == 0)
        try items.store.close()
    }

    @Test func `values of properties are erased by their Swift names`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a secret", stars: 3))
        let report = try store.erase(try #require(try notes.get(id)), properties: ["text"])
        #expect(report.versionCount == 1)
        #expect(try notes.get(id) == Note(id: id, text: "", stars: 3))
        let history = try notes.history(of: id)
        #expect(try history.map { try $0.object?.text } == ["", ""])
        expectError(.invalidArgument) {
            try store.erase(Note(id: id, text: ""), properties: ["title"])
        }
        expectError(.invalidArgument) { try store.erase(Note(text: "not stored")) }
        try store.close()
    }

    @Test func `removed objects are erased by ids, without types`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a secret"))
        try notes.remove(id)
        try store.close()
        let untyped = try Store(directoryPath: directory.path)
        #expect(try untyped.erasurePlan(ids: [id], of: "Note").versionCount == 2)
        #expect(try untyped.erase(ids: [id], of: "Note").versionCount == 2)
        #expect(try untyped.finishErasures().versionCount == 0)
        try untyped.close()
    }

    @Test func `an erasure cannot be undone, and an undo of the author skips it`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a secret"))
        let (kept, changed) = try CommitMetadata.$current.withValue(CommitMetadata(author: "ada")) {
            let kept = try notes.put(Note(text: "kept"))
            try notes.put(Note(id: id, text: "another secret"))
            let changed = try store.sequence
            let report = try store.erase(ids: [id], of: "Note")
            let erased = try #require(report.sequence)
            expectError(.invalidArgument) { try store.undo(.commit(erased)) }
            return (kept, changed)
        }
        // Nothing of the change is left.
        #expect(try store.undo(.commit(changed)).sequence == nil)
        #expect(try store.canUndo(lastOf: "ada"))
        try store.undo(.lastOf(author: "ada"))
        #expect(try notes.get(kept) == nil)
        #expect(try notes.count() == 0)
        try store.close()
    }

    @Test func `a consumer that is behind receives the removal of an erased object`() async throws {
        let (store, notes) = try open()
        let consumer = store.consumer("index", of: [Note.self])
        _ = try await consumer.position()
        let id = try await notes.put(Note(text: "a secret"))
        var iterator = consumer.makeAsyncIterator()
        try await consumer.acknowledge(try #require(try await iterator.next()))
        iterator.end()
        try await notes.put(Note(id: id, text: "another secret"))
        try await notes.put(Note(text: "other"))
        let sequence = try #require(try await store.erase(ids: [id], of: "Note").sequence)
        try await notes.put(Note(text: "the end"))
        let deliveries = try await consumer.taken(3)
        #expect(deliveries.map(\.text) == ["other", nil, "the end"])
        let removal = try #require(deliveries[1].commit.changes(of: Note.self).first)
        #expect(deliveries[1].commit.sequence == sequence)
        #expect(removal.id.value == id && removal.kind == .remove)
        #expect(try removal.before == nil && removal.isBeforeGone)
        try await store.close()
    }

    @Test func `async calls do the same`() async throws {
        let items = try ItemStore()
        let store = items.store
        let first = try #require(try await items.box.query().findFirst())
        #expect(try await store.erase(first).objectCount == 1)
        let query = items.box.query { $0.name.matches("ad*") }
        let planned = try await store.erasurePlan(matching: query).objectCount
        #expect(try await store.erase(matching: query).objectCount == planned)
        let rest = try await items.box.query().findIds().map(\.value)
        #expect(try await store.erasurePlan(ids: rest, of: "Item").objectCount == rest.count)
        #expect(try await store.erase(ids: rest, of: "Item").objectCount == rest.count)
        #expect(try await store.finishErasures().objectCount == 0)
        #expect(try await store.erasures().count == 3)
        try await store.close()
    }
}
