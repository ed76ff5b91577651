import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Testing

/// The state that a query sees, and the indexes that it may use there.
@Suite struct QueryAccessStateTests {
    private let fileSystem = MemoryFileSystem()

    private func account(_ number: Int64) -> Account {
        Account(email: "mail-\(number)", code: number, city: "city", level: 1)
    }

    private func filled(
        _ count: Int64, indexes: [IndexDeclaration] = AccountStore.all,
        _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> AccountStore {
        let store = try AccountStore(fileSystem, indexes: indexes, change)
        try store.engine.write { transaction in
            for number in 1...count { try store.put(account(number), in: transaction) }
        }
        return store
    }

    @Test func `an index is used once it contains all objects`() throws {
        try filled(40, indexes: []).engine.close()
        let store = try AccountStore(fileSystem)
        // Unique indexes are built with the declaration; the others in the background.
        let early = try store.engine.view()
        func forms(_ view: ReadView) throws -> [Bool] {
            try QueryAccess(view, store.engine.schemas).indexes(of: store.entity)
                .map { $0.form == .unique }
        }
        #expect(try forms(early) == [true, true])
        #expect(try store.engine.buildIndexSlice(limit: 30))
        #expect(try forms(store.engine.view()) == [true, true])
        while try store.engine.buildIndexSlice(limit: 30) {}
        #expect(try forms(store.engine.view()).count == 4)
        #expect(try forms(early) == [true, true])
        // A past version has today's indexes, except unique ones that were added later.
        for way in [PastWay.rewind, .replay] {
            let past = try store.engine.pastView(at: 2, by: way)
            #expect(try forms(past) == [false, false])
            #expect(try past.count(store.entity) == 40)
        }
        try store.closeProven()
    }

    @Test func `a transaction that changes the schema uses no index`() throws {
        let store = try filled(5)
        try store.engine.write { transaction in
            let count = { try store.engine.query { try $0.indexes(of: store.entity).count } }
            #expect(try count() == 4)
            var layout = store.layout
            layout.layoutID = 900
            layout.version += 1
            let savepoint = transaction.savepoint()
            try transaction.changes.define(layout)
            #expect(try count() == 0)
            transaction.roll(backTo: savepoint)
            #expect(try count() == 4)
        }
        #expect(try store.engine.query { try $0.indexes(of: 77).count } == 0)
        try store.closeProven()
    }

    @Test func `objects that an index could not read are reported as missing in it`() throws {
        let before = try filled(30, indexes: [])
        try before.engine.writeSnapshot()
        try before.engine.close()
        let path = try #require(fileSystem.paths("segment-").last)
        let text = Array("mail-15".utf8)
        let files = fileSystem.afterKill(changing: path) { bytes in
            let place = bytes.indices.first { bytes[$0...].starts(with: text) }
            bytes[place ?? 0] ^= 1
        }
        let store = try AccountStore(files)
        while try store.engine.buildIndexSlice(limit: 7) {}
        try store.engine.query { access in
            for index in try access.indexes(of: store.entity) {
                #expect(try access.unlisted(store.entity, in: index) == Array(1...30))
            }
        }
        try store.engine.write { transaction in
            for id in UInt64(3)...30 { _ = try transaction.changes.remove(store.entity, id) }
            try store.engine.query { access in
                let index = try #require(try access.indexes(of: store.entity).first)
                #expect(try access.unlisted(store.entity, in: index) == Array(1...30))
                #expect(try access.scope.count(store.entity) == 2)
            }
        }
        try store.engine.query { access in
            let indexes = try access.indexes(of: store.entity)
            #expect(indexes.count == 4)
            for index in indexes {
                #expect(try access.unlisted(store.entity, in: index) == [1, 2])
            }
        }
        try store.engine.close()
    }

    @Test func `a scan returns the state at its beginning, whatever its closure changes`() throws {
        let store = try filled(300)
        try store.engine.write { transaction in
            _ = try transaction.changes.remove(store.entity, 7)
            try store.put(account(3000), id: 8, in: transaction)
            try store.put(account(3001), in: transaction)
            let savepoint = transaction.savepoint()
            try store.engine.query { access in
                var codes: [UInt64: Int64] = [:]
                try access.scan(store.entity) { row, layout, id in
                    codes[id] = try store.account(of: row, layout).code
                    if id == 1 {
                        transaction.roll(backTo: savepoint)
                        for other in UInt64(2)...200 where other % 3 == 0 {
                            _ = try transaction.changes.remove(store.entity, other)
                        }
                        for other in UInt64(2)...200 where other % 3 == 1 && other != 7 {
                            try store.put(
                                account(5000 + Int64(other)), id: other, in: transaction)
                        }
                        for number in Int64(6000)...6100 {
                            try store.put(account(number), in: transaction)
                        }
                        // A query within the query sees all these changes.
                        #expect(try access.scope.count(store.entity) == 300 + 101 - 66)
                        var count = 0
                        try access.scan(store.entity) { _, _, _ in
                            count += 1
                            return true
                        }
                        #expect(count == 300 + 101 - 66)
                    }
                    return true
                }
                var wanted: [UInt64: Int64] = [:]
                for id in UInt64(1)...300 where id != 7 { wanted[id] = Int64(id) }
                wanted[8] = 3000
                wanted[301] = 3001
                #expect(codes == wanted)
            }
        }
        try store.closeProven()
    }

    @Test func `objects fetched by id have the state of the transaction, or of its beginning`()
        throws
    {
        let store = try filled(100)
        try store.engine.write { transaction in
            try store.engine.query { access in
                _ = try transaction.changes.remove(store.entity, 3)
                try store.put(account(900), id: 5, in: transaction)
                let added = try store.put(account(901), in: transaction)
                var codes: [Int64] = []
                try access.forEachRow(store.entity, [added, 2, 3, 4, 5, 6, 999, 5]) {
                    codes.append(try store.account(of: $0, $1).code)
                    if $2 == 4 { _ = try transaction.changes.remove(store.entity, 50) }
                    return codes.count < 6
                }
                #expect(codes == [901, 2, 4, 900, 6, 900])
                #expect(try access.scope.rows(store.entity, [50, 5, 3]).map(\.id) == [5])
            }
        }
        try store.closeProven()
    }

    @Test(arguments: Seeds.first(6))
    func `objects whose rows are scattered over frames are all returned`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let budget = [0, 4 << 10, 64 << 20].randomElement(using: &generator) ?? 0
        let store = try filled(3000, indexes: []) {
            $0.framePayloadBytes = 1 << 10
            $0.log.frameCacheBudgetBytes = budget
        }
        var codes: [UInt64: Int64] = [:]
        for id in UInt64(1)...3000 { codes[id] = Int64(id) }
        try store.engine.write { transaction in
            for id in (UInt64(1)...3000).shuffled(using: &generator).prefix(2500) {
                if Int.random(in: 0..<5, using: &generator) == 0 {
                    _ = try transaction.changes.remove(store.entity, id)
                    codes[id] = nil
                } else {
                    try store.put(account(10_000 + Int64(id)), id: id, in: transaction)
                    codes[id] = 10_000 + Int64(id)
                }
            }
        }
        let ids = codes.keys.sorted()
        try store.engine.query { access in
            var orders: [[UInt64]] = []
            for inOrder in [true, false] {
                var found: [UInt64: Int64] = [:]
                var order: [UInt64] = []
                try access.scan(store.entity, inOrder: inOrder) { row, layout, id in
                    order.append(id)
                    found[id] = try store.account(of: row, layout).code
                    return true
                }
                #expect(found == codes, "seed \(seed)")
                orders.append(order)
                let parts = try access.scanRowsConcurrently(
                    store.entity, inOrder: inOrder, objectCountMin: 100, { [UInt64]() }
                ) { ids, _, _, id in
                    ids.append(id)
                    return true
                }
                let together = parts.flatMap { $0 }
                #expect(parts.count > 3)
                #expect(inOrder ? together == ids : together.sorted() == ids, "seed \(seed)")
            }
            #expect(orders[0] == ids && orders[1] != ids && orders[1].sorted() == ids)
            let asked = ids.shuffled(using: &generator)
            var order: [UInt64] = []
            try access.forEachRow(store.entity, asked) { row, layout, id in
                order.append(id)
                return try store.account(of: row, layout).code == codes[id]
            }
            #expect(order == asked, "seed \(seed)")
        }
        try store.engine.close()
    }

