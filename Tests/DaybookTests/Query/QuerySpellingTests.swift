import Daybook
import DaybookObjectBox
import DaybookRealm
import DaybookTestSupport
import Foundation
import Testing

/// The names of ObjectBox and Realm for operations that Daybook names differently.
@Suite struct QuerySpellingTests {
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

    @Test func `methods compare elements of collections with a value`() throws {
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

    @Test func `methods select lists and ranges`() throws {
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

    @Test func `methods test strings with and without case`() throws {
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

    @Test func `property queries find values under ObjectBox's names`() throws {
        let store = try ItemStore()
        let all = store.box.where(.always(true))
        #expect(try all.property(Item.name).findStrings() == store.items.map(\.name))
        #expect(
            try all.property(Item.nick).with(nullString: "-").findStrings()
                == store.items.map { $0.nick ?? "-" })
        let bob = store.box.where { $0.name == "Bob" }.property(Item.name)
        #expect(try bob.distinct(caseSensitiveCompare: false).findUniqueString() == "Bob")
        let weights = all.property(Item.weight).distinct()
        #expect(
            try weights.findDoubles().count(where: { !$0.isNaN })
                == Set(store.items.compactMap(\.weight).filter { !$0.isNaN }).count)
        expectError(.nonUniqueResult) { _ = try weights.findUniqueDouble() }
    }

    @Test func `conditions have Realm's names`() throws {
        let store = try ItemStore()
        try store.check(Item.size.equals(3)) { $0.size == 3 }
        try store.check(Item.size.notEquals(3)) { $0.size != 3 }
        try store.check(Item.name.equals("ada")) { $0.name == "ada" }
        try store.check(Item.nick.notEquals("ADA", options: .caseInsensitive)) {
            $0.nick?.lowercased() != "ada"
        }
        try store.check(Item.size.in([1, 2])) { [1, 2].contains($0.size) }
        try store.check(Item.size.in(Set([1, 2]))) { [1, 2].contains($0.size) }
        try store.check(Item.size.contains(1...4)) { (1...4).contains($0.size) }
        try store.check(Item.size.contains(1..<4)) { (1..<4).contains($0.size) }
        try store.check(Item.color.persistableValue(as: Int.self) >= 263) {
            Item.number($0.color) >= 263
        }
    }
}
