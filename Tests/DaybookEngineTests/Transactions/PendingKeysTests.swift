import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// The pending changes of a transaction within a range of index keys.
@Suite struct PendingKeysTests {
    private func account(_ code: Int64, city: String = "city") -> Account {
        Account(email: "mail-\(code)", code: code, city: city, level: 1)
    }

    private func key(_ code: Int64) -> [UInt8] {
        var probe = IndexProbe()
        var writer = ByteWriter(capacity: 8)
        writer.uint64(UInt64(bitPattern: code))
        probe.append(writer.span, .int64)
        return probe.bytes
    }

    private func index(
        _ form: (IndexPlan.Index.Form) -> Bool, _ column: Int, _ access: QueryAccess,
        _ entity: UInt32
    ) throws -> IndexPlan.Index {
        try #require(
            try access.indexes(of: entity).first { form($0.form) && $0.columns == [column] })
    }

    private func isUnique(_ form: IndexPlan.Index.Form) -> Bool {
        if case .unique = form { true } else { false }
    }

    private func isHashed(_ form: IndexPlan.Index.Form) -> Bool {
        if case .hashed = form { true } else { false }
    }

    @Test
    func `a query between the puts of a transaction receives only matching changes`()
        throws
    {
        let store = try AccountStore(MemoryFileSystem())
        try store.engine.write { transaction in
            for code in Int64(1)...2000 {
                let id = try store.put(account(code), in: transaction)
                try store.engine.query { access in
                    let index = try index(isUnique, 1, access, store.entity)
                    let found = try access.unlisted(
                        store.entity, in: index, from: key(code), before: key(code + 1))
                    #expect(found == [id])
                    #expect(try !access.isTruthful(index, of: store.entity))
                }
            }
        }
        try store.engine.query { access in
            let index = try index(isUnique, 1, access, store.entity)
            #expect(try access.isTruthful(index, of: store.entity))
            #expect(
                try access.unlisted(store.entity, in: index, from: key(1), before: key(9)) == [])
        }
        try store.closeProven()
    }

    @Test func `a lookup is repeated after changes are rolled back`() throws {
        let store = try AccountStore(MemoryFileSystem())
        try store.engine.write { transaction in
            func found(_ code: Int64) throws -> [UInt64] {
                try store.engine.query { access in
                    try access.unlisted(
                        store.entity, in: try index(isUnique, 1, access, store.entity),
                        from: key(code), before: key(code + 1))
                }
            }
            _ = try store.put(account(1), in: transaction)
            #expect(try found(1).count == 1)
            let mark = transaction.savepoint()
            for code in Int64(2)...9 { _ = try store.put(account(code), in: transaction) }
            #expect(try found(5).count == 1)
            transaction.roll(backTo: mark)
            #expect(try found(1).count == 1)
            var rows = 0
            try store.engine.query { access in
                try access.scan(store.entity) { _, _, _ in
                    rows += 1
                    return true
                }
            }
            #expect(rows == 1)
            let id = try store.put(account(10), in: transaction)
            #expect(try found(10) == [id])
        }
        try store.closeProven()
    }

    @Test func `keys are found among many earlier and later keys`() {
        var keys = PendingKeys()
        var generator = SeededGenerator(seed: 1)
        var known: [UInt8: Set<UInt64>] = [:]
        for id in UInt64(1)...2000 {
            let byte = UInt8.random(in: 0...255, using: &generator)
            known[byte, default: []].insert(id)
            keys.add([byte], id)
            keys.catchUp(with: Int(id))
            guard id % 50 == 0 else { continue }
            let low = UInt8.random(in: 0...255, using: &generator)
            #expect(Set(keys.ids(from: [low], before: [low, 0])) == known[low] ?? [])
            let all = known.filter { $0.key >= low }.values.reduce(into: []) { $0 += $1 }
            #expect(keys.ids(from: [low], before: nil).sorted() == all.sorted())
        }
    }

    @Test(arguments: Seeds.first(4))
    func `no change is missed, after any puts, removals and rollbacks`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let store = try AccountStore(MemoryFileSystem())
        try store.engine.write { transaction in
            for code in Int64(1)...100 { try store.put(account(code), in: transaction) }
        }
        try store.engine.write { transaction in
            var codes: [UInt64: Int64] = [:]
            var free: Int64 = 1000
            for _ in 0..<60 {
                let savepoint = transaction.savepoint()
                let before = codes
                for _ in 0..<Int.random(in: 1...40, using: &generator) {
                    free += 1
                    let known = UInt64.random(in: 1...100, using: &generator)
                    if Bool.random(using: &generator) {
                        let city = "city-\(free % 7)"
                        let id = try store.put(
                            account(free, city: city),
                            id: Bool.random(using: &generator) ? 0 : known,
                            mode: .put, in: transaction)
                        codes[id] = free
                    } else if try transaction.changes.remove(store.entity, known) {
                        codes[known] = nil
                    }
                }
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    transaction.roll(backTo: savepoint)
                    codes = before
                }
                let from = Int64.random(in: 1000...free, using: &generator)
                let range = from...(from + 40)
                let city = "city-\(from % 7)"
                try store.engine.query { access in
                    let index = try index(isUnique, 1, access, store.entity)
                    let found = try access.unlisted(
                        store.entity, in: index, from: key(range.lowerBound),
                        before: key(range.upperBound + 1))
                    let expected = codes.filter { range.contains($0.value) }.keys
                    #expect(Set(found).isSuperset(of: expected), "seed \(seed)")
                    #expect(found == found.sorted() && Set(found).count == found.count)

                    var probe = IndexProbe()
                    probe.append(Array(city.utf8).span, .string)
                    let hashed = try self.index(isHashed, 2, access, store.entity)
                    let hash = QueryAccess.key(ofHash: probe.hash)
                    let there = try access.unlisted(
                        store.entity, in: hashed, from: hash, before: hash + [0])
                    let inCity = codes.filter { "city-\($0.value % 7)" == city }.keys
                    #expect(Set(there).isSuperset(of: inCity), "seed \(seed)")
                    // For a changed object, the index entries are not valid.
                    let listed = try access.listed(Array(1...100), of: store.entity, in: index)
                    #expect(Set(listed).isDisjoint(with: codes.keys), "seed \(seed)")
                }
            }
        }
        try store.closeProven()
    }
}
