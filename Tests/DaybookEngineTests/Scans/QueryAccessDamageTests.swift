import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookPages
import DaybookTestSupport
import Testing

/// Queries over a snapshot with damaged pages: they continue in the same state, replayed from the
/// log, without missing or repeated objects.
@Suite struct QueryAccessDamageTests {
    private let fileSystem = MemoryFileSystem()
    private static let count = UInt64(2500)

    private func account(_ id: UInt64) -> Account {
        Account(
            email: id % 3 == 0 ? nil : "mail-\(id)@example.com", code: Int64(id) * 7 - 9000,
            city: "city \(id % 50)", level: id % 4 == 0 ? nil : Int32(id % 40))
    }

    /// Creates accounts in a snapshot and closes the store.
    private func fill() throws -> [UInt8] {
        let store = try AccountStore(fileSystem)
        for start in stride(from: 1, through: Self.count, by: 500) {
            try store.engine.write { transaction in
                for id in start..<(start + 500) { try store.put(account(id), in: transaction) }
            }
        }
        try store.engine.writeSnapshot()
        try store.engine.close()
        let path = try #require(fileSystem.paths("snapshot-").last)
        return try #require(fileSystem.contents[path])
    }

    /// Opens the store with two wrong bytes in its snapshot.
    private func damaged(at places: [Int]) throws -> AccountStore {
        let path = try #require(fileSystem.paths("snapshot-").last)
        let files = fileSystem.afterKill(changing: path) { bytes in
            for place in places { bytes[place] ^= 0x40 }
        }
        return try AccountStore(files)
    }