    @Test func `several threads stop when one is done, and rethrow the error of one`() throws {
        let store = try filled(4000)
        try store.engine.query { access in
            let some = try access.scanRowsConcurrently(
                store.entity, ids: 100...3900, objectCountMin: 10, { [UInt64]() }
            ) { ids, _, _, id in
                ids.append(id)
                return ids.count < 20
            }
            #expect(some.count > 2 && some.contains { $0.count == 20 })
            #expect(some.allSatisfy { $0.count <= 20 && $0.allSatisfy { $0 >= 100 && $0 <= 3900 } })
            #expect(throws: Refusal(number: 7)) {
                _ = try access.scanRowsConcurrently(store.entity, objectCountMin: 10, { 0 }) {
                    if $3 == 2222 { throw Refusal(number: 7) }
                    return $2 > 0
                }
            }
            #expect(throws: Refusal(number: 8)) {
                _ = try access.scanRowsConcurrently(
                    store.entity, objectCountMin: 10, { throw Refusal(number: 8) }
                ) { (_: inout Int, _, _, _) in true }
            }
            let few = try access.scanRowsConcurrently(store.entity, { 0 }) { count, _, _, _ in
                count += 1
                return true
            }
            #expect(few == [4000])
            #expect(throws: Refusal()) {
                try access.scan(store.entity) { _, _, _ in throw Refusal() }
            }
        }
        // Only its own thread may read the state of a transaction.
        try store.engine.write { transaction in
            _ = try transaction.changes.remove(store.entity, 9)
            try store.engine.query { access in
                let found = try access.scanRowsConcurrently(store.entity, objectCountMin: 10, { 0 })
                {
                    count, _, _, _ in
                    count += 1
                    return true
                }
                #expect(found == [3999])
            }
        }
        try store.closeProven()
    }

    @Test func `a closed store and an ended transaction throw`() throws {
        let store = try filled(10)
        let held = QueryAccess(try store.engine.view(), store.engine.schemas)
        var over: QueryAccess?
        try store.engine.write { _ in try store.engine.query { over = $0 } }
        let entity = store.entity
        let index = try #require(try held.indexes(of: entity).first)
        func expectRefusals(_ access: QueryAccess, _ code: DaybookError.Code) {
            expectError(code) { try access.scan(entity) { _, _, _ in true } }
            expectError(code) { try access.forEachRow(entity, [1]) { _, _, _ in true } }
            expectError(code) { _ = try access.indexes(of: entity) }
            expectError(code) { _ = try access.unlisted(entity, in: index) }
            expectError(code) { _ = try access.count(index, from: [], before: nil) }
            expectError(code) {
                try access.forEachId(index, from: [], before: nil, isDescending: false) { _ in true
                }
            }
        }
        expectRefusals(try #require(over), .closed)
        try store.engine.close()
        expectError(.closed) { try store.engine.query { _ in } }
    }
}
