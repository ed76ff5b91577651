import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// Scans that read cached columns instead of rows: the values are those of the version in either
/// form.
@Suite struct ColumnScanTests {
    private let fileSystem = MemoryFileSystem()
    private static let count: UInt64 = 1200

    /// The results of a scan.
    private struct Seen {
        /// The codes by id.
        var codes: [UInt64: Int64] = [:]
        /// The number of objects that were read as columns.
        var columnCount = 0

        mutating func add(_ id: UInt64, _ code: Int64) {
            #expect(codes.updateValue(code, forKey: id) == nil, "object \(id) came twice")
        }
    }

    private func account(_ id: UInt64, _ code: Int64) -> Account {
        Account(code: code, city: "city \(id % 7)", level: id % 5 == 0 ? nil : Int32(id))
    }

    private func put(_ store: AccountStore, _ ids: some Sequence<UInt64>, _ code: Int64) throws {
        try store.engine.write { transaction in
            for id in ids {
                let known = try transaction.changes.row(store.entity, id) != nil
                try store.put(account(id, code), id: known ? id : 0, in: transaction)
            }
        }
    }

    private func filled(
        _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> AccountStore {
        let store = try AccountStore(fileSystem, indexes: []) {
            $0.framePayloadBytes = 2048
            change(&$0)
        }
        for start in stride(from: 1, through: Self.count, by: 400) {
            try put(store, start..<(start + 400), 1)
        }
        return store
    }

    /// Scans the field of the codes, and requests other fields that nothing reads.
    private func scan(
        _ store: AccountStore, _ view: ReadView? = nil, ids: ClosedRange<UInt64> = 0...UInt64.max,
        also: [RowColumn] = [], objectCountMin: Int = .max
    ) throws -> Seen {
        let schemas = store.engine.schemas
        let access = QueryAccess(try view ?? store.engine.view(), schemas)
        let code = 1
        func column(_ layout: RowLayout) -> RowColumn {
            .fixed(offset: Int(layout.slots[code].place), widthBytes: 8)
        }
        let layout = try schemas.rowLayout(store.layout.layoutID)
        let wanted = column(layout)
        let number = store.layout.layoutID
        let demand = ColumnDemand([wanted] + also, of: layout)
        let scan = ColumnScan<Seen>(demand: { $0 == number ? demand : nil }) { seen, columns in
            guard case .longs(let values)? = columns.values(0, of: demand) else {
                Issue.record("a column without values")
                return false
            }
            seen.columnCount += columns.ids.count
            for (id, value) in zip(columns.ids, values) {
                seen.add(id, Int64(bitPattern: value))
            }
            return true
        }
        let states = try access.scanConcurrently(
            store.entity, ids: ids, inOrder: false, objectCountMin: objectCountMin, columns: scan,
            { Seen() }
        ) { seen, batch in
            try batch.forEach { row, layout, id in
                seen.add(id, try RowView(row, try schemas.rowLayout(layout)).int64(code))
                return true
            }
        }
        var all = Seen()
        for state in states {
            for (id, code) in state.codes { all.add(id, code) }
            all.columnCount += state.columnCount
        }
        return all
    }

    private func codes(_ code: Int64) -> [UInt64: Int64] {
        Dictionary(uniqueKeysWithValues: (1...Self.count).map { ($0, code) })
    }

    @Test(arguments: [Int.max, 100])
    func `a second scan of the same pages reads columns`(objectCountMin: Int) throws {
        let store = try filled()
        let first = try scan(store, objectCountMin: objectCountMin)
        #expect(first.codes == codes(1) && first.columnCount == 0)
        let second = try scan(store, objectCountMin: objectCountMin)
        #expect(second.codes == codes(1) && second.columnCount == Int(Self.count))
        // Other columns of the same rows are added to the existing ones.
        let offset = RowColumn.null(field: 3)
        let third = try scan(store, also: [offset], objectCountMin: objectCountMin)
        #expect(third.codes == codes(1) && third.columnCount == 0)
        for also in [[], [offset]] {
            let fourth = try scan(store, also: also, objectCountMin: objectCountMin)
            #expect(fourth.codes == codes(1) && fourth.columnCount == Int(Self.count))
        }
        try store.closeProven()
    }

    @Test func `a scan of changed pages reads rows`() throws {
        let store = try filled()
        _ = try scan(store)
        let held = try store.engine.view()
        try put(store, [600], 2)
        var wanted = codes(1)
        wanted[600] = 2
        for isKnown in [false, true] {
            let seen = try scan(store)
            #expect(seen.codes == wanted)
            let rowCount = Int(Self.count) - seen.columnCount
            #expect(isKnown ? rowCount == 0 : (1...200).contains(rowCount))
            // The previous version has its own pages.
            let old = try scan(store, held)
            #expect(old.codes == codes(1) && old.columnCount == Int(Self.count))
        }
        _ = try store.engine.write { try $0.changes.remove(store.entity, 601) }
        wanted[601] = nil
        for _ in 0..<2 { #expect(try scan(store).codes == wanted) }
        #expect(try scan(store).columnCount == wanted.count)
        try store.closeProven()
    }

    @Test func `a range of ids selects parts of pages`() throws {
        let store = try filled()
        for ids in [1...1, 100...500, 170...1030, 1200...1300, 5000...UInt64.max] {
            let wanted = codes(1).filter { ids.contains($0.key) }
            for _ in 0..<2 { #expect(try scan(store, ids: ids).codes == wanted, "\(ids)") }
            _ = try scan(store)
        }
        try store.closeProven()
    }

    @Test(arguments: Seeds.first(4 * Seeds.rounds))
    func `versions stay unchanged during writes and compactions`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let store = try filled()
        var model = codes(1)
        var held: [(ReadView, [UInt64: Int64])] = []
        for round in 2..<40 as Range<Int64> {
            let ids = model.keys.sorted().filter { _ in
                Int.random(in: 0..<9, using: &generator) == 0
            }
            try put(store, ids, round)
            for id in ids { model[id] = round }
            if let id = ids.randomElement(using: &generator), round % 3 == 0 {
                _ = try store.engine.write { try $0.changes.remove(store.entity, id) }
                model[id] = nil
            }
            if round % 4 == 0 { held.append((try store.engine.view(), model)) }
            if round % 13 == 0 { _ = try store.engine.compact(.latest, sealsActive: true) }
            #expect(try scan(store).codes == model, "seed \(seed), round \(round)")
            guard let (view, before) = held.randomElement(using: &generator) else { continue }
            #expect(try scan(store, view).codes == before, "seed \(seed), round \(round)")
            if held.count > 3 { held.removeFirst() }
        }
        let last = try scan(store)
        #expect(last.codes == model && last.columnCount == model.count, "seed \(seed)")
        try store.closeProven()
    }

    @Test
    func
        `a scan without a cache budget reads rows, and one with a small budget reads some columns`()
        throws
    {
        // A page of 169 rows takes about 2,900 bytes here, and 16 shards share a quarter of the
        // budget.
        for (budget, isSome) in [(0, false), (16 * 4 * 3500, true)] {
            let store = try AccountStore(MemoryFileSystem(), indexes: []) {
                $0.log.frameCacheBudgetBytes = budget
            }
            for start in stride(from: 1, through: Self.count * 8, by: 400) {
                try put(store, start..<(start + 400), 1)
            }
            for _ in 0..<4 { #expect(try scan(store).codes.count == Int(Self.count) * 8) }
            let view = try store.engine.view()
            let seen = try scan(store, view)
            #expect(seen.columnCount < Int(Self.count) * 8 && (seen.columnCount > 0) == isSome)
            #expect((view.notes?.usedBytes ?? 0) <= view.noteBudgetBytes)
            try store.closeProven()
        }
    }

    @Test func `a page with rows of several layouts is read as rows`() throws {
        let store = try filled()
        _ = try scan(store)
        let fields = AccountStore.fields + [FieldDeclaration(name: "more", type: .bool)]
        let layout = try store.engine.register([
            EntityDeclaration(name: "Account", fields: fields)
        ])[0]
        var encoder = RowEncoder(RowLayout(layout))
        encoder.set(int64: 77, at: 1)
        encoder.finish()
        let row = encoder.row.array
        try store.engine.write { transaction in
            try transaction.changes.put(
                store.entity, 300, layout: layout.layoutID, row: row.span)
        }
        var wanted = codes(1)
        wanted[300] = 77
        for _ in 0..<3 {
            let seen = try scan(store)
            #expect(seen.codes == wanted)
            #expect(seen.columnCount < Int(Self.count) && seen.columnCount > 600)
        }
        try store.engine.close()
    }

    @Test func `damage at any place in the pages changes no result`() throws {
        let before = try filled()
        try before.engine.writeSnapshot()
        try before.engine.close()
        let path = try #require(fileSystem.paths("snapshot-").last)
        let length = try #require(fileSystem.contents[path]).count
        var mendedCount = 0
        for place in stride(from: 0, to: length, by: length / 40) {
            let files = fileSystem.afterKill(changing: path) { $0[place] ^= 0x40 }
            let store = try AccountStore(files, indexes: [])
            let view = try store.engine.view()
            for objectCountMin in [Int.max, 100] {
                let seen = try scan(store, view, objectCountMin: objectCountMin)
                #expect(seen.codes == codes(1), "byte \(place)")
            }
            if view.treesRebuiltSoFar != nil { mendedCount += 1 }
            try store.engine.close()
        }
        #expect(mendedCount > 0)
    }

    @Test func `an unreadable row is an error in each scan`() throws {
        let before = try filled()
        try before.engine.writeSnapshot()
        try before.engine.close()
        let path = try #require(fileSystem.paths("segment-").last)
        let files = fileSystem.afterKill(changing: path) { bytes in
            bytes[bytes.count / 2] ^= 1
        }
        let store = try AccountStore(files, indexes: [])
        let access = QueryAccess(try store.engine.view(), store.engine.schemas)
        for _ in 0..<3 {
            let error = #expect(throws: DaybookError.self) { try scan(store) }
            let plain = #expect(throws: DaybookError.self) {
                try access.scanBatches(store.entity) { _ in true }
            }
            #expect(error?.code == plain?.code && error?.code == .corruption)
        }
        try store.engine.close()
    }

    @Test func `a past version caches no columns, and a transaction sees its own changes`() throws {
        let store = try filled()
        try put(store, 1...Self.count, 2)
        let past = try store.engine.pastView(at: try store.engine.view().sequence - 1)
        for _ in 0..<2 {
            let seen = try scan(store, past)
            #expect(seen.codes == codes(1) && seen.columnCount == 0)
        }
        _ = try scan(store)
        try store.engine.write { transaction in
            try store.put(account(5, 9), id: 5, in: transaction)
            try store.engine.query { access in
                let states = try access.scanConcurrently(
                    store.entity, inOrder: false,
                    columns: ColumnScan<Int>(demand: { _ in
                        Issue.record("a transaction has no columns")
                        return nil
                    }) { _, _ in false }, { 0 }
                ) { count, batch in
                    count += batch.count
                    return true
                }
                #expect(states == [Int(Self.count)])
            }
        }
        try store.closeProven()
    }
}
