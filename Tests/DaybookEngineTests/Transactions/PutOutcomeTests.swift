import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTestSupport
import Testing

@Suite struct PutOutcomeTests {
    private let fileSystem = MemoryFileSystem()

    private func outcome(
        _ store: AccountStore, _ account: Account, id: UInt64 = 0, _ options: PutOptions
    ) throws -> PutOutcome {
        let row = try store.row(account)
        return try store.engine.operate {
            try $0.changes.put(
                store.entity, id, layout: store.layout.layoutID, row: row.span, options)
        }
    }

    @Test func `a put without unique indexes inserts new ids and replaces known ones`() throws {
        let store = try AccountStore(fileSystem, indexes: [])
        let account = Account(code: 1, city: "London")
        #expect(try outcome(store, account, PutOptions()) == PutOutcome(1, .inserted))
        #expect(try outcome(store, account, id: 1, PutOptions()) == PutOutcome(1, .replaced))
        let assignable = PutOptions(mode: .insert, isAssignable: true)
        #expect(try outcome(store, account, id: 7, assignable) == PutOutcome(7, .inserted))
        try store.engine.close()
    }

    @Test func `the primary key finds the object, and the policy determines the write`() throws {
        let store = try AccountStore(fileSystem, indexes: [AccountStore.primaryCode])
        let account = Account(code: 1, city: "London")
        #expect(try outcome(store, account, PutOptions()) == PutOutcome(1, .inserted))
        #expect(try outcome(store, account, PutOptions()) == PutOutcome(1, .replaced))
        let modified = PutOptions(upsert: .modified)
        let sequence = store.engine.log.lastSequence
        #expect(try outcome(store, account, modified) == PutOutcome(1, .unchanged))
        #expect(store.engine.log.lastSequence == sequence)
        let moved = Account(code: 1, city: "Paris")
        #expect(try outcome(store, moved, modified) == PutOutcome(1, .replaced))
        try store.engine.close()
    }

    @Test func `the rule of a unique index decides between ignoring and replacing`() throws {
        let store = try AccountStore(fileSystem, indexes: [AccountStore.email])
        let index = store.layout.indexes[0].indexID
        let account = Account(email: "a", code: 1)
        let other = Account(email: "a", code: 2)
        let ignoring = PutOptions(onConflict: [index: .ignore])
        #expect(try outcome(store, account, ignoring) == PutOutcome(1, .inserted))
        #expect(try outcome(store, other, ignoring) == PutOutcome(1, .ignored))
        #expect(try store.all() == [1: account])
        let updating = PutOptions(onConflict: [index: .update])
        #expect(try outcome(store, other, updating) == PutOutcome(1, .replaced))
        let replacing = PutOptions(onConflict: [index: .replace])
        #expect(try outcome(store, account, replacing) == PutOutcome(2, .inserted))
        #expect(try store.all() == [2: account])
        // A stored object that is ignored keeps its id.
        #expect(try outcome(store, Account(email: "b"), ignoring) == PutOutcome(3, .inserted))
        #expect(try outcome(store, account, id: 3, ignoring) == PutOutcome(3, .ignored))
        try store.engine.close()
    }
}
