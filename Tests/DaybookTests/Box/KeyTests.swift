import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// Primary keys.
@Suite struct KeyTests {
    private let directory = TemporaryDirectory()

    private func open<E: Entity>(_ type: E.Type) throws -> (Store, Box<E>) {
        let store = try Store(directory: directory.url, entities: type)
        return (store, store.box(for: type))
    }

    @Test func `an object without an id is found, replaced and removed by its key`() throws {
        var (store, box) = try open(Country.self)
        var swiss = Country(code: "CH", name: "Schweiz")
        let id = try box.put(swiss)
        try box.put(Country(code: "DE", name: "Deutschland"))
        swiss.name = "Suisse"
        #expect(try box.put(swiss) == id)
        #expect(try box.count() == 2)
        #expect(try box.get(key: "CH") == swiss)
        #expect(try box.get(key: "FR") == nil)
        #expect(try box.contains(key: "DE"))
        try store.close()
        (store, box) = try open(Country.self)
        #expect(try box.get(key: "CH") == swiss)
        #expect(try box.remove(key: "DE"))
        #expect(try !box.remove(key: "DE"))
        #expect(try box.remove(swiss))
        #expect(try !box.remove(swiss))
        #expect(try box.isEmpty())
        try box.put([swiss, Country(code: "AT")])
        #expect(try box.remove([swiss, Country(code: "IT"), Country(code: "AT")]) == 2)
        try store.close()
    }

    @Test func `a compound key compares its properties in the declared order`() throws {
        let (store, box) = try open(Invoice.self)
        var first = Invoice(number: 1, tenant: "acme")
        try box.put(&first)
        try box.put(Invoice(number: 1, tenant: "other"))
        #expect(try box.get(key: "acme", 1) == first)
        #expect(try box.get(key: "acme", 2) == nil)
        expectError(.invalidArgument) { _ = try box.get(key: 1, "acme") }
        expectError(.invalidArgument) { _ = try box.get(key: "acme") }
        expectError(.invalidArgument) { _ = try box.get(key: "acme", 1, 2) }
        try store.close()
    }

    @Test func `each policy has its effect on an object of the same key`() throws {
        let (store, box) = try open(Country.self)
        try box.put(Country(code: "CH", name: "Schweiz"), update: .error)
        let before = try store.sequence
        let error = expectError(.uniqueViolation) {
            try box.put(Country(code: "CH"), update: .error)
        }
        #expect(error?.details["property"] == "code")
        #expect(error?.details["conflictingId"] == "1")
        #expect(try box.get(key: "CH")?.name == "Schweiz")
        try box.put(Country(code: "CH", name: "Schweiz"), update: .modified)
        #expect(try store.sequence == before, "nothing differs, so nothing is written")
        try box.put(Country(code: "CH", name: "Svizra"), update: .modified)
        #expect(try box.get(key: "CH")?.name == "Svizra")
        #expect(try store.sequence == before + 1)
        try box.put(Country(code: "CH", name: "Svizra"), update: .all)
        #expect(try store.sequence == before + 2)
        try box.put([Country(code: "CH"), Country(code: "LI")], update: .modified)
        #expect(try box.count() == 2)
        expectError(.uniqueViolation) { try box.put(Country(code: "CH"), mode: .insert) }
        expectError(.notFound) { try box.put(Country(code: "FR"), mode: .update) }
        try store.close()
    }

    @Test func `a key cannot change and cannot be nil`() throws {
        let (store, box) = try open(Invoice.self)
        var invoice = Invoice(number: 1, tenant: "acme")
        try box.put(&invoice)
        invoice.number = 2
        let error = expectError(.primaryKeyChanged) { try box.put(&invoice) }
        #expect(error?.details["id"] == "1")
        #expect(try box.get(key: "acme", 1) != nil)
        #expect(try box.get(key: "acme", 2) == nil)
        try store.close()
    }

