@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct QuerySumTests {
    @Test func `a property query returns values, counts and sums`() throws {
        let store = try ItemStore()
        let all = store.box.query()
        let items = store.items
        #expect(try all.property(Item.size).find() == items.map(\.size))
        #expect(try all.property(\.nick).find() == items.compactMap(\.nick))
        #expect(try all.property(\.nick).count() == items.compactMap(\.nick).count)
        #expect(
            try Set(all.property(\.nick).distinct().find()) == Set(items.compactMap(\.nick)))
        #expect(
            try all.property(\.nick).distinct(caseSensitive: false).count()
                == Set(items.compactMap { $0.nick?.lowercased() }).count)
        #expect(
            try all.property(\.nick).with(nullValue: "none").find()
                == items.map { $0.nick ?? "none" })
        #expect(try all.property(\.size).sum() == items.reduce(0) { $0 + Int($1.size) })
        #expect(try all.property(\.size).min() == items.map(\.size).min())
        #expect(try all.property(\.size).max() == items.map(\.size).max())
        let mean = Double(items.reduce(0) { $0 + Int($1.size) }) / Double(items.count)
        #expect(try all.property(\.size).average() == mean)
        #expect(try all.property(\.price).sum() == items.reduce(0) { $0 + $1.price })
        #expect(try all.property(\.level).find() == items.map(\.level))
        #expect(try all.property(\.temper).find() == items.compactMap(\.temper))
        #expect(try all.property(\.made).max() == items.map(\.made).max())
        #expect(try all.property(\.home.city).find() == items.map(\.home.city))
        #expect(try all.property(\.tags.count).sum() == items.reduce(0) { $0 + $1.tags.count })
        #expect(
            try all.ordered(by: \.size, flags: .descending).property(\.size).findFirst()
                == items.map(\.size).max())
        #expect(try all.property(\.id).find() == items.map(\.id))
        #expect(try all.property(\.isOpen).distinct().count() == 2)
        #expect(try all.property(\.note).find() == items.compactMap(\.note))
        #expect(try all.property(\.site).find() == items.compactMap(\.site))
        #expect(try all.property(\.home).find() == items.map(\.home))
        #expect(try all.property(\.tags).find() == items.map(\.tags))
        #expect(try all.property(\.shades).find() == items.map(\.shades))
        #expect(try all.property(\.points).find() == items.compactMap(\.points))
        #expect(try all.property(\.data).find() == items.compactMap(\.data))
        #expect(try all.property(\.seen).find() == items.compactMap(\.seen))
        #expect(try all.property(\.url).find() == items.compactMap(\.url))
        expectError(.invalidArgument) { _ = try all.property(\.color).find() }
        #expect(
            try all.property(Item.color.stored(as: Int.self)).find()
                == items.map { Item.number($0.color) })
    }

    @Test func `for an empty result the count and the sum are 0, and the rest is nil`() throws {
        let store = try ItemStore()
        let none = store.box.query { $0.size > 100 }
        #expect(try none.property(\.weight).count() == 0)
        #expect(try none.property(\.weight).sum() == 0)
        #expect(try none.property(\.weight).min() == nil)
        #expect(try none.property(\.weight).max() == nil)
        #expect(try none.property(\.weight).average() == nil)
        #expect(try none.property(\.weight).find().isEmpty)
        #expect(try none.property(\.weight).findUnique() == nil)
    }

    @Test func `minimum and maximum ignore NaN`() throws {
        let store = try ItemStore()
        let weights = store.items.compactMap(\.weight).filter { !$0.isNaN }
        let all = store.box.query().property(\.weight)
        #expect(try all.min() == weights.min())
        #expect(try all.max() == weights.max())
    }

    @Test func `a unique value is found, and several values are an error`() throws {
        let store = try ItemStore()
        #expect(try store.box.query { $0.id == 3 }.property(\.size).findUnique() == -3)
        let error = #expect(throws: DaybookError.self) {
            try store.box.query { $0.id < 3 }.property(\.size).findUnique()
        }
        #expect(error?.code == .nonUniqueResult)
        let found = store.box.query { $0.name == "Bob" }.property(\.name).distinct()
        #expect(try found.findUnique() == "Bob")
    }

    @Test func `a sum that overflows its type is an error`() throws {
        let store = try Store(
            directoryPath: "memory:sums-\(UUID().uuidString)", entities: Memo.self)
        let box = store.box(for: Memo.self)
        try box.put([Memo(text: "", stars: .max), Memo(text: "", stars: 1)])
        let stars = box.query().property(\.stars)
        let error = #expect(throws: DaybookError.self) { try stars.sum() }
        #expect(error?.code == .overflow)
        #expect(try stars.sum(as: Decimal.self) == Decimal(Int.max) + 1)
        #expect(try stars.max() == .max)
    }

    @Test func `a sum has the requested type if that type can hold it`() throws {
        let store = try ItemStore()
        let all = store.box.query()
        let price = store.items.reduce(0) { $0 + $1.price }
        #expect(
            try all.property(\.price).sum(as: Double.self) == (price as NSDecimalNumber).doubleValue
        )
        #expect(try all.property(\.price).sum(as: Float.self) > 0)
        let size = store.items.reduce(0) { $0 + Int($1.size) }
        #expect(try all.property(\.size).sum(as: Double.self) == Double(size))
        #expect(try all.property(\.size).sum(as: Int16.self) == Int16(size))
        let halves = store.box.query { $0.weight == 0.5 }
        #expect(try halves.limit(2).property(\.weight).sum(as: Int.self) == 1)
        expectError(.overflow) { _ = try halves.limit(1).property(\.weight).sum(as: Int.self) }
        expectError(.invalidArgument) { _ = try all.property(\.price).sum(as: Int.self) }
    }

    @Test func `a property query does not convert stored values to another type`() throws {
        let store = try ItemStore()
        let all = store.box.query()
        func refuse<Value, Other: PropertyValue>(
            _ property: Property<Item, Value>, as type: Other.Type
        ) {
            let other = property.stored(as: type)
            expectError(.invalidArgument) { _ = try all.property(other).find() }
            expectError(.invalidArgument) { _ = try all.groups(by: other).find(.count) }
            expectError(.invalidArgument) { _ = try all.sections(by: other) }
        }
        refuse(Item.name, as: Int.self)
        refuse(Item.name, as: [UInt8].self)
        refuse(Item.size, as: String.self)
        refuse(Item.size, as: Bool.self)
        refuse(Item.size, as: Date.self)
        refuse(Item.made, as: Int.self)
        refuse(Item.key, as: Int.self)
        refuse(Item.tags, as: Int.self)
        refuse(Item.tags, as: String.self)
        refuse(Item.isOpen, as: String.self)
        refuse(Item.price, as: String.self)
        #expect(try all.property(Item.size.stored(as: Int8.self)).find().count == 60)
    }

    @Test func `groups have their keys and the aggregates of their objects`() throws {
        let store = try ItemStore()
        let all = store.box.query()
        let groups = try all.groups(by: \.nick).find(.count, .sum(\.size), .max(\.weight))
        let expected = Dictionary(grouping: store.items, by: \.nick)
        #expect(groups.count == expected.count)
        #expect(groups.first?.key == .some(nil))
        for (nick, (count, sum, heaviest)) in groups {
            let items = try #require(expected[nick])
            #expect(count == items.count)
            #expect(sum == items.reduce(0) { $0 + Int($1.size) })
            #expect(heaviest == items.compactMap(\.weight).filter { !$0.isNaN }.max())
        }
        let levels = try all.groups(by: \.level, \.isOpen).find(.count)
        #expect(levels.count == 6)
        #expect(levels.allSatisfy { $0.values == 10 })
        #expect(Set(levels.map(\.key.0)) == Set(Level.allCases))
    }

    @Test func `groups are filtered and ordered by their aggregates`() throws {
        let store = try ItemStore()
        let all = store.box.query()
        let sizes = Dictionary(grouping: store.items, by: \.name).mapValues {
            $0.reduce(0) { $0 + Int($1.size) }
        }
        let found = try all.groups(by: \.name).having { $0.sum(\.size) > 0 && $0.count >= 2 }
            .ordered(by: { $0.sum(\.size) }, flags: .descending).limit(3).find(.sum(\.size))
        let best = sizes.filter { $0.value > 0 }.sorted {
            ($1.value, Array($0.key.utf8).map(Int.init)) < (
                $0.value, Array($1.key.utf8).map(Int.init)
            )
        }
        #expect(found.map(\.values) == best.prefix(3).map(\.value))
        #expect(try all.groups(by: \.name).having { !($0.count > 0) }.find(.count).isEmpty)
        #expect(try all.groups(by: \.name).having { $0.max(\.weight) == nil }.find().isEmpty)
        let page = try all.groups(by: \.level).offset(1).limit(1).find(.average(\.size))
        #expect(page.map(\.key) == [.middle])
        // The objects of the lowest level have no nickname.
        let bare = try all.groups(by: \.level)
            .ordered(by: { $0.max(\.nick) }, flags: [.descending, .nullsLast]).find(.max(\.nick))
        let named = bare.map(\.values)
        #expect(named == named.sorted { ($0 ?? "") > ($1 ?? "") })
        expectError(.invalidArgument) {
            _ = try all.groups(by: \.level).ordered(by: { $0.min(\.weight) }, flags: .nullsZero)
                .find()
        }
    }

    @Test func `conditions on groups built in a loop are quickly refused or evaluated`()
        throws
    {
        let store = try ItemStore()
        let groups = store.box.query().groups(by: \.size)
        let count = Set(store.items.map(\.size)).count
        var all = groups
        for number in 1..<5_000 { all = all.having { $0.count != -number } }
        #expect(try all.find().count == count)
        #expect(
            try groups.having { terms in
                (1..<5_000).reduce(terms.count == -1) { one, number in
                    terms.count == -number || one
                }
            }.find().isEmpty)
        #expect(
            try groups.having { terms in
                (0..<100_001).reduce(terms.count > 0) { one, _ in !one }
            }.find().isEmpty)
        expectError(.invalidArgument) {
            _ = try groups.having { terms in
                (0..<1000).reduce(terms.count > 0) { one, _ in one && one }
            }.find()
        }
        expectError(.invalidArgument) {
            _ = try groups.having { terms in
                (0..<1000).reduce(terms.count > 0) { one, _ in
                    terms.count > 1 && (terms.count < 1 || one)
                }
            }.find()
        }
    }
}

/// Allows comparing arrays of pairs.
private func < (one: (Int, [Int]), other: (Int, [Int])) -> Bool {
    one.0 != other.0 ? one.0 < other.0 : one.1.lexicographicallyPrecedes(other.1)
}
