import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Testing

/// Query access in versions and in running transactions: rows, and index entries together with the
/// objects that the indexes lack. A failure prints its seed.
@Suite struct QueryAccessTests {
    private let fileSystem = MemoryFileSystem()

    private static func account(_ generator: inout SeededGenerator, code: Int64) -> Account {
        Account(
            email: Bool.random(using: &generator) ? "mail-\(code)" : nil, code: code,
            city: ["", "a", "a\0b", "ab", "Ü", "z"].randomElement(using: &generator) ?? "",
            level: [nil, -5, 0, 3].randomElement(using: &generator) ?? nil)
    }

    /// Checks that everything that a query can read equals `accounts`.
    private func check(
        _ access: QueryAccess, _ store: AccountStore, _ accounts: [UInt64: Account],
        _ seed: UInt64, hasIndexes: Bool = true
    ) throws {
        let ids = accounts.keys.sorted()
        #expect(try access.scope.count(store.entity) == ids.count, "seed \(seed)")
        for inOrder in [true, false] {
            var found: [UInt64: Account] = [:]
            var order: [UInt64] = []
            try access.scan(store.entity, inOrder: inOrder) { row, layout, id in
                order.append(id)
                found[id] = try store.account(of: row, layout)
                return true
            }
            #expect(inOrder ? order == ids : order.sorted() == ids, "seed \(seed)")
            #expect(found == accounts, "seed \(seed)")
        }
        if let low = ids.dropFirst(2).first, let high = ids.dropLast(2).last, low <= high {
            var order: [UInt64] = []
            try access.scan(store.entity, ids: low...high) { _, _, id in
                order.append(id)
                return order.count < 5
            }
            #expect(
                order == Array(ids.filter { (low...high).contains($0) }.prefix(5)), "seed \(seed)")
        }
        let asked = (ids + [999, 1_000_000]).reversed()
        var order: [UInt64] = []
        try access.forEachRow(store.entity, Array(asked)) { row, layout, id in
            order.append(id)
            let account = try store.account(of: row, layout)
            #expect(account == accounts[id], "seed \(seed)")
            return true
        }
        #expect(order == ids.reversed(), "seed \(seed)")
        #expect(try access.scope.rows(store.entity, Array(asked)).map(\.id) == ids.reversed())
        let indexes = try access.indexes(of: store.entity)
        #expect(indexes.count == (hasIndexes ? 4 : 0), "seed \(seed)")
        for index in indexes { try check(access, index, store, accounts, seed) }
    }

    /// Checks that an index, together with the objects that it lacks, leads exactly to the objects
    /// with the values.
    private func check(
        _ access: QueryAccess, _ index: IndexPlan.Index, _ store: AccountStore,
        _ accounts: [UInt64: Account], _ seed: UInt64
    ) throws {
        let unlisted = try access.unlisted(store.entity, in: index)
        #expect(unlisted == unlisted.sorted())
        let keys = try accounts.filter { !unlisted.contains($0.key) }.mapValues {
            try store.key($0, index)
        }
        guard index.form != .hashed else {
            for hash in Set(keys.values.map(\.hash)) {
                let wanted = keys.filter { $0.value.hash == hash }.map(\.key).sorted()
                let found = try access.ids(index, hash: hash).filter { !unlisted.contains($0) }
                #expect(found == wanted, "seed \(seed)")
                #expect(try access.ids(index, hash: hash, limit: 1).count == 1)
            }
            return
        }
        let order = keys.sorted {
            $0.value == $1.value
                ? $0.key < $1.key : $0.value.bytes.lexicographicallyPrecedes($1.value.bytes)
        }
        for lower in [[]] + Set(keys.values.map(\.bytes)).prefix(5) {
            for upper in [nil, [1, 0x61], IndexProbe.end(of: lower), []] {
                let wanted = order.filter { entry in
                    !entry.value.bytes.lexicographicallyPrecedes(lower)
                        && upper.map { entry.value.bytes.lexicographicallyPrecedes($0) } ?? true
                }.map(\.key)
                try check(access, index, lower, upper, wanted, Set(unlisted), seed)
            }
        }
    }

    private func check(
        _ access: QueryAccess, _ index: IndexPlan.Index, _ lower: [UInt8], _ upper: [UInt8]?,
        _ wanted: [UInt64], _ unlisted: Set<UInt64>, _ seed: UInt64
    ) throws {
        for isDescending in [false, true] {
            var all: [UInt64] = []
            try access.forEachId(index, from: lower, before: upper, isDescending: isDescending) {
                all += $0
                return true
            }
            let expected = isDescending ? wanted.reversed() : wanted
            #expect(all.filter { !unlisted.contains($0) } == expected, "seed \(seed)")
            var some: [UInt64] = []
            try access.forEachId(index, from: lower, before: upper, isDescending: isDescending) {
                some += $0
                return false
            }
            #expect(some == Array(all.prefix(some.count)), "seed \(seed)")
            #expect(some.count == all.count || some.count >= 7, "seed \(seed)")
            #expect(all.count <= 64 || some.count < all.count, "seed \(seed)")
            #expect(
                try access.count(index, from: lower, before: upper, limit: .max) == all.count)
            #expect(
                try access.count(index, from: lower, before: upper, limit: 3) == min(3, all.count))
        }
    }

    @Test(arguments: Seeds.first(12))
    func `a version and a transaction over it each return their own content`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let store = try AccountStore(fileSystem)
        var accounts: [UInt64: Account] = [:]
        func change(_ transaction: WriteTransaction) throws {
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                let some = accounts.keys.sorted().randomElement(using: &generator)
                switch (Int.random(in: 0..<4, using: &generator), some) {
                case (0, let id?):
                    _ = try transaction.changes.remove(store.entity, id)
                    accounts[id] = nil
                case (1, let id?):
                    let account = Self.account(&generator, code: accounts[id]?.code ?? 0)
                    try store.put(account, id: id, in: transaction)
                    accounts[id] = account
                default:
                    let account = Self.account(
                        &generator, code: .random(in: .min ... .max, using: &generator))
                    accounts[try store.put(account, in: transaction)] = account
                }
            }
        }
        for _ in 0..<6 {
            try store.engine.write(change)
            let before = accounts
            try store.engine.query { try check($0, store, before, seed) }
            // Rolls back a transaction with all its changes; the existing version stays unchanged.
            let held = QueryAccess(try store.engine.view(), store.engine.schemas)
            #expect(throws: Stop.self) {
                try store.engine.write { transaction in
                    try change(transaction)
                    try store.engine.query { access in
                        #expect(access.view == nil)
                        try check(access, store, accounts, seed)
                        try check(held, store, before, seed)
                    }
                    throw Stop()
                }
            }
            accounts = before
        }
        try store.closeProven()
    }

    private struct Stop: Error {}
}

extension AccountStore {
    func account(of bytes: Span<UInt8>, _ layout: UInt32) throws -> Account {
        let layout = try engine.schemas.rowLayout(layout)
        let view = try RowView(bytes, layout)
        return Account(
            email: view.isNull(0) ? nil : try view.text(0), code: view.int64(1),
            city: try view.text(2), level: view.isNull(3) ? nil : view.int32(3))
    }

    /// Returns the key of an account in an index.
    func key(_ account: Account, _ index: IndexPlan.Index) throws -> IndexKey {
        let row = try row(account)
        return try IndexKey(
            index.columns, of: row.span, try engine.schemas.rowLayout(layout.layoutID))
    }
}
