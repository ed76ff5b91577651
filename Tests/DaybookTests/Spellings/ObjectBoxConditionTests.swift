import Daybook
import DaybookObjectBox
import DaybookTestSupport
import Foundation
import Testing

/// ObjectBox's names of conditions, compared with the conditions of Daybook.
@Suite struct ObjectBoxConditionTests {
    @Test func `methods compare numbers, dates and bytes as operators do`() throws {
        let store = try ItemStore()
        try store.check(Item.size.isEqual(to: 3)) { $0.size == 3 }
        try store.check(Item.size.isNotEqual(to: 3)) { $0.size != 3 }
        try store.check(Item.size.isLessThan(3)) { $0.size < 3 }
        try store.check(Item.size.isLessOrEqual(3)) { $0.size <= 3 }
        try store.check(Item.size.isLessThanEqual(3)) { $0.size <= 3 }
        try store.check(Item.size.isGreaterThan(3)) { $0.size > 3 }
        try store.check(Item.size.isGreaterOrEqual(3)) { $0.size >= 3 }
        try store.check(Item.weight.isEqual(to: nil)) { $0.weight == nil }
        let moment = store.items[20].made
        try store.check(Item.made.isBefore(moment)) { $0.made < moment }
        try store.check(Item.made.isAfter(moment)) { $0.made > moment }
        let bytes = Data([3, 1])
        try store.check(Item.data.isGreaterThanEqual(bytes)) { $0.data.map { $0[0] >= 3 } ?? false }
    }

    @Test func `ObjectBox's methods compare elements of collections with a value`() throws {
        let store = try ItemStore()
        try store.check(Item.marks.isLessThan(2)) { $0.marks.contains { $0 < 2 } }
        try store.check(Item.marks.isLessOrEqual(2)) { $0.marks.contains { $0 <= 2 } }
        try store.check(Item.marks.isGreaterThan(5)) { $0.marks.contains { $0 > 5 } }
        try store.check(Item.marks.isGreaterOrEqual(5)) { $0.marks.contains { $0 >= 5 } }
        try store.check(Item.marks.isEqual(to: 4)) { $0.marks.contains(4) }
        try store.check(Item.tags.containsElement(element: "TAG1", caseSensitive: false)) {
            $0.tags.contains("tag1")
        }
    }

    @Test func `ObjectBox's methods select lists and ranges`() throws {
        let store = try ItemStore()
        try store.check(Item.size.isIn([1, 2])) { [1, 2].contains($0.size) }
        try store.check(Item.size.isNotIn([1, 2])) { ![1, 2].contains($0.size) }
        try store.check(Item.size.isIn(Set([1, 2]))) { [1, 2].contains($0.size) }
        try store.check(Item.size.isNotIn(Set([1, 2]))) { ![1, 2].contains($0.size) }
        try store.check(Item.nick.isNotIn([]), isConstant: true) { _ in true }
        try store.check(Item.size.isIn(1...4)) { (1...4).contains($0.size) }
        try store.check(Item.size.isIn(1..<4)) { (1..<4).contains($0.size) }
        try store.check(Item.size.isNotIn(1...4)) { !(1...4).contains($0.size) }
        try store.check(Item.size.isNotIn(1..<4)) { !(1..<4).contains($0.size) }
    }

    @Test func `ObjectBox's string methods have case options`() throws {
        let store = try ItemStore()
        try store.check(Item.name.isEqual(to: "ada")) { $0.name == "ada" }
        try store.check(Item.name.isEqual(to: "ADA", caseSensitive: false)) {
            $0.name.lowercased() == "ada"
        }
        try store.check(Item.name.isEqual(to: "ada", caseSensitive: true)) { $0.name == "ada" }
        try store.check(Item.nick.isNotEqual(to: "ADA", caseSensitive: false)) {
            $0.nick?.lowercased() != "ada"
        }
        try store.check(Item.name.hasPrefix("ad")) { $0.name.hasPrefix("ad") }
        try store.check(Item.name.hasPrefix("AD", caseSensitive: false)) {
            $0.name.lowercased().hasPrefix("ad")
        }
        try store.check(Item.name.hasSuffix("b")) { $0.name.hasSuffix("b") }
        try store.check(Item.name.hasSuffix("B", caseSensitive: false)) {
            $0.name.lowercased().hasSuffix("b")
        }
    }

