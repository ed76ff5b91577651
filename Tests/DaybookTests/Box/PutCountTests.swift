@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// `put(…, counting: &counts)`.
@Suite struct PutCountTests {
    private let store: Store

    init() throws {
        store = try Store(
            directoryPath: "memory:counts-\(UUID().uuidString)", entities: Country.self,
            Account.self, Customer.self, Order.self, Note.self)
    }

    private func counts(
        _ inserted: Int, _ replaced: Int, _ unchanged: Int = 0, _ ignored: Int = 0
    ) -> PutCounts {
        var counts = PutCounts()
        counts.inserted = inserted
        counts.replaced = replaced
        counts.unchanged = unchanged
        counts.ignored = ignored
        return counts
    }

    @Test func `objects found by their key are replaced or unchanged`() throws {
        let countries = store.box(for: Country.self)
        let first = [Country(code: "de", name: "Germany"), Country(code: "fr", name: "France")]
        var sum = PutCounts()
        try countries.put(first, update: .modified, counting: &sum)
        #expect(sum == counts(2, 0))
        let next = [first[0], Country(code: "fr", name: "Frankreich"), Country(code: "it")]
        #expect(try countries.put(next, update: .modified, counting: &sum) == [1, 2, 3])
        #expect(sum == counts(3, 1, 1))
        var all = PutCounts()
        try countries.put(next, counting: &all)
        #expect(all == counts(0, 3))
        expectError(.uniqueViolation) {
            try countries.put([Country(code: "es"), first[0]], update: .error, counting: &all)
        }
        #expect(all == counts(0, 3))
    }

    @Test func `objects with ids, removed and ignored objects are counted`() throws {
        let notes = store.box(for: Note.self)
        var all = PutCounts()
        try notes.put([Note(text: "a"), Note(text: "b")], counting: &all)
        try notes.remove(2)
        try notes.put([Note(id: 1, text: "c"), Note(id: 2, text: "d")], counting: &all)
        #expect(all == counts(3, 1))
        expectError(.invalidArgument) {
            try notes.put([Note(text: "e")], update: .modified, counting: &all)
        }
        let accounts = store.box(for: Account.self)
        let both = (0..<2).map { _ in
            let account = Account()
            account.ignoring = 7
            return account
        }
        var ignored = PutCounts()
        try accounts.put(both, counting: &ignored)
        #expect(ignored == counts(1, 0, 0, 1))
    }

    @Test func `the async put and a put of related objects count the same`() async throws {
        let notes = store.box(for: Note.self)
        var all = PutCounts()
        try await notes.put([Note(text: "a"), Note(text: "b")], counting: &all)
        try await notes.put([Note(id: 1, text: "c"), Note(text: "d")], counting: &all)
        #expect(all == counts(3, 1))
        let orders = store.box(for: Order.self)
        let order = Order("1", customer: Customer("Ada"))
        var related = PutCounts()
        try await orders.put([order, Order("2")], counting: &related)
        #expect(related == counts(2, 0))
        try putAgain(order, &related)
        #expect(related == counts(2, 1))
        #expect(try await store.box(for: Customer.self).count() == 1)
    }

    private func putAgain(_ order: Order, _ counts: inout PutCounts) throws {
        try store.box(for: Order.self).put([order], counting: &counts)
    }
}
