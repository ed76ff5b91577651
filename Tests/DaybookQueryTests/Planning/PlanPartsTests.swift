import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import DaybookTesting
import DaybookTestSupport
import Testing

/// The parts of plans, tested separately. A failure prints its seed.
@Suite struct PlanPartsTests {
    @Test(arguments: Seeds.first(20))
    func `the first objects in an order equal those of a complete sort`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let entries = (0..<200).map { id in
            (
                key: [UInt8](
                    repeating: UInt8.random(in: 0..<4, using: &generator),
                    count: Int.random(in: 0..<3, using: &generator)), id: UInt64(id)
            )
        }.shuffled(using: &generator)
        let wanted = entries.sorted { one, other in
            one.key == other.key
                ? one.id < other.id : one.key.lexicographicallyPrecedes(other.key)
        }.map(\.id)
        for limit in [nil, 0, 1, 7, 200, 300] {
            var sort = RowSort(limit: limit)
            // Also as parts of a scan that are merged.
            for part in [entries[..<50], entries[50...]] {
                var partSort = RowSort(limit: limit)
                for entry in part { partSort.insert(entry.key, entry.id) }
                sort.insert(partSort)
            }
            let ids = sort.ids()
            #expect(
                ids == Array(wanted.prefix(limit ?? .max)), "seed \(seed), limit \(limit ?? -1)")
        }
    }

    @Test(arguments: Seeds.first(20))
    func `sorted ids behave like sets`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func ids(_ count: Int) -> [UInt64] {
            (0..<count).map { _ in UInt64.random(in: 0..<300, using: &generator) }
        }
        for (one, other) in [(10, 10), (3, 200), (200, 5), (0, 4), (4, 0), (150, 150)] {
            let (left, right) = (ids(one), ids(other))
            let (a, b) = (left.ascending(), right.ascending())
            #expect(a == Set(left).sorted(), "seed \(seed)")
            #expect(a.common(with: b) == Set(left).intersection(right).sorted(), "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.first(20))
    func `many ids are sorted, dense or sparse`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for width: UInt64 in [0, 1, 7, 8, 9, 16, 31, 32, 33, 63] {
            let least = UInt64.random(in: 0...(.max >> 1), using: &generator)
            let count = Int.random(in: 250...700, using: &generator)
            let ids = (0..<count).map { _ in
                least + UInt64.random(in: 0...(1 << width - 1), using: &generator)
            }
            #expect(ids.inOrder() == ids.sorted(), "seed \(seed), width \(width)")
        }
    }

    @Test(arguments: Seeds.first(20))
    func `spans of keys behave like sets of keys`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func key() -> [UInt8] {
            [
                UInt8.random(in: 0...1, using: &generator),
                UInt8.random(in: 0..<20, using: &generator),
            ]
        }
        func spans() -> [KeySpan] {
            (0..<3).compactMap { _ in
                let (one, other) = (key(), key())
                guard one != other else { return nil }
                let isSwapped = one.isBehind(other)
                return KeySpan(
                    from: isSwapped ? other : one, before: isSwapped ? one : other, isPoint: false)
            }
        }
        func isIn(_ key: [UInt8], _ spans: [KeySpan]) -> Bool {
            spans.contains { !$0.from.isBehind(key) && $0.before.isBehind(key) }
        }
        let (left, right) = (spans(), spans())
        let (a, b) = (left.merged(), right.merged())
        for spans in [a, b, a.intersection(b), a.complement()] {
            for (one, next) in zip(spans, spans.dropFirst()) {
                #expect(!one.before.isBehind(next.from), "seed \(seed): in order and apart")
            }
        }
        for first in UInt8(0)...1 {
            for second in UInt8(0)...20 {
                let key = [first, second]
                #expect(isIn(key, a) == isIn(key, left), "seed \(seed): \(key)")
                #expect(
                    isIn(key, a.intersection(b)) == (isIn(key, left) && isIn(key, right)),
                    "seed \(seed): \(key)")
                #expect(isIn(key, a.complement()) == !isIn(key, left), "seed \(seed): \(key)")
            }
        }
    }

    @Test func `the prefix of a pattern is literal`() {
        for (pattern, start) in [
            ("abc*", "abc"), ("a?c", "a"), ("*x", ""), ("a\\*b*", "a*b"), ("abc", "abc"),
            ("a\\", "a\\"), ("", ""),
        ] {
            #expect(LikePattern(pattern).literalStart == start, "\(pattern)")
        }
    }

    @Test func `bounds that a property cannot represent become the adjacent values`() throws {
        let float = IndexColumn(
            type: .float, isOptional: false, isFolded: false, spanCountMax: 4096)
        func keys(_ column: IndexColumn, _ value: QueryValue, _ isLower: Bool) throws -> KeySpan {
            let bound = QueryBound(value, isInclusive: true)
            let fitted = ValueFit(column.type).range(isLower ? bound : nil, isLower ? nil : bound)
            let test = ColumnTest.range(lower: fitted.lower, upper: fitted.upper)
            return try #require(column.keys(test)?.spans.first)
        }
        func point(_ column: IndexColumn, _ value: QueryValue) throws -> KeySpan {
            try #require(column.keys(.equal(value))?.spans.first)
        }
        let below = try point(float, .number(Double(Float(0.1).nextDown)))
        let tenth = try point(float, .number(Double(Float(0.1))))
        // As a Float, 0.1 is slightly larger than 0.1.
        #expect(try keys(float, .number(0.1), false).before == below.before)
        #expect(try keys(float, .number(0.1), true).from == below.before)
        #expect(below.before <= tenth.from)
        // No range contains NaN.
        let infinite = try point(float, .number(.infinity))
        #expect(try keys(float, .number(0), true).before == infinite.before)
    }

    @Test func `a blocking query ignores that its task was cancelled`() async throws {
        let store = try PeopleStore([])
        try store.fill(5000)
        let runner = try store.runner(QueryDefinition(.equal("price", .decimal("3.5"))))
        let expected = try store.engine.query { try runner.ids($0) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try store.engine.query { try runner.ids($0) }
        }
        #expect(try await task.value == expected)
    }
}

extension [UInt8] {
    fileprivate static func <= (one: [UInt8], other: [UInt8]) -> Bool { !one.isBehind(other) }
}

@Suite struct GatheredIdsTests {
    @Test func `repeated ids take no memory`() {
        var ids = GatheredIds()
        var heldMost = 0
        for round in 0..<2_000 {
            ids.add((0..<100).map { UInt64(($0 * 37 + round) % 1000) })
            heldMost = max(heldMost, ids.heldCount)
        }
        #expect(heldMost <= GatheredIds.countMin + 100)
        #expect(ids.ascending() == Array(0..<1000))
    }

    @Test func `ids that differ are all kept`() {
        var ids = GatheredIds()
        let count = 3 * GatheredIds.countMin
        for start in stride(from: count, to: 0, by: -512) {
            ids.add((0..<512).map { UInt64(start - $0) })
        }
        let found = ids.ascending()
        #expect(found.count == count && found.first == 1 && found.last == UInt64(count))
    }
}
