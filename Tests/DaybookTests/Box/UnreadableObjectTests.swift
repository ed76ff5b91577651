@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Objects whose rows are unreadable after damage, through the public API.
@Suite struct UnreadableObjectTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> Store {
        try Store(directory: directory.url, entities: Account.self, Cased<Role>.self)
    }

    private func account(_ strict: String, _ number: Int) -> Account {
        let account = Account()
        account.strict = strict
        account.updating = "updating \(number)"
        account.replacing = number
        account.street = "street"
        account.door = number
        return account
    }

    /// Damages a store so that the accounts 1 to 3, and all objects of the other entities, are
    /// unreadable.
    private func damage() throws {
        let store = try open()
        try store.box().put((1...3).map { account("needle \($0)", $0) })
        var cased = Cased(Role.admin)
        cased.note = "needle in another frame"
        let (one, other) = (cased, cased)
        try store.box().put([one, other])
        try store.box().put(account("whole", 4))
        try store.engine.writeSnapshot()
        try store.close()
        let name = try #require(directory.names.last { $0.hasPrefix("segment-") })
        let path = directory.url.appendingPathComponent(name)
        var bytes = try Data(contentsOf: path)
        let needle = Data("needle".utf8)
        var spoiltCount = 0
        while let range = bytes.range(of: needle) {
            bytes[range.lowerBound] ^= 1
            spoiltCount += 1
        }
        #expect(spoiltCount == 5)
        try bytes.write(to: path)
    }

    @Test func `an object that cannot be read can be replaced and removed`() throws {
        try damage()
        let store = try open()
        #expect(store.openingReport.incompleteIndexes == [])
        let accounts = store.box(for: Account.self)
        for id in Id(1)...3 { expectError(.corruption) { _ = try accounts.get(id) } }
        #expect(try accounts.get(4)?.strict == "whole")
        expectError(.uniqueViolation) { try accounts.put(account("needle 2", 9)) }
        let replaced = account("needle 1", 11)
        replaced.id = 1
        try accounts.put(replaced)
        #expect(try accounts.get(1)?.door == 11)
        #expect(try accounts.remove(2))
        // The value of the replaced object is free, and so is the value of a conflicting object.
        let free = try accounts.put(account("needle 2", 12))
        let replacing = account("new", 3)
        replacing.updating = nil
        replacing.street = "another"
        let last = try accounts.put(replacing)
        #expect(try accounts.contains(3) == false)
        #expect(try accounts.all().map(\.id) == [1, 4, free, last])
        #expect(store.maintenanceError == nil)
        try store.close()
    }

    @Test func `a put that would read an unreadable row replaces it`() async throws {
        try damage()
        let store = try open()
        let box = store.box(for: Cased<Role>.self)
        for id in Id(1)...2 { expectError(.corruption) { _ = try box.get(id) } }
        func put() throws {
            var object = Cased(Role.author)
            object.id = 1
            try box.put(&object)
        }
        try put()
        var object = Cased(Role.none)
        object.id = 2
        try await box.put([object])
        #expect(try await box.all().map(\.plain) == [.author, .none])
        try await store.close()
    }
}
