import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTestSupport
import Testing

/// Past versions over a snapshot with damaged pages.
@Suite struct PastViewDamageTests {
    private static let count: UInt64 = 4_000
    private static let indexes = [AccountStore.place, AccountStore.city]
    private let fileSystem = MemoryFileSystem()

    private func account(_ id: UInt64) -> Account {
        Account(email: "\(id)@example.com", code: Int64(id), city: "city \(id % 50)", level: 1)
    }

    /// Creates accounts whose indexes were added after the returned version.
    private func fill() throws -> UInt64 {
        var store = try AccountStore(fileSystem, indexes: [])
        try store.engine.write { transaction in
            for id in 1...Self.count { try store.put(account(id), in: transaction) }
        }
        let past = try store.engine.visibleSequence
        try store.engine.close()
        store = try AccountStore(fileSystem, indexes: Self.indexes)
        while try store.engine.buildIndexSlice() {}
        for id in [7, 2_000, 3_999] as [UInt64] {
            try store.put(Account(code: 0, city: "Rome"), id: id)
        }
        try store.engine.writeSnapshot()
        try store.engine.close()
        return past
    }

    @Test func `a query of the past continues in indexes that are newer than its version`()
        throws
    {
        let past = try fill()
        let path = try #require(fileSystem.paths("snapshot-").last)
        let length = try #require(fileSystem.contents[path]).count
        let all = Array(1...Self.count)
        var mendedCount = 0
        for part in 1...14 {
            let files = fileSystem.afterKill(changing: path) { bytes in
                bytes[length * part / 16] ^= 0x40
            }
            let store = try AccountStore(files, indexes: Self.indexes)
            let view = try store.engine.pastView(at: past, by: .rewind)
            let access = QueryAccess(view, store.engine.schemas)
            let indexes = try access.indexes(of: store.entity)
            #expect(indexes.count == 2)
            for index in indexes where index.form == .ordered {
                var found: [UInt64] = []
                try access.forEachId(index, from: [], before: nil, isDescending: false) {
                    found += $0
                    return true
                }
                #expect(found.sorted() == all, "damage \(part)")
            }
            #expect(try access.scope.count(store.entity) == all.count)
            let row = try #require(try access.scope.row(store.entity, 2_000))
            #expect(try store.account(of: row) == account(2_000))
            if view.treesRebuiltSoFar != nil { mendedCount += 1 }
            try store.engine.close()
        }
        #expect(mendedCount > 0)
    }
}