    private func check(_ access: QueryAccess, _ store: AccountStore) throws {
        let ids = Array(1...Self.count)
        var isOrderly = true
        for inOrder in [true, false] {
            var found: [UInt64] = []
            try access.scan(store.entity, inOrder: inOrder) { row, layout, id in
                found.append(id)
                if id % 97 == 0 {
                    isOrderly = try isOrderly && store.account(of: row, layout) == account(id)
                }
                return true
            }
            #expect(found == ids)
        }
        var found: [UInt64] = []
        try access.forEachRow(store.entity, ids) { _, _, id in
            found.append(id)
            return true
        }
        #expect(isOrderly && found == ids)
        let indexes = try access.indexes(of: store.entity)
        #expect(indexes.count == 4)
        for index in indexes {
            #expect(try access.unlisted(store.entity, in: index).isEmpty)
            guard index.form != .hashed else {
                let key = try store.key(account(33), index)
                #expect(
                    try access.ids(index, hash: key.hash) == ids.filter { $0 % 50 == 33 })
                continue
            }
            #expect(try access.count(index, from: [], before: nil) == ids.count)
            for isDescending in [false, true] {
                try check(access, store, index, isDescending, ids)
            }
        }
    }

    private func check(
        _ access: QueryAccess, _ store: AccountStore, _ index: IndexPlan.Index,
        _ isDescending: Bool, _ ids: [UInt64]
    ) throws {
        var some: [UInt64] = []
        try access.forEachId(index, from: [], before: nil, isDescending: isDescending) {
            some += $0
            return true
        }
        #expect(some.sorted() == ids)
        if isDescending { some.reverse() }
        let keys = try some.map { try store.key(account($0), index).bytes }
        #expect(zip(keys, keys.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
    }

    @Test func `a version continues in the state replayed from the log`() throws {
        let length = try fill().count
        var mendedCount = 0
        for part in 1...7 {
            let store = try damaged(at: [length * part / 9, length * (part + 1) / 9])
            try store.engine.query { access in
                try check(access, store)
                if access.treesRebuiltSoFar != nil { mendedCount += 1 }
            }
            try store.closeProven()
        }
        #expect(mendedCount > 2)
    }

    @Test func `a transaction continues in rebuilt trees`() throws {
        let length = try fill().count
        var mendedCount = 0
        for part in 1...4 {
            let store = try damaged(at: [length * part / 6])
            try store.engine.write { transaction in
                try store.engine.query { access in
                    try check(access, store)
                    if access.treesRebuiltSoFar != nil { mendedCount += 1 }
                }
                _ = try transaction.changes.remove(store.entity, 5)
            }
            #expect(try store.engine.count(store.entity) == Int(Self.count) - 1)
            try store.closeProven()
        }
        #expect(mendedCount > 1)
    }

    /// A version without history: its damaged trees cannot be rebuilt.
    private struct Irreparable: RebuildableTrees {
        let view: ReadView

        func withTrees<Result>(
            _ body: (PageReader) throws(DaybookError) -> Result
        ) throws(DaybookError) -> Result {
            try view.withTrees(body)
        }

        func hold() -> HeldTrees { view.hold() }

        func rebuiltTrees() throws(DaybookError) -> PageReader {
            throw DaybookError(.historyTruncated, "The history of the version is gone.")
        }
    }

    @Test func `objects before irreparable damage are returned first`() throws {
        let length = try fill().count
        var givenCount = 0
        for part in 1...8 {
            let store = try damaged(at: [length * part / 9])
            try store.engine.read { view in
                var walk = EntryCursor(Irreparable(view: view), store.entity, 0...UInt64.max)
                var entries = [WordEntry](repeating: WordEntry(), count: 5000)
                var keys: [UInt64] = []
                do {
                    while true {
                        let count = try walk.next(into: &entries)
                        guard count > 0 else { break }
                        keys += entries[..<count].map(\.key)
                    }
                    #expect(keys == Array(1...Self.count))
                } catch let error as DaybookError {
                    #expect(error.code == .historyTruncated)
                    #expect(keys.elementsEqual(1..<UInt64(keys.count + 1)))
                    if !keys.isEmpty { givenCount += 1 }
                    expectError(.historyTruncated) { _ = try walk.next(into: &entries) }
                }
            }
            try store.engine.close()
        }
        #expect(givenCount > 0)
    }

    @Test func `several threads meet the same damage`() throws {
        let length = try fill().count
        var mendedCount = 0
        for part in 1...4 {
            let store = try damaged(at: [length * part / 6])
            try store.engine.query { access in
                let found = try access.scanRowsConcurrently(
                    store.entity, objectCountMin: 100, { [UInt64]() }
                ) { ids, _, _, id in
                    ids.append(id)
                    return true
                }
                #expect(found.count > 4 && found.flatMap { $0 } == Array(1...Self.count))
                if access.treesRebuiltSoFar != nil { mendedCount += 1 }
            }
            try store.engine.close()
        }
        #expect(mendedCount > 0)
    }

    @Test func `a damaged row is an error, and earlier rows are delivered`() throws {
        _ = try fill()
        let path = try #require(fileSystem.paths("segment-").last)
        let text = Array("mail-1901@example.com".utf8)
        let files = fileSystem.afterKill(changing: path) { bytes in
            let place = bytes.indices.first { bytes[$0...].starts(with: text) }
            bytes[place ?? 0] ^= 1
        }
        let store = try AccountStore(files)
        try store.engine.query { access in
            var last: UInt64 = 0
            expectError(.corruption) {
                try access.scan(store.entity) { _, _, id in
                    last = id
                    return true
                }
            }
            #expect(last > 0 && last < 1901)
            let ids = Array(1...Self.count)
            var lastById: UInt64 = 0
            expectError(.corruption) {
                try access.forEachRow(store.entity, ids) { _, _, id in
                    lastById = id
                    return true
                }
            }
            #expect(lastById == last)
            expectError(.corruption) {
                _ = try access.scanRowsConcurrently(store.entity, objectCountMin: 100, { 0 }) {
                    $0 += $1.count
                    return $3 > 0
                }
            }
            var some: [UInt64] = []
            try access.forEachRow(store.entity, ids) { _, _, id in
                some.append(id)
                return id < last
            }
            #expect(some == Array(1...last))
        }
        try store.engine.close()
    }
}
