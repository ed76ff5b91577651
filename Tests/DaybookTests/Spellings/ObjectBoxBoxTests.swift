import Daybook
import DaybookObjectBox
import DaybookTestSupport
import Foundation
import Testing

/// ObjectBox's forms of put, remove, contains, transactions and reads of relations.
@Suite struct ObjectBoxBoxTests {
    private func open() throws -> (Store, Box<Note>) {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Note.self)
        return (store, store.box())
    }

    @Test func `several objects are put, removed and looked up without an array`() throws {
        let (store, notes) = try open()
        #expect(try notes.put(Note(text: "a"), Note(text: "b"), Note(text: "c")) == [1, 2, 3])
        #expect(try notes.contains(1, 2, 3))
        #expect(try !notes.contains(1, 2, 4))
        #expect(try notes.remove(1, 77) == 1)
        #expect(try notes.remove(Note(id: 2, text: ""), Note(id: 77, text: "")) == 1)
        #expect(try notes.all().map(\.text) == ["c"])
        store.close()
    }

    @Test func `a struct is returned with its id`() throws {
        let (store, notes) = try open()
        #expect(try notes.put(struct: Note(text: "a")).id == 1)
        #expect(try notes.put(structs: [Note(text: "b"), Note(text: "c")]).map(\.id) == [2, 3])
        #expect(try notes.putAndReturnIDs(Note(text: "d"), Note(text: "e")) == [4, 5])
        #expect(try notes.putAndReturnIDs([Note(text: "f")]) == [6])
        store.close()
    }

    @Test func `the async twins do the same`() async throws {
        let (store, notes) = try open()
        let ids = try await notes.put(Note(text: "a"), Note(text: "b"))
        let one = try await notes.put(struct: Note(text: "c"))
        let two = try await notes.put(structs: [Note(text: "d"), one])
        let ofList = try await notes.putAndReturnIDs([Note(text: "e")])
        let ofArguments = try await notes.putAndReturnIDs(Note(text: "f"), Note(text: "g"))
        #expect(ids == [1, 2] && one.id == 3 && two.map(\.id) == [4, 3])
        #expect(ofList == [5] && ofArguments == [6, 7])
        let areFound = [try await notes.contains(1, 2), try await notes.contains(1, 77)]
        #expect(areFound == [true, false])
        let counts = [
            try await notes.remove(1, 77),
            try await notes.remove(Note(id: 2, text: ""), Note(id: 77, text: "")),
        ]
        #expect(counts == [1, 1])
        try await store.close()
    }

    @Test func `transactions run under their names`() throws {
        let (store, notes) = try open()
        try store.runInTransaction(metadata: ["author": "ada"]) { try notes.put(Note(text: "a")) }
        #expect(try notes.history(of: 1)[0].metadata.author == "ada")
        #expect(try store.runInReadOnlyTransaction { try notes.count() } == 1)
        store.close()
    }

    @Test func `asynchronous transactions run under their names`() async throws {
        let (store, notes) = try open()
        try await store.runInTransaction(metadata: ["author": "bob"]) {
            try notes.put(Note(text: "b"))
        }
        let count = try await store.runInReadOnlyTransaction { try notes.count() }
        #expect(count == 1)
        #expect(try await notes.history(of: 1)[0].metadata.author == "bob")
        try await store.close()
    }

    @Test func `objects of several ids are visited in the order of the ids`() throws {
        let (store, notes) = try open()
        try notes.put([Note(text: "a"), Note(text: "b"), Note(text: "c")])
        var found: [String?] = []
        try notes.for([3, 9, 1] as [Id]) { found.append($0?.text) }
        #expect(found == ["c", nil, "a"])
        found = []
        try notes.visit([3, 9, 1] as [Id]) { note in
            found.append(note?.text)
            return note != nil
        }
        #expect(found == ["c", nil])
        found = []
        try notes.for([2, 3] as [EntityId<Note>]) { found.append($0?.text) }
        try notes.visit([1, 2] as [EntityId<Note>]) { note in
            found.append(note?.text)
            return false
        }
        #expect(found == ["b", "c", "a"])
        #expect(throws: Refusal.self) { try notes.visit([1] as [Id]) { _ in throw Refusal() } }
        #expect(try notes.allContiguous().map(\.text) == ["a", "b", "c"])
        store.close()
    }

    @Test func `typed ids are returned where they are required, and ids have a value`() throws {
        let (store, notes) = try open()
        let typed: EntityId<Note> = try notes.put(Note(text: "a"))
        let plain = try notes.put(Note(text: "b"))
        #expect(typed.value == 1 && plain.value == 2 && Int64(7).value == 7)
        #expect(try notes.get(typed)?.text == "a" && notes.get(plain)?.text == "b")
        var note = Note(text: "c")
        let third: EntityId<Note> = try notes.put(&note)
        #expect(third == 3 && note.id == 3)
        let more: [EntityId<Note>] = try notes.put([Note(text: "d"), Note(text: "e")])
        let last: [EntityId<Note>] = try notes.putAndReturnIDs([Note(text: "f")])
        #expect(more == [4, 5] && last == [6])
        #expect(try notes.contains(typed, third, more[0]))
        #expect(try notes.remove(typed, third, 99) == 2)
        #expect(try !notes.contains(typed, more[0]))
        store.close()
    }

    private func stored() throws -> RelationStore {
        let home = try RelationStore()
        let order = Order("pen", customer: nil)
        order.customer = ToOne(target: Customer("Ada"))
        try home.orders.put(order)
        return home
    }

    @Test func `relations are read by resolving them`() throws {
        let home = try stored()
        let found = try #require(try home.orders.get(1))
        #expect(try found.customer.resolve()?.name == "Ada")
        let ada = try #require(try home.customers.get(1))
        try ada.orders.resolve()
        #expect(ada.orders.resolved)
        ada.orders.reset()
        try ada.orders.resolveFromDb()
        #expect(ada.orders.resolved)
    }

    @Test func `relations are resolved without blocking`() async throws {
        let home = try stored()
        let found = try #require(try await home.orders.get(1))
        #expect(try await found.customer.resolve()?.name == "Ada")
        let ada = try #require(try await home.customers.get(1))
        try await ada.orders.resolve()
        #expect(ada.orders.resolved)
        ada.orders.reset()
        try await ada.orders.resolveFromDb()
        #expect(ada.orders.map(\.summary) == ["pen"])
    }
}