    @Test func `a put does not write an unchanged object that has an id`() throws {
        let (store, box) = try open(Invoice.self)
        var invoice = Invoice(number: 1, tenant: "acme")
        try box.put(&invoice)
        let before = try store.sequence
        try box.put(&invoice, update: .modified)
        #expect(try store.sequence == before)
        invoice.total = 5
        try box.put(&invoice, update: .modified)
        #expect(try store.sequence == before + 1)
        try store.close()
    }

    @Test func `an id without an object is replaced by the key`() throws {
        let (store, box) = try open(Invoice.self)
        var lost = Invoice(number: 1, tenant: "acme")
        #expect(throws: Refusal.self) {
            try store.write {
                try box.put(&lost)
                throw Refusal()
            }
        }
        #expect(lost.id == 1)
        var kept = Invoice(number: 1, tenant: "acme")
        try box.put(&kept)
        lost.total = 7
        #expect(try box.put(&lost) == kept.id)
        #expect(try box.all() == [lost])
        try store.close()
    }

    @Test func `a read-only store reports that the key is not stored yet`() throws {
        let plain = try Store(directory: directory.url, entities: PlainCountry.self)
        try plain.box().put(PlainCountry(code: "CH"))
        try plain.close()
        var options = StoreOptions()
        options.isReadOnly = true
        options.refreshInterval = .zero
        let reader = try Store(
            directory: directory.url, entities: Country.self, options: options)
        let countries = reader.box(for: Country.self)
        expectError(.schemaMismatch) { _ = try countries.get(key: "CH") }
        #expect(try countries.get(1)?.code == "CH")
        // A writer adds the key: the reader finds objects by it after its next refresh.
        let writer = try Store(directory: directory.url, entities: Country.self)
        try writer.box().put(Country(code: "LI"))
        try reader.refresh()
        #expect(try countries.get(key: "LI")?.code == "LI")
        #expect(try countries.get(key: "CH")?.code == "CH")
        try writer.close()
        try reader.close()
    }

    @Test func `a lookup by key in an entity without a primary key is an error`() throws {
        let (store, box) = try open(Note.self)
        expectError(.invalidArgument) { _ = try box.get(key: "a") }
        expectError(.invalidArgument) { try box.put(Note(text: "a"), update: .modified) }
        try store.close()
    }

    @Test func `a raw value that this version does not know is kept for an object without an id`()
        throws
    {
        let (store, box) = try open(Country.self)
        try box.put(Country(code: "CH", role: .admin))
        try store.close()
        let (earlier, earlierBox) = try open(EarlierCountry.self)
        var seen = try #require(try earlierBox.get(key: "CH"))
        #expect(seen.role == .none)
        seen.name = "seen"
        try earlierBox.put(seen)
        try earlier.close()
        let (again, againBox) = try open(Country.self)
        #expect(
            try againBox.get(key: "CH") == Country(code: "CH", name: "seen", role: .admin))
        try again.close()
    }

    @Test func `the async calls of keys give the same results`() async throws {
        let store = try await Store(directory: directory.url, entities: Country.self)
        let box = store.box(for: Country.self)
        try await box.put(Country(code: "CH", name: "Schweiz"), update: .error)
        await #expect(throws: DaybookError.self) {
            try await box.put(Country(code: "CH"), update: .error)
        }
        var liechtenstein = Country(code: "LI")
        try await box.put(&liechtenstein, update: .modified)
        try await box.put([liechtenstein, Country(code: "AT")], update: .all)
        #expect(try await box.get(key: "CH")?.name == "Schweiz")
        #expect(try await box.contains(key: "LI"))
        #expect(try await box.remove(key: "LI"))
        #expect(try await box.remove(Country(code: "AT")))
        #expect(try await box.remove([Country(code: "AT"), Country(code: "CH")]) == 1)
        #expect(try await box.isEmpty())
        try await store.close()
    }
}