    @Test func `operators select lists and ranges`() throws {
        let store = try ItemStore()
        try store.check(Item.id ∈ [3, 9, 900]) { [3, 9].contains($0.id) }
        try store.check(Item.size ∈ Set([1, 2])) { [1, 2].contains($0.size) }
        try store.check(Item.size ∈ 1...4) { (1...4).contains($0.size) }
        try store.check(Item.size ∈ 1..<4) { (1..<4).contains($0.size) }
        try store.check(Item.level ∈ [0, 2]) { $0.level != .middle }
        try store.check(Item.level ∉ [0, 2]) { $0.level == .middle }
        try store.check(Item.level ∈ [.low]) { $0.level == .low }
        try store.check(Item.level ∈ 1...2) { $0.level != .low }
        try store.check(Item.level ∈ 1..<2) { $0.level == .middle }
        try store.check(Item.level ∉ 1...2) { $0.level == .low }
        try store.check(Item.level ∉ 1..<2) { $0.level != .middle }
        try store.check(Item.temper ∈ ["sad", nil]) { $0.temper == .sad || $0.temper == nil }
        try store.check(Item.temper ∉ ["sad"]) { $0.temper != .sad }
        try store.check(Item.temper ∈ "a"..."d") { $0.temper == .calm }
        try store.check(Item.temper ∈ "a"..<"d") { $0.temper == .calm }
        try store.check(Item.temper ∉ "a"..."d") { $0.temper != .calm }
        try store.check(Item.temper ∉ "a"..<"d") { $0.temper != .calm }
        try store.check(Item.nick ∈ ["Ada", nil]) { $0.nick == nil || $0.nick == "Ada" }
        try store.check(Item.size ∉ [1, 2]) { ![1, 2].contains($0.size) }
        try store.check(Item.size ∉ Set([1, 2])) { ![1, 2].contains($0.size) }
        try store.check(Item.size ∉ 1..<4) { !(1..<4).contains($0.size) }
        try store.check(Item.weight ∉ 1...2) { !($0.weight.map { (1...2).contains($0) } ?? false) }
    }

    @Test func `methods select stored nil`() throws {
        let store = try ItemStore()
        try store.check(Item.weight.isNil()) { $0.weight == nil }
        try store.check(Item.weight.isNotNil()) { $0.weight != nil }
        try store.check(Item.site.isNotNil()) { $0.site != nil }
    }

    @Test func `methods select related objects`() throws {
        let store = try RelationStore()
        let (ada, bob) = (Customer("Ada"), Customer("Bob"))
        try store.orders.put([
            Order("pen", customer: ada), Order("ink", customer: bob), Order("cup", customer: nil),
        ])
        func summaries(_ condition: Condition<Order>) throws -> [String] {
            try store.orders.query(condition).find().map(\.summary)
        }
        #expect(try summaries(Order.customer ∈ [1, 7]) == ["pen"])
        #expect(try summaries(Order.customer ∉ [1, 7]) == ["ink", "cup"])
        #expect(try summaries(Order.customer.isNil()) == ["cup"])
        #expect(try summaries(Order.customer.isEqual(to: bob)) == ["ink"])
        let pens = Customer.orders.link { Order.summary == "pen" }
        #expect(try store.customers.query(pens).find().map(\.name) == ["Ada"])
        let inks = Customer.orders.link { $0.summary == "ink" }
        #expect(try store.customers.query(inks).find().map(\.name) == ["Bob"])
    }

    @Test func `methods compare strings with a parameter for case`() throws {
        let store = try ItemStore()
        try store.check(Item.name.startsWith("AD", caseSensitive: false)) {
            $0.name.lowercased().hasPrefix("ad")
        }
        try store.check(Item.name.endsWith("B", caseSensitive: false)) {
            $0.name.lowercased().hasSuffix("b")
        }
        try store.check(Item.name.contains("O", caseSensitive: false)) {
            $0.name.lowercased().contains("o")
        }
        try store.check(Item.name.isIn(["ADA"], caseSensitive: false)) {
            $0.name.lowercased() == "ada"
        }
        try store.check(Item.name.isNotIn(["ADA"], caseSensitive: false)) {
            $0.name.lowercased() != "ada"
        }
        try store.check(Item.name.isLessThan("B", caseSensitive: false)) {
            $0.name.lowercased().utf8.lexicographicallyPrecedes("b".utf8)
        }
        try store.check(Item.name.isGreaterThan("B", caseSensitive: false)) {
            "b".utf8.lexicographicallyPrecedes($0.name.lowercased().utf8)
        }
        try store.check(Item.tags.containsElement("TAG1", caseSensitive: false)) {
            $0.tags.contains("tag1")
        }
    }
}
