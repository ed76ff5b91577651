@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Changes that are made only if no other writer has changed the object.
@Suite struct VersionConflictTests {
    private func open() throws -> (Store, Box<Note>) {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Note.self)
        return (store, store.box())
    }

    @Test func `every object knows the commit that changed it last`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a"))
        let first = try store.sequence
        #expect(try notes.sequence(of: id) == first)
        try notes.put(Note(text: "other"))
        #expect(try notes.sequence(of: id) == first)
        try notes.put(Note(id: id, text: "b"))
        #expect(
            try notes.getVersioned(id)
                == Versioned(object: Note(id: id, text: "b"), sequence: first + 2))
        try notes.remove(id)
        #expect(try notes.sequence(of: id) == nil)
        #expect(try notes.getVersioned(id) == nil)
        #expect(try notes.sequence(of: 99) == nil)
        try store.close()
    }

    @Test func `a second writer gets a conflict and the current version`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a"))
        let mine = try #require(try notes.getVersioned(id))
        let theirs = try #require(try notes.getVersioned(id))
        var changed = theirs.object
        changed.text = "theirs"
        try notes.put(&changed, ifUnchangedSince: theirs.sequence)
        let now = try store.sequence
        var refused = mine.object
        refused.text = "mine"
        let error = try #require(
            expectError(.conflict) { try notes.put(refused, ifUnchangedSince: mine.sequence) })
        #expect(
            error.details == [
                "entity": "Note", "id": "\(id)", "expected": "\(mine.sequence)",
                "sequence": "\(now)",
            ])
        let conflict = try #require(try notes.conflict(in: error))
        #expect(conflict.theirs == changed)
        #expect(conflict.id == id && conflict.expected == mine.sequence && conflict.sequence == now)
        #expect(try notes.get(id) == changed)
        #expect(try store.sequence == now)
        try notes.put(refused, ifUnchangedSince: conflict.sequence)
        #expect(try notes.get(id)?.text == "mine")
        try store.close()
    }

    @Test func `a removal counts as a conflicting change, and a conditional removal can conflict`()
        throws
    {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a"))
        let sequence = try #require(try notes.sequence(of: id))
        try notes.put(Note(id: id, text: "b"))
        let changed = expectError(.conflict) { try notes.remove(id, ifUnchangedSince: sequence) }
        #expect(try changed.flatMap { try notes.conflict(in: $0) }?.theirs?.text == "b")
        try notes.remove(Note(id: id, text: "b"), ifUnchangedSince: try store.sequence)
        let removed = try #require(
            expectError(.conflict) {
                try notes.put(Note(id: id, text: "c"), ifUnchangedSince: sequence)
            })
        let conflict = try #require(try notes.conflict(in: removed))
        #expect(conflict.theirs == nil)
        #expect(conflict.sequence == (try store.sequence))
        expectError(.conflict) { try notes.remove(id, ifUnchangedSince: sequence) }
        #expect(try !notes.remove(id, ifUnchangedSince: try store.sequence))
        try notes.put(Note(id: id, text: "anew"), ifUnchangedSince: try store.sequence)
        #expect(try notes.get(id)?.text == "anew")
        #expect(try notes.conflict(in: DaybookError(.conflict, "")) == nil)
        #expect(try notes.conflict(in: Refusal()) == nil)
        try store.close()
    }

    @Test func `any later sequence at which the object was read is accepted`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a"))
        try notes.put(Note(text: "other"))
        let read = try store.sequence
        try notes.put(Note(text: "another"))
        try notes.put(Note(id: id, text: "b"), ifUnchangedSince: read)
        expectError(.conflict) { try notes.put(Note(id: id, text: "c"), ifUnchangedSince: read) }
        #expect(try notes.put(Note(text: "new"), ifUnchangedSince: 0) == 4)
        try store.close()
    }

    @Test func `a future sequence is refused`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a"))
        for sequence in [try store.sequence + 1, .max] {
            let error = expectError(.invalidArgument) {
                try notes.put(Note(id: id, text: "b"), ifUnchangedSince: sequence)
            }
            #expect(error?.details["newest"] == String(try store.sequence))
            expectError(.invalidArgument) {
                try notes.remove(id, ifUnchangedSince: sequence)
            }
        }
        #expect(try notes.all().map(\.text) == ["a"])
        try store.close()
    }

    @Test func `a transaction's own changes are no conflict`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a"))
        let before = try #require(try notes.sequence(of: id))
        try store.write {
            try notes.put(Note(id: id, text: "b"), ifUnchangedSince: before)
            #expect(try notes.sequence(of: id) == before)
            #expect(try notes.getVersioned(id)?.sequence == before)
            try notes.put(Note(id: id, text: "c"), ifUnchangedSince: before)
            let new = try notes.put(Note(text: "new"))
            #expect(try notes.sequence(of: new) == 0)
            try notes.put(Note(id: new, text: "newer"), ifUnchangedSince: 0)
            expectError(.conflict) {
                try notes.put(Note(id: id, text: "d"), ifUnchangedSince: before - 1)
            }
        }
        #expect(try notes.all().map(\.text) == ["c", "newer"])
        try store.close()
    }

    @Test func `an object with a primary key is compared under its key`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Country.self)
        let countries = store.box(for: Country.self)
        try countries.put(Country(code: "color", name: "red"))
        let read = try store.sequence
        try countries.put(Country(code: "color", name: "blue"), ifUnchangedSince: read)
        let error = try #require(
            expectError(.conflict) {
                try countries.put(Country(code: "color", name: "green"), ifUnchangedSince: read)
            })
        #expect(try countries.conflict(in: error)?.theirs?.name == "blue")
        try countries.put(Country(code: "size", name: "1"), ifUnchangedSince: read)
        #expect(try countries.all().map(\.name) == ["blue", "1"])
        try store.close()
    }

    @Test func `objects with relations have the same conflict check`() throws {
        let store = try RelationStore()
        let order = Order("one", customer: Customer("ada"))
        try store.orders.put(order)
        let sequence = try #require(try store.orders.sequence(of: order.id))
        let copy = try #require(try store.orders.get(order.id))
        copy.summary = "two"
        try store.orders.put(copy, ifUnchangedSince: sequence)
        order.summary = "three"
        let customer = Customer("bob")
        order.customer.target = customer
        let error = try #require(
            expectError(.conflict) { try store.orders.put(order, ifUnchangedSince: sequence) })
        #expect(try store.orders.conflict(in: error)?.theirs?.summary == "two")
        #expect(try store.customers.conflict(in: error) == nil)
        #expect(try store.customers.count() == 1)
        #expect(customer.id == 0)
        try store.store.close()
    }

    @Test func `a change that a compaction dropped is still a conflict`() throws {
        let directory = TemporaryDirectory()
        let store = try Store(path: directory.path, entities: [Note.self])
        let notes = store.box(for: Note.self)
        let id = try notes.put(Note(text: "a"))
        let sequence = try #require(try notes.sequence(of: id))
        try notes.remove(id)
        try notes.put(Note(text: "b"))
        _ = try store.engine.compact(.latest, sealsActive: true)
        let error = try #require(
            expectError(.conflict) {
                try notes.put(Note(id: id, text: "c"), ifUnchangedSince: sequence)
            })
        #expect(try notes.conflict(in: error)?.theirs == nil)
        #expect(try notes.all().map(\.text) == ["b"])
        try store.close()
    }

    @Test func `conditional calls accept typed ids`() async throws {
        let (store, notes) = try open()
        let id = EntityId<Note>(try await notes.put(Note(text: "a")))
        let sequence = try store.sequence
        let (found, versioned) = (
            try await notes.sequence(of: id), try await notes.getVersioned(id)
        )
        #expect(found == sequence && versioned?.sequence == sequence)
        try await notes.put(Note(id: id.value, text: "b"))
        let error = await #expect(throws: DaybookError.self) {
            try await notes.remove(id, ifUnchangedSince: sequence)
        }
        #expect(error?.code == .conflict)
        try expectSame(notes, id, sequence + 1)
        try await store.close()
    }

    private func expectSame(
        _ notes: Box<Note>, _ id: EntityId<Note>, _ sequence: UInt64
    ) throws {
        #expect(try notes.sequence(of: id) == sequence)
        #expect(try notes.getVersioned(id)?.object.text == "b")
        expectError(.conflict) { try notes.remove(id, ifUnchangedSince: sequence - 1) }
        #expect(try notes.remove(id, ifUnchangedSince: sequence))
    }

    @Test func `the async conditional calls give the same results`() async throws {
        let (store, notes) = try open()
        let id = try await notes.put(Note(text: "a"))
        let read = try #require(try await notes.getVersioned(id))
        #expect(try await notes.sequence(of: id) == read.sequence)
        var changed = read.object
        changed.text = "b"
        try await notes.put(&changed, ifUnchangedSince: read.sequence)
        func refusal(_ body: () async throws -> Void) async throws -> String? {
            do {
                try await body()
                return nil
            } catch {
                return try notes.conflict(in: error)?.theirs?.text
            }
        }
        let put = try await refusal {
            try await notes.put(Note(id: id, text: "c"), ifUnchangedSince: read.sequence)
        }
        #expect(put == "b")
        let removed = try await refusal {
            try await notes.remove(id, ifUnchangedSince: read.sequence)
        }
        #expect(removed == "b")
        try await notes.remove(changed, ifUnchangedSince: try store.sequence)
        #expect(try await notes.isEmpty())
        try await store.close()
    }
}
