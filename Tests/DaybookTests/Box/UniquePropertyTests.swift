@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Unique properties, and puts that violate them.
@Suite struct UniquePropertyTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> (Store, Box<Account>) {
        let store = try Store(directory: directory.url, entities: Account.self)
        return (store, store.box())
    }

    private func account(_ change: (Account) -> Void) -> Account {
        let account = Account()
        change(account)
        return account
    }

    @Test
    func
        `a second object with a unique value is refused, and the error names the property`()
        throws
    {
        let (store, box) = try open()
        try box.put(account { $0.strict = "a" })
        let second = account { $0.strict = "a" }
        let error = expectError(.uniqueViolation) { try box.put(second) }
        #expect(error?.details["entity"] == "Account")
        #expect(error?.details["property"] == "strict")
        #expect(error?.details["value"] == "\"a\"")
        #expect(error?.details["conflictingId"] == "1")
        #expect(second.id == 0)
        expectError(.uniqueViolation) {
            try box.put([account { $0.strict = "b" }, account { $0.strict = "b" }])
        }
        #expect(try box.count() == 1)
        try store.close()
    }

    @Test func `nil never conflicts, and an object does not conflict with itself`() throws {
        let (store, box) = try open()
        let first = account { $0.strict = "a" }
        try box.put(first)
        try box.put(first)
        try box.put([Account(), Account()])
        #expect(try box.count() == 3)
        first.strict = "b"
        try box.put(first)
        try box.put(account { $0.strict = "a" })
        #expect(try box.count() == 4)
        try store.close()
    }

    @Test func `replace removes the other object, update takes its place, ignore leaves it`()
        throws
    {
        var (store, box) = try open()
        let first = account { $0.replacing = 1 }
        try box.put(first)
        let second = account { $0.replacing = 1 }
        try box.put(second)
        #expect(second.id != first.id)
        #expect(try box.all().map(\.id) == [second.id])

        let third = account { $0.updating = "x" }
        try box.put(third)
        let fourth = account {
            $0.updating = "x"
            $0.street = "Long Lane"
        }
        #expect(try box.put(fourth) == third.id)
        #expect(fourth.id == third.id)
        #expect(try box.get(third.id)?.street == "Long Lane")

        let fifth = account { $0.ignoring = 7 }
        try box.put(fifth)
        let sixth = account {
            $0.ignoring = 7
            $0.street = "never written"
        }
        #expect(try box.put(sixth) == fifth.id)
        #expect(try box.get(fifth.id)?.street == "")
        try store.close()
        (store, box) = try open()
        #expect(try box.count() == 3)
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `a put never moves a stored object to another id`() throws {
        let (store, box) = try open()
        let first = account {
            $0.updating = "x"
            $0.ignoring = 7
        }
        let second = account { $0.street = "b" }
        try box.put([first, second])
        second.updating = "x"
        expectError(.uniqueViolation) { try box.put(second) }
        second.updating = nil
        second.ignoring = 7
        #expect(try box.put(second) == second.id)
        #expect(second.id == 2)
        #expect(try box.get(2)?.ignoring == nil, "nothing was written")
        let third = account { $0.street = "c" }
        let refused = account { $0.strict = "s" }
        try box.put(refused)
        expectError(.uniqueViolation) {
            try box.put([third, second, third, account { $0.strict = "s" }])
        }
        #expect(third.id == 0 && second.id == 2, "ids are as they were")
        try store.close()
    }

    @Test func `an object older than a unique property conflicts as zero`() throws {
        let store = try Store(directory: directory.url, entities: Codeless.self)
        try store.box().put([Codeless(), Codeless()])
        try store.close()
        let error = expectError(.uniqueViolation) {
            _ = try Store(directory: directory.url, entities: Coded.self)
        }
        #expect(error?.details["property"] == "code")
        let again = try Store(directory: directory.url, entities: Codeless.self)
        try again.box(for: Codeless.self).remove(2)
        try again.close()
        let coded = try Store(directory: directory.url, entities: Coded.self)
        expectError(.uniqueViolation) { try coded.box().put(Coded(code: 0)) }
        let first = try #require(try coded.box(for: Coded.self).get(1))
        try coded.box().put(first)
        try coded.engine.proveReplay()
        try coded.close()
    }

    @Test func `an object older than a unique decimal also conflicts as zero`() throws {
        let store = try Store(directory: directory.url, entities: Bare.self)
        try store.box().put(Bare())
        try store.close()
        let later = try Store(directory: directory.url, entities: UniqueHolder<Decimal>.self)
        expectError(.uniqueViolation) { try later.box().put(UniqueHolder(value: Decimal(0))) }
        try later.box().put(UniqueHolder(value: Decimal(1)))
        try later.close()
    }

    @Test func `an error message contains few bytes of a long value`() throws {
        let (store, box) = try open()
        // One character of any length.
        let flags = String(repeating: "\u{1F1E8}\u{1F1ED}", count: 100_000)
        try box.put(account { $0.strict = flags })
        let error = expectError(.uniqueViolation) { try box.put(account { $0.strict = flags }) }
        #expect((error?.details["value"]?.utf8.count ?? 0) <= 100)
        #expect(error?.details["value"]?.hasSuffix("…") == true)
        try store.close()
    }

    @Test func `several properties are unique together`() throws {
        let (store, box) = try open()
        func door(_ street: String, _ door: Int?) -> Account {
            account {
                $0.street = street
                $0.door = door
            }
        }
        try box.put([door("a", 1), door("a", 2), door("b", 1), door("a", nil), door("a", nil)])
        let error = expectError(.uniqueViolation) { try box.put(door("a", 2)) }
        #expect(error?.details["property"] == "street, door")
        try store.close()
    }

    @Test func `a put inside a transaction is checked immediately`() throws {
        let (store, box) = try open()
        let one = account { $0.strict = "one" }
        let two = account { $0.strict = "two" }
        try box.put([one, two])
        try store.write {
            one.strict = "two"
            expectError(.uniqueViolation) { try box.put(one) }
            two.strict = "between"
            try box.put(two)
            try box.put(one)
            two.strict = "one"
            try box.put(two)
        }
        #expect(try box.all().map(\.strict) == ["two", "one"])
        try store.close()
    }

    @Test func `values that are not unique are refused when a constraint is added`() throws {
        let store = try Store(directory: directory.url, entities: Plain.self)
        try store.box().put([Plain(text: "a"), Plain(text: "b"), Plain(text: "a")])
        try store.close()
        let error = expectError(.uniqueViolation) {
            _ = try Store(directory: directory.url, entities: Strict.self)
        }
        #expect(error?.details["property"] == "text")
        let again = try Store(directory: directory.url, entities: Plain.self)
        #expect(try again.box(for: Plain.self).count() == 3)
        try again.box(for: Plain.self).remove(3)
        try again.close()
        let strict = try Store(directory: directory.url, entities: Strict.self)
        expectError(.uniqueViolation) { try strict.box().put(Strict(text: "b")) }
        try strict.close()
    }
}

