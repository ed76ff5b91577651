@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

extension Account {
    static var id: Property<Account, Id> { Property(identity: "id") }
    static var strict: Property<Account, String?> { Property("strict") }
    static var replacing: Property<Account, Int?> { Property("replacing") }
    static var ignoring: Property<Account, Int?> { Property("ignoring") }
    static var street: Property<Account, String> { Property("street") }
}
extension Country {
    static var code: Property<Country, String> { Property("code") }
    static var name: Property<Country, String> { Property("name") }
}

/// `query.update { … }`.
@Suite struct UpdateTests {
    private let store: Store

    init() throws {
        store = try Store(
            directoryPath: "memory:updates-\(UUID().uuidString)", entities: Memo.self,
            Account.self, Country.self, Customer.self, Order.self)
    }

    private var memos: Box<Memo> { store.box() }
    private var accounts: Box<Account> { store.box() }

    @Test func `properties are set to values, calculations, other properties and nil`() throws {
        let items = try ItemStore()
        let all = items.box.query()
        let count = try all.update {
            $0.size = $0.size * 2 - 1
            $0.name = "<" + $0.name + ">"
            $0.nick = nil
            $0.level = .high
            $0.color = Color(red: 1, green: 2)
            $0.seen = Date(timeIntervalSince1970: 5.25)
            $0.tags = ["a", "b"]
            $0.site = Site(city: "Ulm", zip: 7)
            $0.sites = [Site(city: "Bonn", zip: nil)]
            $0.home = Site(city: "Köln", zip: 3)
            $0.note = ["x"]
            $0.price += 0.1
            $0.price *= 3
            $0.weight = 2 * $0.weight
            $0.isOpen = true
            $0.made = Date(timeIntervalSince1970: 1.5)
        }
        #expect(count == items.items.count)
        let expected = items.items.map { item in
            var item = item
            item.size = item.size * 2 - 1
            item.name = "<" + item.name + ">"
            item.nick = nil
            item.level = .high
            item.color = Color(red: 1, green: 2)
            item.seen = Date(timeIntervalSince1970: 5.25)
            item.tags = ["a", "b"]
            item.site = Site(city: "Ulm", zip: 7)
            item.sites = [Site(city: "Bonn", zip: nil)]
            item.home = Site(city: "Köln", zip: 3)
            item.note = ["x"]
            item.price = (item.price + Decimal(1) / 10) * 3
            item.weight = item.weight.map { 2 * $0 }
            item.isOpen = true
            item.made = Date(timeIntervalSince1970: 1.5)
            return item
        }
        let found = try items.box.all()
        for (one, other) in zip(found, expected) where one != other {
            // NaN differs from itself.
            var (one, other) = (one, other)
            #expect(one.weight?.isNaN == true && other.weight?.isNaN == true)
            (one.weight, other.weight) = (nil, nil)
            #expect(one == other)
        }
        #expect(try items.box.query { $0.home.city == "Köln" }.count() == count)
    }

    @Test func `statements take effect one after another`() throws {
        try memos.put(Memo(text: "a", stars: 1))
        try memos.query().update {
            $0.stars += 1
            $0.stars *= 10
            $0.text += "b"
            $0.text = $0.text + $0.text
        }
        #expect(try memos.all().map(\.text) == ["abab"])
        #expect(try memos.all().map(\.stars) == [20])
    }

    @Test func `objects whose values stay the same are not written`() throws {
        try memos.put([1, 2, nil, 2].map { Memo(text: "", stars: $0) })
        let before = try store.sequence
        #expect(try memos.query().update { $0.stars = 2 } == 2)
        #expect(try store.sequence == before + 1)
        #expect(try memos.query().update { $0.stars = 2 } == 0)
        #expect(try memos.query { $0.stars == 9 }.update { $0.stars = 1 } == 0)
        #expect(try memos.query().update { _ in } == 0)
        #expect(try store.sequence == before + 1)
    }

    @Test func `order, limit and offset select the objects`() throws {
        try memos.put((1...5).map { (stars: Int) in Memo(text: "", stars: stars) })
        let some = memos.query().ordered(by: \.stars, flags: .descending).offset(1).limit(2)
        #expect(try some.update { $0.stars = nil } == 2)
        #expect(try memos.all().map(\.stars) == [1, 2, nil, nil, 5])
    }

    @Test func `an update is part of the running transaction`() throws {
        try memos.put(Memo(text: "a", stars: 1))
        let start = try store.sequence
        try store.write {
            try memos.put(Memo(text: "b", stars: 5))
            #expect(try memos.query().update { $0.stars += 1 } == 2)
            #expect(try memos.query { $0.stars == 6 }.update { $0.text = "c" } == 1)
            expectError(.overflow) { try memos.query().update { $0.stars *= Int.max } }
        }
        #expect(try store.sequence == start + 1)
        #expect(try memos.all().map(\.text) == ["a", "c"])
        #expect(try memos.all().map(\.stars) == [2, 6])
    }

    @Test func `an update is in changes and in history, as a put is`() async throws {
        try await memos.put(Memo(text: "a", stars: 1))
        let start = store.position
        let count = try await memos.query().update { $0.stars += 1 }
        #expect(count == 1)
        let changes = try await store.changes(from: start).taken(1)[0].changes(of: Memo.self)
        #expect(changes.map(\.kind) == [.update])
        #expect(try changes.map { try $0.before?.stars } == [1])
        #expect(try changes.map { try $0.after?.stars } == [2])
        #expect(try changes[0].changedProperties == ["stars"])
        let versions = try await memos.history(of: 1)
        #expect(versions.count == 2)
    }

