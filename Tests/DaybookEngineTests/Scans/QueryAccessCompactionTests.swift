import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTestSupport
import Synchronization
import Testing

/// Queries over a version whose frames a compaction moves meanwhile.
@Suite struct QueryAccessCompactionTests {
    private let fileSystem = MemoryFileSystem()

    private func change(_ store: AccountStore, _ count: UInt64, city: String) throws {
        for start in stride(from: 1, through: count, by: 100) {
            try store.engine.write { transaction in
                for id in start..<(start + 100) {
                    let account = Account(code: Int64(id), city: city, level: Int32(id))
                    let known = try transaction.changes.row(store.entity, id) != nil
                    try store.put(account, id: known ? id : 0, in: transaction)
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `a query reads its version to the end during a compaction`(isConcurrent: Bool) throws {
        let store = try AccountStore(fileSystem, indexes: AccountStore.every) {
            // Disables the frame cache, so that frames are read from removed files.
            $0.log.frameCacheBudgetBytes = 1
            $0.framePayloadBytes = 1024
        }
        let count: UInt64 = 600
        try change(store, count, city: "Old town")
        let access = QueryAccess(try store.engine.view(), store.engine.schemas)
        let indexes = try access.indexes(of: store.entity)
        let rounds = Mutex(0)
        let layouts = store.engine.schemas
        let states = try access.scanRowsConcurrently(
            store.entity, objectCountMin: isConcurrent ? 100 : .max, { [UInt64]() }
        ) { ids, row, layout, id in
            let view = try RowView(row, try layouts.rowLayout(layout))
            guard try view.text(2) == "Old town", view.int64(1) == Int64(id) else { return false }
            ids.append(id)
            return true
        }
        #expect(states.flatMap { $0 } == Array(1...count))
        var found: [UInt64] = []
        try access.scan(store.entity) { _, _, id in
            found.append(id)
            // Rewrites all objects, and drops the segments of the old rows.
            if id == 100 || id == 400 {
                rounds.withLock { $0 += 1 }
                try change(store, count, city: "New town \(id)")
                _ = try store.engine.compact(.latest, sealsActive: true)
            }
            return true
        }
        #expect(found == Array(1...count) && rounds.withLock { $0 } == 2)
        let words = try #require(indexes.first { $0.form == .text })
        let probe = IndexProbe(word: "old", isPrefix: false).bytes
        var listed: [UInt64] = []
        try access.forEachId(
            words, from: probe, before: IndexProbe.end(of: probe), isDescending: true
        ) {
            listed += $0
            return true
        }
        #expect(listed == (1...count).reversed())
        var cities: Set<String> = []
        try access.forEachRow(store.entity, listed.reversed()) { row, layout, _ in
            cities.insert(try RowView(row, try layouts.rowLayout(layout)).text(2))
            return true
        }
        #expect(cities == ["Old town"])
        try store.closeProven()
    }
}
