import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// Migrations that change unique values: only the final values must be unique.
@Suite struct MigratedKeyTests {
    private let fileSystem = MemoryFileSystem()

    private func fill(_ store: AccountStore) throws -> [UInt64: Account] {
        var accounts: [UInt64: Account] = [:]
        for number in 1...20 {
            let account = Account(email: "\(number)", code: Int64(number), city: "city")
            accounts[try store.put(account)] = account
        }
        return accounts
    }

    /// Registers the accounts again with a migration that changes their codes; nil removes the
    /// account.
    private func migrate(
        _ store: AccountStore, _ indexes: [IndexDeclaration],
        _ change: @escaping @Sendable (UInt64, Int64) -> Int64?
    ) throws {
        var registration = Registration([AccountStore.declaration(indexes)])
        registration.schemaVersion = 1
        registration.migrations = [AccountStore.transformation(toVersion: 1, change)]
        _ = try store.engine.register(registration)
    }

    private let keyed = [AccountStore.primaryCode, AccountStore.email]

    @Test(arguments: [true, false])
    func `a migration may renumber a unique property, and exchange its values`(
        isPrimary: Bool
    ) throws {
        let indexes = isPrimary ? keyed : AccountStore.all
        let changes: [@Sendable (UInt64, Int64) -> Int64?] = [
            { _, code in code + 1 }, { _, code in 21 - code }, { _, code in code % 20 + 1 },
            // One of two objects is removed, and a third one gets its value.
            { id, code in id % 2 == 0 ? nil : code + 1 },
        ]
        for change in changes {
            let files = MemoryFileSystem()
            let store = try AccountStore(files, indexes: indexes)
            var accounts = try fill(store)
            let sequence = try store.engine.visibleSequence
            try migrate(store, indexes, change)
            #expect(try store.engine.visibleSequence == sequence + 1)
            for (id, account) in accounts {
                accounts[id] = nil
                guard let code = change(id, account.code) else { continue }
                accounts[id] = account
                accounts[id]?.code = code
            }
            #expect(try store.all() == accounts)
            try store.checkIndexes(accounts)
            #expect(throws: DaybookError.self) {
                try store.put(Account(email: "new", code: accounts[1]?.code ?? 0))
            }
            try store.closeProven()
        }
    }

    @Test(arguments: [true, false])
    func `a migration that leaves two objects with one value is refused, and nothing changes`(
        isPrimary: Bool
    ) throws {
        let indexes = isPrimary ? keyed : AccountStore.all
        let changes: [@Sendable (UInt64, Int64) -> Int64?] = [
            { id, code in id == 7 ? 8 : code }, { id, code in id == 8 ? 7 : code },
            // The value passes through a third object and through a removed one.
            { id, code in id == 1 ? 20 : id == 2 ? 1 : id == 3 ? 1 : code },
            { id, code in id == 3 ? 20 : id == 5 ? nil : id == 6 ? 5 : id == 7 ? 5 : code },
            { _, _ in 7 },
        ]
        let store = try AccountStore(fileSystem, indexes: indexes)
        let accounts = try fill(store)
        let sequence = try store.engine.visibleSequence
        for change in changes {
            do {
                try migrate(store, indexes, change)
                Issue.record("two have the same code")
            } catch let error as DaybookError {
                #expect(error.code == .uniqueViolation)
                #expect(error.details["property"] == "code")
                #expect(error.details["id"] != error.details["conflictingId"])
            }
        }
        #expect(try store.engine.visibleSequence == sequence)
        #expect(try store.all() == accounts)
        try store.checkIndexes(accounts)
        try store.closeProven()
    }

    @Test(arguments: Seeds.first(40))
    func `a random renumbering is refused exactly if two values are equal`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let store = try AccountStore(fileSystem, indexes: [AccountStore.code])
        let accounts = try fill(store)
        var codes = (1...20).map { Int64($0) }.shuffled(using: &generator)
        let place = Int.random(in: 0..<20, using: &generator)
        if seed % 2 == 0 { codes[place] = codes.randomElement(using: &generator) ?? 0 }
        let removed = UInt64.random(in: 1...40, using: &generator)
        let wanted = codes
        let left = wanted.indices.filter { UInt64($0 + 1) != removed }.map { wanted[$0] }
        let isRefused = Set(left).count < left.count
        do {
            try migrate(store, [AccountStore.code]) { id, _ in
                id == removed ? nil : wanted[Int(id) - 1]
            }
            #expect(!isRefused, "seed \(seed)")
            #expect(try store.all().values.map(\.code).sorted() == left.sorted(), "seed \(seed)")
        } catch let error as DaybookError where error.code == .uniqueViolation {
            #expect(isRefused, "seed \(seed)")
            #expect(try store.all() == accounts, "seed \(seed)")
        }
        try store.closeProven()
    }
}