    @Test func `indexes and live queries follow an update`() async throws {
        let items = try ItemStore()
        var updates = items.box.query { $0.size > 100 }.updates().makeAsyncIterator()
        #expect(try await updates.next()?.objects.count == 0)
        let some = items.box.query { $0.size == 3 }
        let plan = try await some.explain()
        #expect(plan.indexes == ["size"])
        let count = try await some.count()
        let changed = try await some.update { $0.size += 100 }
        #expect(changed == count)
        let counts = [try await some.count(), try await items.box.query { $0.size == 103 }.count()]
        #expect(counts == [0, count])
        #expect(try await updates.next()?.objects.count == count)
        try items.store.engine.proveReplay()
    }

    @Test func `objects may exchange unique values, and a shared value changes nothing`() throws {
        try accounts.put(
            ["a", "aa", "aaa"].map { text in
                let account = Account()
                account.strict = text
                return account
            })
        #expect(try accounts.query().update { $0.strict += "a" } == 3)
        #expect(try accounts.all().map(\.strict) == ["aa", "aaa", "aaaa"])
        let error = expectError(.uniqueViolation) {
            try accounts.query { $0.id > 1 }.update {
                $0.street = "Long Lane"
                $0.strict = "b"
            }
        }
        #expect(error?.details["property"] == "strict" && error?.details["id"] == "3")
        #expect(error?.details["conflictingId"] == "2")
        #expect(try accounts.all().map(\.strict) == ["aa", "aaa", "aaaa"])
        #expect(try accounts.all().map(\.street) == ["", "", ""])
        expectError(.uniqueViolation) {
            try accounts.query { $0.id == 1 }.update { $0.strict = "aaa" }
        }
        // The checks continue in the same transaction.
        try store.write {
            expectError(.uniqueViolation) { try accounts.query().update { $0.strict = "b" } }
            let fourth = Account()
            fourth.strict = "aa"
            expectError(.uniqueViolation) { try accounts.put(fourth) }
            try store.box(for: Order.self).put(Order("1"))
            expectError(.notFound) {
                try store.box(for: Order.self).query().update {
                    $0.customer = ToOne(targetId: 77)
                }
            }
            expectError(.uniqueViolation) { try accounts.put(fourth) }
        }
        try store.engine.proveReplay()
    }

    @Test func `related objects are set by id and to nil`() throws {
        let (customers, orders) = (store.box(for: Customer.self), store.box(for: Order.self))
        let people = [Customer("Ada"), Customer("Bob")]
        try customers.put(people)
        try orders.put([Order("1", customer: people[0]), Order("2"), Order("3")])
        let second = EntityId<Customer>(2)
        #expect(try orders.query().update { $0.customer = ToOne(targetId: second) } == 3)
        #expect(try orders.query { $0.customer == second }.count() == 3)
        #expect(try orders.query().update { $0.customer = ToOne(people[1]) } == 0)
        #expect(
            try orders.query { $0.id < 3 }.update {
                $0.customer = nil
                $0.summary = $0.summary + "!"
            } == 2)
        #expect(try orders.query { $0.customer == nil }.findIds().map(\.value) == [1, 2])
        expectError(.cannotRelateToUnsaved) {
            try orders.query().update { $0.customer = ToOne(Customer("Carl")) }
        }
        expectError(.notFound) {
            try orders.query().update { $0.customer = ToOne(targetId: 77) }
        }
        expectError(.invalidArgument) { try customers.query().update { $0.orders = nil } }
        try store.engine.proveReplay()
    }

    @Test func `a property that cannot be set is an error before anything is read`() throws {
        let countries = store.box(for: Country.self)
        try countries.put(Country(code: "de"))
        expectError(.primaryKeyChanged) { try countries.query().update { $0.code += "x" } }
        expectError(.invalidArgument) { try accounts.query().update { $0.id = 7 } }
        expectError(.invalidArgument) {
            try accounts.query().update { $0.unknown = 7 }
        }
        let error = expectError(.invalidValue) {
            try countries.query().update { $0.optionalName = nil }
        }
        #expect(error?.message.contains("name") == true)
        try memos.put(Memo(text: "a", stars: 1))
        expectError(.readOnly) {
            try store.view().box(for: Memo.self).query().update { $0.stars = 1 }
        }
        try store.close()
        expectError(.closed) { try memos.query().update { $0.stars = 1 } }
    }

    @Test func `a number that does not fit changes nothing`() throws {
        let items = try ItemStore()
        let before = try items.box.all().map(\.size)
        let error = expectError(.overflow) {
            try items.box.query().update { $0.size = $0.size * 1_000_000_000 }
        }
        #expect(error?.message.contains("int32") == true)
        #expect(try items.box.all().map(\.size) == before)
    }
}

/// The conflict rules of unique indexes.
extension UpdateTests {
    @Test func `an update obeys the conflict rules of unique indexes`() throws {
        let both = (1...2).map { number in
            let account = Account()
            account.replacing = number
            account.ignoring = number
            return account
        }
        try accounts.put(both)
        #expect(try accounts.query { $0.id == 2 }.update { $0.ignoring = 1 } == 0)
        #expect(try accounts.all().map(\.ignoring) == [1, 2])
        #expect(try accounts.query().update { $0.replacing = 7 } == 2)
        #expect(try accounts.all().map(\.id) == [2])
        try store.engine.proveReplay()
    }
}

extension Account {
    fileprivate static var unknown: Property<Account, Int> { Property("nowhere") }
}
extension Country {
    fileprivate static var optionalName: Property<Country, String?> { Property("name") }
}
