import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct RowBoxTests {
    private let directory = TemporaryDirectory()

    private func untyped(isReadOnly: Bool = false) throws -> Store {
        try Store.withContacts(directory.path).close()
        var options = StoreOptions()
        options.isReadOnly = isReadOnly
        return try Store(path: directory.path, entities: [], options: options)
    }

    @Test(arguments: [true, false])
    func `objects are read without their types`(isReadOnly: Bool) throws {
        let store = try untyped(isReadOnly: isReadOnly)
        let contacts = try store.rows(of: "Contact")
        #expect(try contacts.count() == 3)
        #expect(try contacts.contains(2) && !contacts.contains(4))
        let ann = try #require(try contacts.get(1))
        #expect(ann.id == 1)
        #expect(ann.entityName == "Contact")
        #expect(ann.sequence == (try store.sequence))
        #expect(ann["email"] == "ann@x")
        #expect(ann["age"] == 31)
        #expect(ann["weight"] == .number(Double(Float(0.1))))
        #expect(ann["born"] == .date(nanoseconds: 1_000_000_250_000_000))
        #expect(ann["price"] == .decimal("12.5"))
        #expect(ann["token"] == .uuid([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]))
        #expect(ann["picture"] == .bytes([0, 255]))
        #expect(ann["tags"] == ["a", "", "c,d"])
        #expect(ann["colors"] == ["blue", "red"])
        #expect(ann["scores"] == ["x": 0.5, "y": -1.0])
        #expect(
            ann["address"] == [
                "city": "Oslo", "place": ["latitude": 0.0, "longitude": 0.0], "tags": ["t"],
            ])
        #expect(ann["isActive"] == true)
        #expect(ann["boss"] == nil)
        #expect(ann.links == ["boss": [], "friends": [2, 3]])
        #expect(try contacts.get(3)?["name"] == .some(.null))
        #expect(try contacts.get(3)?.links == ["boss": [2], "friends": []])
        #expect(try contacts.get(9) == nil)
        #expect(try contacts.all().map(\.id) == [1, 2, 3])
        #expect(ann.names.first == "email")
        try store.close()
        expectError(.closed) { _ = try contacts.count() }
    }

    @Test func `values are read as Swift types`() throws {
        let store = try Store.withContacts(directory.path)
        let ann = try #require(try store.rows(of: "Contact").get(1))
        #expect(try ann["age", as: Int.self] == 31)
        #expect(try ann["age", as: Double.self] == 31)
        #expect(try ann["name", as: String?.self] == "Ann, \"A\"\nB")
        #expect(try ann["born", as: Date.self] == Contact.ann.born)
        #expect(try ann["price", as: Decimal.self] == Contact.ann.price)
        #expect(try ann["token", as: UUID.self] == Contact.ann.token)
        #expect(try ann["tags", as: [String].self] == Contact.ann.tags)
        #expect(try ann["colors", as: Set<String>.self] == Contact.ann.colors)
        #expect(try ann["scores", as: [String: Double].self] == Contact.ann.scores)
        #expect(try store.rows(of: "Contact").get(3)?["name", as: String?.self] == .some(nil))
        expectError(.invalidValue) { _ = try ann["age", as: String.self] }
        let error = expectError(.invalidArgument) { _ = try ann["agee", as: Int.self] }
        #expect(error?.message.contains("Did you mean 'age'?") == true)
        #expect(try RowValue(Contact.ann.born) == ann["born"])
        #expect(try RowValue(["a"]) == ["a"])
        #expect(try RowValue(Int?.none) == .null)
        expectError(.invalidArgument) { _ = try RowValue(Home()) }
        try store.close()
    }

    @Test func `an unknown entity, an event and an embedded type have no rows`() throws {
        let store = try Store.withContacts(directory.path)
        let error = expectError(.invalidArgument) { _ = try store.rows(of: "Contcat") }
        #expect(error?.message.contains("Did you mean 'Contact'?") == true)
        #expect(error?.details["entity"] == "Contcat")
        expectError(.invalidArgument) { _ = try store.rows(of: "Home") }
        try store.close()
    }

    @Test func `a put keeps the properties that it does not name`() throws {
        let store = try untyped()
        let contacts = try store.rows(of: "Contact")
        let before = try #require(try contacts.get(1))
        #expect(try contacts.put(["age": 32], id: 1) == 1)
        let after = try #require(try contacts.get(1))
        #expect(after["age"] == 32)
        for name in before.names where name != "age" { #expect(after[name] == before[name]) }
        #expect(after.links == before.links)
        // The primary key identifies the object, too.
        #expect(try contacts.put(["email": "ann@x", "isActive": false]) == 1)
        #expect(try contacts.get(1)?["age"] == 32)
        #expect(try contacts.get(1)?["isActive"] == false)
        expectError(.uniqueViolation) {
            try contacts.put(["email": "ann@x", "age": 1], mode: .insert)
        }
        expectError(.idExists) { try contacts.put(["email": "ann@x"], id: 1, mode: .insert) }
        expectError(.notFound) { try contacts.put(["email": "x"], id: 70, mode: .update) }
        expectError(.notFound) { try contacts.put(["email": "x"], mode: .update) }
        expectError(.primaryKeyChanged) { try contacts.put(["email": "other"], id: 1) }
        try store.close()
    }

    @Test func `objects that were put without types are read with types`() throws {
        var store = try untyped()
        var contacts = try store.rows(of: "Contact")
        let ann = try #require(try contacts.get(1))
        var values = Dictionary(uniqueKeysWithValues: zip(ann.names, ann.values))
        values["email"] = "copy@x"
        let id = try contacts.put(values, links: ann.links)
        #expect(id == 4)
        #expect(try contacts.put(["email": "new@x"], id: 70, links: ["boss": [4]]) == 70)
        // Values that were not given are zero, and can be read and put again.
        let new = try #require(try contacts.get(70))
        #expect(new["price"] == .decimal("0"))
        #expect(new["tags"] == [])
        #expect(new["token"] == .uuid([UInt8](repeating: 0, count: 16)))
        #expect(try contacts.put(["address": ["city": "Rome"]], id: 70) == 70)
        #expect(
            try contacts.get(70)?["address"] == ["city": "Rome", "place": .null, "tags": []])
        try contacts.put(["address": .null], id: 70)
        try store.close()
        store = try Store(path: directory.path, entities: [Contact.self, Home.self, Spot.self])
        let box = store.box(for: Contact.self)
        var copy = Contact.ann
        (copy.id, copy.email) = (4, "copy@x")
        #expect(try box.get(4) == copy)
        #expect(try box.get(70) == Contact(id: 70, email: "new@x", boss: Reference(targetId: 4)))
        #expect(try box.get(1) == .ann)
        contacts = try store.rows(of: "Contact")
        #expect(try contacts.remove(4))
        #expect(try !contacts.remove(4))
        #expect(try box.get(70)?.boss.targetId == nil)
        try store.close()
    }

    @Test func `a set contains each value once, in the order of typed sets`() throws {
        let store = try Store.withContacts(directory.path)
        let contacts = try store.rows(of: "Contact")
        try contacts.put(["colors": ["b", "a", "b"]], id: 1)
        #expect(try contacts.get(1)?["colors"] == ["a", "b"])
        let bytes = try contacts.get(1)?.values
        let box = store.box(for: Contact.self)
        let contact = try #require(try box.get(1))
        #expect(contact.colors == ["a", "b"])
        try box.put(contact)
        #expect(try contacts.get(1)?.values == bytes)
        try store.close()
    }

    @Test func `an undeclared property can be set`() throws {
        var store = try Store(directory: directory.url, entities: Note.self)
        try store.box(for: Note.self).put(Note(text: "a", stars: 1))
        try store.close()
        store = try Store(directory: directory.url, entities: ShortNote.self)
        try store.rows(of: "Note").put(["stars": 5], id: 1)
        #expect(try store.rows(of: "Note").get(1)?["stars"] == 5)
        #expect(try store.rows(of: "Note").get(1)?["text"] == "a")
        try store.close()
    }

    private static let misfits: [(name: String, value: RowValue)] = [
        ("age", "5"), ("age", .null), ("age", 1.5), ("age", .integer(1 << 70)),
        ("weight", "x"), ("email", 5), ("tags", ["a", 5]), ("tags", .null), ("scores", ["a": "b"]),
        ("token", .uuid([1])), ("price", .decimal("twelve")), ("born", "2026-01-01"),
        ("born", .date(nanoseconds: 1 << 100)), ("address", ["city": 5]),
        ("address", ["town": "Oslo"]), ("isActive", 1), ("picture", "AAAA"),
    ]

    @Test(arguments: misfits)
    func `a value that does not fit names the property`(name: String, value: RowValue) throws {
        let store = try untyped()
        let contacts = try store.rows(of: "Contact")
        var values: [String: RowValue] = ["email": "z@x"]
        values[name] = value
        let error = expectError(.invalidValue) { try contacts.put(values) }
        #expect(error?.details["property"]?.hasPrefix(name) == true)
        #expect(try contacts.count() == 3)
        try store.close()
    }

    @Test func `an error of a put changes nothing`() throws {
        let store = try untyped()
        let contacts = try store.rows(of: "Contact")
        expectError(.notFound) { try contacts.put(["email": "z@x"], links: ["friends": [1, 9]]) }
        expectError(.invalidArgument) { try contacts.put(["email": "z@x"], links: ["bos": [1]]) }
        expectError(.invalidArgument) {
            try contacts.put(["email": "z@x"], links: ["boss": [1, 2]])
        }
        let error = expectError(.invalidArgument) { try contacts.put(["emial": "z@x"]) }
        #expect(error?.message.contains("Did you mean 'email'?") == true)
        expectError(.invalidArgument) { try contacts.put(["boss": 1]) }
        let keyless = expectError(.invalidValue) { try contacts.put(["age": 1]) }
        #expect(keyless?.details["property"] == "email")
        #expect(try contacts.count() == 3)
        // In a transaction, only the failed put is rolled back.
        try store.write {
            let id = try contacts.put(["email": "ok@x"])
            expectError(.notFound) { try contacts.put(["email": "z@x"], links: ["boss": [9]]) }
            #expect(try contacts.count() == 4)
            var ids: [Id] = []
            try contacts.forEach { ids.append($0.id) }
            #expect(ids == [1, 2, 3, id])
            #expect(try contacts.get(id)?.sequence == 0)
        }
        #expect(try contacts.count() == 4)
        try store.close()
    }

    @Test func `history, changes and undo include puts of rows`() async throws {
        let store = try Store.withContacts(directory.path)
        let box = store.box(for: Contact.self)
        let position = store.position
        let versionCount = try await box.history(of: 1).count
        let contacts = try store.rows(of: "Contact")
        try await contacts.put(["age": 32], id: 1, links: ["boss": [3]])
        #expect(try await box.history(of: 1).count == versionCount + 1)
        var commits = store.changes(from: position).makeAsyncIterator()
        let changes = try await commits.next()?.changes(of: Contact.self)
        #expect(changes?.map(\.id) == [1])
        try await store.undo(.commit(try store.sequence))
        let restored = try await contacts.get(1)
        #expect(restored?["age"] == 31)
        #expect(restored?.links["boss"] == [])
        try await store.close()
    }

    @Test func `a read-only store has the entities that the writer adds`() throws {
        let writer = try Store(directory: directory.url, entities: Note.self)
        var options = StoreOptions()
        options.isReadOnly = true
        options.refreshInterval = .zero
        let reader = try Store(path: directory.path, entities: [], options: options)
        let notes = try reader.rows(of: "Note")
        try writer.rows(of: "Note").put(["text": "a"])
        #expect(try notes.count() == 0)
        try writer.close()
        try Store.withContacts(directory.path).close()
        try reader.refresh()
        #expect(try notes.count() == 1)
        #expect(try reader.rows(of: "Contact").count() == 3)
        #expect(try reader.schema["Contact"] != nil)
        #expect(try reader.query("Contact where age > 18").count() == 2)
        try reader.close()
    }

    @Test func `a view has the rows of its version, and cannot be changed`() throws {
        let store = try untyped()
        let sequence = try store.sequence
        let contacts = try store.rows(of: "Contact")
        try contacts.put(["age": 99], id: 1, links: ["friends": []])
        try contacts.remove(3)
        let past = try store.view(at: .sequence(sequence)).rows(of: "Contact")
        #expect(try past.get(1)?["age"] == 31)
        #expect(try past.get(1)?.links["friends"] == [2, 3])
        #expect(try past.count() == 3)
        #expect(try past.all().map(\.id) == [1, 2, 3])
        #expect(try contacts.all().map(\.id) == [1, 2])
        expectError(.readOnly) { try past.put(["age": 1], id: 1) }
        expectError(.readOnly) { try past.remove(1) }
        try store.close()
    }

    @Test func `a row of an older layout has the names of the newest one`() throws {
        var store = try Store(directory: directory.url, entities: ShortNote.self)
        try store.box(for: ShortNote.self).put(ShortNote(text: "old"))
        try store.close()
        store = try Store(directory: directory.url, entities: Note.self)
        let row = try store.rows(of: "Note").get(1)
        #expect(row?.names == ["text", "stars"])
        #expect(row?.values == ["old", .null])
        try store.close()
    }

    @Test func `the asynchronous calls do the same`() async throws {
        let store = try untyped()
        let contacts = try store.rows(of: "Contact")
        let id = try await contacts.put(["email": "new@x"], links: ["boss": [1]])
        #expect(id == 4)
        #expect(try await contacts.get(4)?["email"] == "new@x")
        #expect(try await contacts.count() == 4)
        #expect(try await contacts.contains(4))
        var seen: [Id] = []
        try await contacts.forEach { seen.append($0.id) }
        #expect(seen == [1, 2, 3, 4])
        #expect(try await contacts.all().map(\.id) == seen)
        #expect(try await contacts.remove(4))
        try await store.close()
    }
}
