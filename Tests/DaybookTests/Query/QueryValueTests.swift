@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct QueryValueTests {
    @Test func `enums are compared by their cases, and by their raw values`() throws {
        let store = try ItemStore()
        try store.check(Item.level == .high) { $0.level == .high }
        try store.check(Item.level != .high) { $0.level != .high }
        try store.check(Item.level.rawValue > 0) { $0.level.rawValue > 0 }
        try store.check(Item.temper == .glad) { $0.temper == .glad }
        try store.check(Item.temper == nil) { $0.temper == nil }
        try store.check(Item.temper.rawValue.startsWith("s")) { $0.temper == .sad }
        try store.check(Item.shades.contains(.dark)) { $0.shades.contains(.dark) }
        try store.check(Item.shades.any { $0.rawValue.startsWith("l") }) {
            $0.shades.contains(.light)
        }
        try store.check(Item.shades == [.dark, .light]) { $0.shades == [.dark, .light] }
    }

    @Test func `a property with raw values is compared with raw values`() throws {
        let store = try ItemStore()
        try store.check(Item.level == Level.high.rawValue) { $0.level == .high }
        try store.check(Item.level == 2) { $0.level == .high }
        try store.check(Item.level != 2) { $0.level != .high }
        try store.check(Item.level < 1) { $0.level == .low }
        try store.check(Item.level <= 1) { $0.level != .high }
        try store.check(Item.level > 1) { $0.level == .high }
        try store.check(Item.level >= Level.middle.rawValue) { $0.level != .low }
        try store.check(Item.level.isIn([0, 2])) { $0.level != .middle }
        try store.check(Item.level.isIn([.low, .high])) { $0.level != .middle }
        try store.check(Item.level.isIn(1...2)) { $0.level != .low }
        try store.check(Item.level.isIn(0..<2)) { $0.level != .high }
        try store.check(Item.level.isBetween(2, and: 1)) { $0.level != .low }
        try store.check(Item.level == 7, isConstant: true) { _ in false }
        let ordered = try store.box.query().ordered(by: Item.level, flags: .descending).find()
        #expect(ordered.map(\.level.rawValue) == store.items.map(\.level.rawValue).sorted(by: >))
    }

    @Test func `an optional property is compared with raw values, and nil has none`() throws {
        let store = try ItemStore()
        let absent: String? = nil
        try store.check(Item.temper == Temper.glad.rawValue) { $0.temper == .glad }
        try store.check(Item.temper == "glad") { $0.temper == .glad }
        try store.check(Item.temper != "glad") { $0.temper != .glad }
        try store.check(Item.temper == absent) { $0.temper == nil }
        try store.check(Item.temper != nil) { $0.temper != nil }
        try store.check(Item.temper < "glad") { $0.temper == .calm }
        try store.check(Item.temper <= "glad") { $0.temper == .calm || $0.temper == .glad }
        try store.check(Item.temper > "glad") { $0.temper == .sad }
        try store.check(Item.temper >= "glad") { $0.temper == .sad || $0.temper == .glad }
        try store.check(Item.temper.isIn(["sad", nil])) { $0.temper == .sad || $0.temper == nil }
        try store.check(Item.temper.isIn("d"..."m")) { $0.temper == .glad }
        try store.check(Item.temper.isIn("calm"..<"glad")) { $0.temper == .calm }
        try store.check(Item.temper.isBetween("z", and: "g")) {
            $0.temper == .sad || $0.temper == .glad
        }
    }

    @Test func `converted values are compared as values, and as their stored form`() throws {
        let store = try ItemStore()
        let color = Color(red: 2, green: 7)
        try store.check(Item.color == color) { $0.color == color }
        try store.check(Item.color.isIn([color, Color(red: 0, green: 7)])) { $0.color.red != 1 }
        try store.check(Item.color.stored(as: Int.self) >= 263) { Item.number($0.color) >= 263 }
        try store.check(Item.note == ["note 1"]) { $0.note == ["note 1"] }
        try store.check(Item.note == nil) { $0.note == nil }
    }

    @Test func `a query rethrows the error of a converter`() throws {
        let store = try ItemStore()
        let color = Property<Item, Color>("color", converting: Int.self) { _ -> Int in
            throw Refusal(number: 3)
        }
        let query = store.box.query(color == Color(red: 1, green: 1))
        let error = #expect(throws: DaybookError.self) { try query.find() }
        #expect(error?.code == .invalidArgument)
        #expect((error?.cause as? Refusal)?.number == 3)
    }

    @Test func `dates, identifiers and bytes have an order`() throws {
        let store = try ItemStore()
        let moment = store.items[20].made
        try store.check(Item.made == moment) { $0.made == moment }
        try store.check(Item.made < moment) { $0.made < moment }
        try store.check(Item.made >= moment) { $0.made >= moment }
        try store.check(Item.made < .distantFuture, isConstant: true) { _ in true }
        try store.check(Item.made > .distantPast, isConstant: true) { _ in true }
        let seen = Date(timeIntervalSinceReferenceDate: 3.25)
        try store.check(Item.seen == seen) { $0.seen == seen }
        try store.check(Item.seen < seen) { $0.seen.map { $0 < seen } ?? false }
        try store.check(Item.seen.isIn(seen...seen.addingTimeInterval(1))) {
            $0.seen.map { (seen...seen.addingTimeInterval(1)).contains($0) } ?? false
        }
        try store.check(Item.seen < .distantFuture) { $0.seen != nil }
        try store.check(Item.key == store.items[0].key, isConstant: true) { _ in true }
        let bytes = Data([3, 1])
        try store.check(Item.data == bytes) { $0.data == bytes }
        try store.check(Item.data < bytes) { $0.data.map { $0[0] < 3 } ?? false }
        try store.check(Item.data >= bytes) { $0.data.map { $0[0] >= 3 } ?? false }
        try store.check(Item.data == nil) { $0.data == nil }
    }

    @Test func `any, all or none of a collection's elements match`() throws {
        let store = try ItemStore()
        try store.check(Item.tags.contains("tag1")) { $0.tags.contains("tag1") }
        try store.check(Item.tags.any { $0.equals("TAG1", options: .caseInsensitive) }) {
            $0.tags.contains("tag1")
        }
        try store.check(Item.tags.any { $0.isIn(["tag2", "x"]) }) { $0.tags.contains("tag2") }
        try store.check(Item.tags.all { $0 == "tag0" }) { $0.tags.allSatisfy { $0 == "tag0" } }
        try store.check(Item.tags.none { $0.endsWith("1") }) { !$0.tags.contains("tag1") }
        try store.check(Item.tags.count == 2) { $0.tags.count == 2 }
        try store.check(Item.tags == ["tag0"]) { $0.tags == ["tag0"] }
        try store.check(Item.marks.contains(4)) { $0.marks.contains(4) }
        try store.check(Item.marks.any { $0.isIn(3...5) }) { $0.marks.contains(4) }
        try store.check(Item.marks.max > 3) { $0.marks.max().map { $0 > 3 } ?? false }
        try store.check(Item.marks.min == 0) { $0.marks.min() == 0 }
        try store.check(Item.marks.max == nil) { $0.marks.isEmpty }
        try store.check(Item.marks.sum >= 6) { $0.marks.reduce(0, +) >= 6 }
        try store.check(Item.marks.average == 1) { $0.marks.sorted() == [0, 2] }
        try store.check(Item.marks == [0, 2]) { $0.marks == [0, 2] }
    }

    @Test func `a collection that is nil has no elements, and its count is nil`() throws {
        let store = try ItemStore()
        try store.check(Item.points.none { $0 > -99 }) { $0.points?.isEmpty ?? true }
        try store.check(Item.points.count == 0) { $0.points?.isEmpty ?? false }
        try store.check(Item.points.count == nil) { $0.points == nil }
        try store.check(!(Item.points.count > 0)) { $0.points?.isEmpty ?? true }
        let counts = try store.box.query().groups(by: \.points.count).find(.count)
        #expect(counts.map(\.key) == [nil, 0, 2])
        #expect(counts.first?.values == store.items.count { $0.points == nil })
    }

    @Test func `collections contain embedded values`() throws {
        let store = try ItemStore()
        let site = Site(city: "Ada", zip: 0)
        try store.check(Item.sites.contains(site)) { $0.sites.contains(site) }
        try store.check(Item.sites.none { $0 == site }) { !$0.sites.contains(site) }
    }

    @Test func `embedded values are equal if all members are, and nil equals no embedded value`()
        throws
    {
        let store = try ItemStore()
        let zip = Property<Item, OnlyZip?>("site")
        try store.check(zip == OnlyZip(zip: nil)) { $0.site != nil && $0.site?.zip == nil }
        let error = expectError(.invalidArgument) {
            _ = try store.box.query(Property<Item, Branch>("site") == Branch()).find()
        }
        #expect(error?.details["property"] == "branches")
        expectError(.invalidArgument) {
            _ = try store.box.query(Item.home.isIn([store.items[2].home])).find()
        }
    }

    @Test func `a valid date of any magnitude can be compared`() throws {
        let store = try ItemStore()
        for far in [1e300, Double.infinity, 1e20, 1e19] {
            let (late, early) = (
                Date(timeIntervalSince1970: far), Date(timeIntervalSince1970: -far)
            )
            try store.check(Item.made < late, isConstant: true) { _ in true }
            try store.check(Item.made > early, isConstant: true) { _ in true }
            try store.check(Item.seen < late) { $0.seen != nil }
            try store.check(Item.seen > early) { $0.seen != nil }
        }
        let none = Date(timeIntervalSince1970: .nan)
        expectError(.invalidValue) { _ = try store.box.query(Item.made == none).count() }
        expectError(.invalidValue) { _ = try store.box.query(Item.seen < none).count() }
    }

    @Test func `dictionaries are queried by key, keys and values`() throws {
        let store = try ItemStore()
        try store.check(Item.points["a"] == 2) { $0.points?["a"] == 2 }
        try store.check(Item.points["a"] > 2) { $0.points?["a"].map { $0 > 2 } ?? false }
        try store.check(Item.points["a"] == nil) { $0.points?["a"] == nil }
        try store.check(Item.points.keys.contains("b")) { $0.points?["b"] != nil }
        try store.check(Item.points.keys.any { $0.startsWith("a") }) { $0.points?["a"] != nil }
        let all = store.box.query()
        #expect(
            try all.property(Item.points.keys.count).find()
                == store.items.compactMap { $0.points?.count })
        expectError(.invalidArgument) { _ = try all.property(Item.points.keys.max).count() }
        expectError(.invalidArgument) { _ = try all.property(Item.points.keys.min).count() }
        let entry = Item.points.keys.stored(as: [String: Int].self)["a"]
        expectError(.invalidArgument) { _ = try all.property(entry).find() }
        try store.check(Item.points.any { $0 == 4 }) {
            $0.points?.values.contains(4) ?? false
        }
        try store.check(Item.points.contains(1)) { $0.points?.values.contains(1) ?? false }
        try store.check(Item.points.count == 2) { $0.points?.count == 2 }
        try store.check(Item.points.sum > 5) { ($0.points?.values.reduce(0, +) ?? 0) > 5 }
        try store.check(Item.points == nil) { $0.points == nil }
    }

    @Test func `embedded values are queried by their members`() throws {
        let store = try ItemStore()
        try store.check(Item.home.city == "Bob") { $0.home.city == "Bob" }
        try store.check(Item.home.zip > 3) { $0.home.zip.map { $0 > 3 } ?? false }
        try store.check(Item.site.city == "Bob") { $0.site?.city == "Bob" }
        try store.check(Item.site.city != "Bob") { $0.site?.city != "Bob" }
        try store.check(Item.site.zip == nil) { $0.site?.zip == nil }
        try store.check(Item.site == nil) { $0.site == nil }
        try store.check(Item.site != nil) { $0.site != nil }
        try store.check(Item.sites.any { $0.zip == 1 }) { $0.sites.contains { $0.zip == 1 } }
        try store.check(Item.sites.count == 1) { $0.sites.count == 1 }
        let known = store.items[2]
        try store.check(Item.home == known.home) { $0.home == known.home }
        try store.check(Item.site == known.site) { $0.site == known.site }
        try store.check(Item.site != known.site) { $0.site != known.site }
    }

    @Test func `properties are compared with each other`() throws {
        let store = try ItemStore()
        try store.check(Item.name == Item.nick) { $0.name == $0.nick }
        try store.check(Item.name != Item.nick) { $0.name != $0.nick }
        try store.check(Item.size < Item.weight) { item in
            item.weight.map { Double(item.size) < $0 } ?? false
        }
        try store.check(Item.size >= Item.home.zip) { item in
            item.home.zip.map { Int(item.size) >= $0 } ?? false
        }
        try store.check(Item.nick == Item.site.city) { $0.nick == $0.site?.city }
        try store.check(Item.name.startsWith(Item.nick)) { item in
            item.nick.map { item.name.utf8.starts(with: $0.utf8) } ?? false
        }
        try store.check(Item.tags.count > Item.marks.count) { $0.tags.count > $0.marks.count }
    }
}

/// A site in a program without the property for the city.
private struct OnlyZip: Embedded {
    var zip: Int?

    static let entityDescription = EntityDescription("Site", [.property("zip", Int?.self)])
    static func decode(_ row: borrowing RowReader) throws -> OnlyZip {
        OnlyZip(zip: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(zip, at: 0) }
}
