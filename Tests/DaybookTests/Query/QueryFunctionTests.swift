@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// Calculations and parts of dates in conditions, orders and groups.
@Suite struct QueryFunctionTests {
    private let items: ItemStore

    init() throws { items = try ItemStore() }

    @Test func `calculations can be compared`() throws {
        try items.check(Item.size * 2 + 1 > 3) { $0.size * 2 + 1 > 3 }
        try items.check(10 - Item.size <= 8) { 10 - $0.size <= 8 }
        try items.check(Item.size * Item.size == 9) { $0.size * $0.size == 9 }
        try items.check(Item.weight - 1 >= 1) { ($0.weight ?? .nan) - 1 >= 1 }
        try items.check(Item.price * 4 == 3) { $0.price * 4 == 3 }
        try items.check(Item.price - Item.price * 2 < -1) { $0.price - $0.price * 2 < -1 }
        try items.check(Item.name + "!" == "Ada!") { $0.name + "!" == "Ada!" }
        try items.check(Item.nick + Item.nick == "AdaAda") { $0.nick == "Ada" }
        try items.check(Item.name.length > 3) { $0.name.unicodeScalars.count > 3 }
        try items.check(Item.nick.length == nil) { $0.nick == nil }
        try items.check(Item.home.zip + Item.home.zip == 4) { $0.home.zip == 2 }
    }

    @Test func `calculations have no limit but that of 128 bits`() throws {
        func all(_ condition: Condition<Item>) -> Query<Item> { items.box.query(condition) }
        #expect(try all(Item.size * Int32.max * Int32.max * 2 > Item.size).isEmpty() == false)
        let product = (1...5).reduce(Item.size) { product, _ in product * Int32.max }
        expectError(.overflow) { _ = try all(product > 0).count() }
        let mixed = Property<Item, Int32>("name") + 1
        expectError(.invalidArgument) { _ = try all(mixed > 0).count() }
        let keys = Item.points.keys.count + 1
        #expect(try all(keys == 3).count() == 30)
    }

    @Test func `calculations order and group objects`() throws {
        let ordered = try items.box.query().ordered(by: Item.size * -1).find().map(\.size)
        #expect(ordered == items.items.map(\.size).sorted(by: >))
        let groups = try items.box.query().groups(by: Item.name.length).find(.count)
        let expected = Dictionary(grouping: items.items) { $0.name.unicodeScalars.count }
        #expect(groups.map(\.key) == expected.keys.sorted())
        #expect(groups.map(\.values) == expected.keys.sorted().map { expected[$0]?.count ?? 0 })
        let path = try items.box.query().groups(by: \.name.length).find(.count)
        #expect(path.map(\.key) == groups.map(\.key))
    }

    private static let zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]

    @Test(arguments: zones)
    func `the parts of dates in a time zone are those of the calendar`(_ name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // Around new year, changes to summer time, and far away.
        let seconds =
            [1_767_222_000, 1_767_225_599, 1_774_746_000, 1_792_890_000, -1, 0, 951_782_400]
            + (0..<200).map { -8_000_000_000 + $0 * 79_876_543 }
        var more = seconds.map { second in
            var item = Item()
            item.made = Date(timeIntervalSince1970: Double(second) + 0.25)
            item.seen = item.made
            return item
        }
        try items.box.removeAll()
        try items.box.put(&more)
        let parts: [(Calendar.Component, Property<Item, Int>, Property<Item, Int?>)] = [
            (.year, Item.made.year(in: zone), Item.seen.year(in: zone)),
            (.month, Item.made.month(in: zone), Item.seen.month(in: zone)),
            (.day, Item.made.day(in: zone), Item.seen.day(in: zone)),
            (.weekday, Item.made.weekday(in: zone), Item.seen.weekday(in: zone)),
            (.hour, Item.made.hour(in: zone), Item.seen.hour(in: zone)),
        ]
        for (component, made, seen) in parts {
            func part(_ item: Item) -> Int { calendar.component(component, from: item.made) }
            for value in Set(more.prefix(30).map(part)).sorted() {
                let expected = more.filter { part($0) == value }.map(\.id)
                #expect(try items.box.query(made == value).findIds().map(\.value) == expected)
                #expect(try items.box.query(seen == value).findIds().map(\.value) == expected)
                let later = more.filter { part($0) > value }.map(\.id)
                #expect(try items.box.query(made > value).findIds().map(\.value) == later)
                let others = try items.box.query(!(made <= value)).findIds().map(\.value)
                #expect(others == later)
            }
        }
    }

    @Test func `a condition on the year uses the index of the date`() throws {
        var more = (0..<3_000).map { number in
            var item = Item()
            item.made = Date(timeIntervalSince1970: Double(number) * 86_400)
            return item
        }
        try items.box.put(&more)
        let zone = try #require(TimeZone(identifier: "Asia/Kathmandu"))
        for query in [
            items.box.query { $0.made.year == 1975 },
            items.box.query { $0.made.year(in: zone).isBetween(1975, and: 1975) },
        ] {
            #expect(try query.explain().indexes == ["made"])
            #expect(try query.count() == 365)
        }
        #expect(try items.box.query { $0.made.year >= 1978 }.count() == 3_000 - 8 * 365 - 2)
        #expect(try items.box.query { $0.made.year != 1975 }.count() == 3_060 - 365)
        #expect(try items.box.query { $0.made.year == 5_000_000 }.isEmpty())
    }

    @Test func `parts of dates order and group objects`() throws {
        let groups = try items.box.query().groups(by: \.made.hour).find(.count)
        #expect(groups.map(\.key) == Array(0...16))
        let sections = try items.box.query().sections(by: \.seen.year)
        #expect(sections.map(\.key) == [nil, 2001])
        let ids = try items.box.query().ordered(by: \.made.hour, flags: .descending).findIds()
        #expect(ids.first?.value == (try items.box.query { $0.made.hour == 16 }.findIds())[0].value)
    }
}
