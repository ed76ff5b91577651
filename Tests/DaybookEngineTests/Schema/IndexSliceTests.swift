import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookPages
import DaybookTestSupport
import Testing

/// Indexes over long values are built and updated in slices of limited size.
@Suite struct IndexSliceTests {
    private let fileSystem = MemoryFileSystem()

    private let unique = [AccountStore.email]

    private func long(_ number: Int) -> Account {
        Account(
            email: "\(number) " + String(repeating: "x", count: 1 << 20), code: Int64(number),
            city: "city")
    }

    private func fill(_ store: AccountStore) throws -> [UInt64: Account] {
        var accounts: [UInt64: Account] = [:]
        for number in 1...10 { accounts[try store.put(long(number))] = long(number) }
        return accounts
    }

    @Test func `a slice ends at eight MiB of keys`() throws {
        let accounts = try {
            let store = try AccountStore(fileSystem, indexes: [])
            defer { try? store.engine.close() }
            return try fill(store)
        }()
        let email = IndexDeclaration(columns: ["email"])
        let store = try AccountStore(fileSystem, indexes: [email])
        let tree = IndexTree.index(store.layout.indexes[0].indexID)
        var counts: [Int] = []
        while try store.engine.buildIndexSlice() {
            counts.append(try store.engine.slot.withPinned { try $0.count(tree) })
        }
        #expect(counts == [8, accounts.count])
        #expect(store.engine.indexProgress.isEmpty)
        try store.closeProven()
    }

    @Test func `values that are exchanged across slices belong to their last owners`() throws {
        var accounts = try {
            let store = try AccountStore(fileSystem, indexes: unique)
            defer { try? store.engine.close() }
            let accounts = try fill(store)
            try store.engine.writeSnapshot()
            return accounts
        }()
        // Object 1 gives its value to object 10, and each other object takes the value of the
        // previous one.
        let store = try AccountStore(fileSystem, indexes: unique)
        let follower = try AccountStore(fileSystem, indexes: unique, access: .read)
        try store.engine.write { transaction in
            for id in UInt64(1)...10 { try store.put(Account(code: -Int64(id)), id: id) }
            for id in UInt64(1)...10 {
                accounts[id] = long(Int(id) % 10 + 1)
                try store.put(accounts[id] ?? Account(), id: id, in: transaction)
            }
        }
        #expect(try follower.engine.refresh())
        try follower.checkIndexes(accounts)
        try follower.closeProven()
        try store.checkIndexes(accounts)
        // The other way round.
        try store.engine.write { transaction in
            for id in UInt64(1)...10 { try store.put(Account(code: -Int64(id)), id: id) }
            for id in UInt64(1)...10 {
                accounts[id] = long(Int(id + 7) % 10 + 1)
                try store.put(accounts[id] ?? Account(), id: id, in: transaction)
            }
        }
        try store.engine.close()
        let again = try AccountStore(fileSystem, indexes: unique)
        #expect(again.engine.openReport.replayedChangeCount > 0)
        try again.checkIndexes(accounts)
        try again.closeProven()
    }
}