/// An entity without properties.
struct Codeless: Entity {
    var entityId: Id = 0
    static let entityDescription = EntityDescription("Coded", [])
    static func decode(_ row: borrowing RowReader) throws -> Codeless { Codeless(entityId: row.id) }
    func encode(into row: inout RowWriter) throws {}
}

/// The same entity with a unique property that is not optional.
struct Coded: Entity {
    var entityId: Id = 0
    var code: Int
    static let entityDescription = EntityDescription(
        "Coded", [.property("code", Int.self, .unique)])
    static func decode(_ row: borrowing RowReader) throws -> Coded {
        Coded(entityId: row.id, code: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(code, at: 0) }
}

/// Like `Holder`, with a unique value.
struct UniqueHolder<Value: PropertyValue>: Entity {
    var entityId: Id = 0
    var value: Value
    static var entityDescription: EntityDescription {
        EntityDescription("Holder", [.property("value", Value.self, .unique)])
    }
    static func decode(_ row: borrowing RowReader) throws -> UniqueHolder {
        UniqueHolder(entityId: row.id, value: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(value, at: 0) }
}

/// An entity with a string.
struct Plain: Entity {
    var entityId: Id = 0
    var text: String
    static let entityDescription = EntityDescription("Text", [.property("text", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> Plain {
        Plain(entityId: row.id, text: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(text, at: 0) }
}

/// The same entity with a unique string.
struct Strict: Entity {
    var entityId: Id = 0
    var text: String
    static let entityDescription = EntityDescription(
        "Text", [.property("text", String.self, .unique)])
    static func decode(_ row: borrowing RowReader) throws -> Strict {
        Strict(entityId: row.id, text: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(text, at: 0) }
}
