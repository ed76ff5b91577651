@testable import Daybook
import DaybookRealm
import DaybookRecords
import DaybookTestSupport
import DaybookTesting
import Foundation
import Testing

/// The order of `AnyRealmValue` in conditions, orders and indexes, compared with a model.
@Suite struct AnyValueOrderTests {
    /// Values in their order; each array contains equal values.
    private static let ordered: [[AnyRealmValue]] = [
        [.none], [.bool(false)], [.bool(true)], [.double(-.infinity), .float(-.infinity)],
        [.int(.min)], [.int(-1), .double(-1), .float(-1), .decimal128(-1)], [.double(-0.5)],
        [.int(0), .double(0), .float(-0.0), .decimal128(0)], [.float(0.1), .double(0.1)],
        [.int(1), .double(1), .decimal128(1)], [.int(2)], [.int(10), .float(10)],
        [.int(.max)], [.double(1e300)], [.double(.infinity)],
        [.double(.nan), .float(.nan), .decimal128(.nan)], [.string("")], [.string("A")],
        [.string("a")], [.string("a\0")], [.string("ab")], [.string("é")], [.data(Data())],
        [.data(Data([0]))], [.data(Data([0, 1]))], [.data(Data([255]))], [.date(.distantPast)],
        [.date(Date(timeIntervalSinceReferenceDate: 0.5))], [.date(.distantFuture)],
        [.objectId(ObjectId("0123456789abcdef01234567") ?? ObjectId())],
        [.uuid(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))],
        [.list([])], [.list([.int(1)]), .list([.double(1)])], [.list([.int(1), .none])],
        [.dictionary([:])], [.dictionary(["a": .int(1)])],
        [.dictionary(["a": .int(1), "b": .none])], [.dictionary(["a": .int(2)])],
    ]

    private typealias Comparison = (
        name: String,
        condition: (Property<Finding, AnyRealmValue>, AnyRealmValue) -> Condition<Finding>,
        isTrue: (Int, Int) -> Bool
    )

    private static var comparisons: [Comparison] {
        [
            ("==", { $0 == $1 }, ==), ("!=", { $0 != $1 }, !=), ("<", { $0 < $1 }, <),
            ("<=", { $0 <= $1 }, <=), (">", { $0 > $1 }, >), (">=", { $0 >= $1 }, >=),
        ]
    }

    private func filled() throws -> (Store, places: [Int]) {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Finding.self)
        let values = Self.ordered.enumerated().flatMap { place, values in
            values.map { (place, $0) }
        }
        var generator = SeededGenerator(seed: 1)
        let shuffled = values.shuffled(using: &generator)
        try store.box(for: Finding.self).put(shuffled.map { Finding($0.1) })
        return (store, shuffled.map(\.0))
    }

    @Test func `values of all types are compared, with and without an index`() throws {
        let (store, places) = try filled()
        let box = store.box(for: Finding.self)
        for (place, values) in Self.ordered.enumerated() {
            for value in values {
                for comparison in Self.comparisons {
                    let expected = places.indices.filter {
                        comparison.isTrue(places[$0], place)
                    }.map { UInt64($0 + 1) }
                    for property in [Finding.plain, Finding.indexed] {
                        let ids = try box.query(comparison.condition(property, value)).findIds()
                        #expect(
                            ids.map(\.objectId) == expected,
                            "\(property) \(comparison.name) \(value)")
                    }
                }
            }
        }
        try box.query(Finding.indexed == .double(1)).requireIndexed()
        try box.query(Finding.indexed < .string("b")).requireIndexed()
    }

    @Test func `objects are ordered by a value of any type, and it has a minimum`() throws {
        let (store, places) = try filled()
        let box = store.box(for: Finding.self)
        let byId = Dictionary(
            uniqueKeysWithValues: places.indices.map { (UInt64($0 + 1), places[$0]) })
        for property in [Finding.plain, Finding.indexed] {
            let ids = try box.query().ordered(by: property).findIds().map(\.objectId)
            #expect(ids.compactMap { byId[$0] } == places.sorted())
            let query = box.query().property(property)
            #expect(try query.min() == AnyRealmValue.none)
            #expect(try query.max() == Self.ordered.last?.first)
            #expect(try query.distinct().count() == Self.ordered.count)
        }
        let some = try box.query(Finding.indexed.isIn([.int(10), .string("a"), .none])).count()
        #expect(some == 4)
    }

    @Test func `a text query compares such a property with constants`() throws {
        let (store, _) = try filled()
        for (text, count) in [
            ("Finding where indexed == 1", 3), ("Finding where plain == 1.0", 3),
            ("Finding where plain == true", 1), ("Finding where indexed == 'ab'", 1),
            ("Finding where indexed == nil", 1), ("Finding where plain in (0, 'a', nil)", 6),
            ("Finding where plain between 0 and 1", 9), ("Finding where not indexed < 'ab'", 19),
        ] {
            #expect(try store.query(text).count() == count, "\(text)")
        }
    }

    @Test func `the constant of a comparison may come first`() throws {
        let (store, places) = try filled()
        let two = try #require(Self.ordered.firstIndex { $0 == [.int(2)] })
        let (less, greater) = (places.count { $0 < two }, places.count { $0 > two })
        for property in ["plain", "indexed"] {
            #expect(try store.query("Finding where 2 < \(property)").count() == greater)
            #expect(try store.query("Finding where 2 >= \(property)").count() == less + 1)
            #expect(try store.query("Finding where 2 == \(property)").count() == 1)
        }
    }

    @Test func `an index with truncated values of any type gives the right extremes`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Finding.self)
        let box = store.box(for: Finding.self)
        let long = String(repeating: "a", count: IndexKey.lengthMax)
        try box.put(["2", "1"].map { Finding(.string(long + $0)) })
        let query = box.query().property(Finding.indexed)
        #expect(try query.min() == .string(long + "1"))
        #expect(try query.max() == .string(long + "2"))
    }

    @Test func `no value is nil, also at the end of a relation`() throws {
        let store = try Store(
            directoryPath: "memory:\(UUID())", entities: Label.self, Finding.self)
        for (index, finding) in [nil, Finding(.none), Finding(.int(7))].enumerated() {
            let label = Label()
            label.value = .int(index)
            label.finding.target = finding
            try store.box(for: Label.self).put(label)
        }
        for (text, count) in [
            ("finding.plain == nil", 2), ("finding.plain != nil", 1), ("finding.plain > 6", 1),
            ("finding.indexed == nil", 2), ("value == nil", 0),
        ] {
            #expect(try store.query("Label where " + text).count() == count, "\(text)")
        }
    }

    @Test func `numbers of different types are the same value of a unique property`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Label.self, Finding.self)
        let box = store.box(for: Label.self)
        for value in [.int(1), .string("1"), .bool(true), .double(1.5)] as [AnyRealmValue] {
            let label = Label()
            label.value = value
            try box.put(label)
        }
        let label = Label()
        label.value = .double(1)
        expectError(.uniqueViolation) { try box.put(label) }
        #expect(try box.count() == 4)
    }

    @Test func `a property that was added later has no value`() throws {
        let directory = TemporaryDirectory()
        var store = try Store(directory: directory.url, entities: EarlierFinding.self)
        let earlier = EarlierFinding()
        earlier.plain = .int(7)
        try store.box(for: EarlierFinding.self).put(earlier)
        try store.close()
        store = try Store(directory: directory.url, entities: Finding.self)
        let box = store.box(for: Finding.self)
        let finding = try #require(try box.all().first)
        #expect(finding.plain == .int(7) && finding.indexed == .none)
        #expect(try box.query(Finding.indexed == .none).count() == 1)
        #expect(try box.query(Finding.indexed < .int(0)).count() == 1)
        #expect(try box.query().property(Finding.indexed).find() == [.none])
    }
}
