@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// A store with items, and the expected results as Swift closures.
struct ItemStore {
    let store: Store
    let items: [Item]

    init() throws {
        store = try Store(
            directoryPath: "memory:items-\(UUID().uuidString)", entities: Item.self)
        var items = Item.samples()
        try store.box(for: Item.self).put(&items)
        self.items = items
    }

    var box: Box<Item> { store.box() }

    /// Checks that a condition matches the same items as a closure, and its negation all others.
    /// Expects some matches, but not all, unless stated otherwise.
    func check(
        _ condition: Condition<Item>, isConstant: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation, _ isTrue: (Item) -> Bool
    ) throws {
        let expected = items.filter(isTrue).map(\.id)
        let found = try box.query(condition).findIds().map(\.value)
        #expect(found == expected, sourceLocation: sourceLocation)
        let others = try box.query(!condition).findIds().map(\.value)
        #expect(
            others == items.map(\.id).filter { !expected.contains($0) },
            sourceLocation: sourceLocation)
        #expect(try box.query(condition).count() == expected.count, sourceLocation: sourceLocation)
        guard !isConstant else { return }
        #expect(!expected.isEmpty, "never true", sourceLocation: sourceLocation)
        #expect(expected.count < items.count, "always true", sourceLocation: sourceLocation)
    }
}

@Suite struct QueryConditionTests {
    @Test func `an encoded property is compared and ordered as JSON`() throws {
        let store = try ItemStore()
        try store.check(Item.note == ["note 1"]) { $0.note == ["note 1"] }
        let ordered = try store.box.query().ordered(by: Item.note).findIds().map(\.value)
        // Ties are in the order of ids.
        let expected = store.items.sorted {
            ($0.note?[0] ?? "", $0.id) < ($1.note?[0] ?? "", $1.id)
        }
        #expect(ordered == expected.map(\.id))
        // Arrays come after numbers.
        let count = try store.store.query("Item where note > 2").count()
        #expect(count == store.items.count { $0.note != nil } && count > 0)
        #expect(try store.store.query("Item where note = 'note 1'").count() == 0)
    }

    @Test func `numbers are compared, and nil is less than no value`() throws {
        let store = try ItemStore()
        try store.check(Item.size == 3) { $0.size == 3 }
        try store.check(Item.size != 3) { $0.size != 3 }
        try store.check(Item.size < 3) { $0.size < 3 }
        try store.check(Item.size <= 3) { $0.size <= 3 }
        try store.check(Item.size > 3) { $0.size > 3 }
        try store.check(Item.size >= 3) { $0.size >= 3 }
        try store.check(Item.weight == 1.5) { $0.weight == 1.5 }
        try store.check(Item.weight != 1.5) { $0.weight != 1.5 }
        try store.check(Item.weight < 1.5) { $0.weight.map { $0 < 1.5 } ?? false }
        try store.check(Item.weight >= 1.5) { $0.weight.map { $0 >= 1.5 } ?? false }
        try store.check(Item.weight == nil) { $0.weight == nil }
        try store.check(Item.weight != nil) { $0.weight != nil }
        try store.check(Item.weight == nil) { $0.weight == nil }
        try store.check(Item.weight != nil) { $0.weight != nil }
        try store.check(Item.weight.isEqual(to: 1.4, tolerance: 0.2)) {
            $0.weight.map { abs($0 - 1.4) <= 0.2 } ?? false
        }
        try store.check(Item.price == 0.75) { $0.price == 0.75 }
        try store.check(Item.price > 0.5) { $0.price > 0.5 }
        try store.check(Item.isOpen == true) { $0.isOpen }
        try store.check(Item.isOpen != true) { !$0.isOpen }
        try store.check(Item.id == 7) { $0.id == 7 }
        try store.check(Item.id > 7) { $0.id > 7 }
        try store.check(Item.id.isIn([3, 9, 900])) { [3, 9].contains($0.id) }
    }

    @Test func `ranges include their ends, in either order`() throws {
        let store = try ItemStore()
        try store.check(Item.size.isIn(1...4)) { (1...4).contains($0.size) }
        try store.check(Item.size.isIn(1..<4)) { (1..<4).contains($0.size) }
        try store.check(!Item.size.isIn(1..<4)) { !(1..<4).contains($0.size) }
        try store.check(Item.size.isBetween(4, and: 1)) { (1...4).contains($0.size) }
        try store.check(Item.size.isIn(3..<3), isConstant: true) { _ in false }
        try store.check(Item.weight.isIn(1...2)) { $0.weight.map { (1...2).contains($0) } ?? false }
        try store.check(!Item.weight.isIn(1...2)) {
            !($0.weight.map { (1...2).contains($0) } ?? false)
        }
        let moment = Date(timeIntervalSince1970: 20010)
        try store.check(Item.made.isIn(moment..<moment.addingTimeInterval(5002.5))) {
            (moment..<moment.addingTimeInterval(5002.5)).contains($0.made)
        }
        try store.check(Item.name.isIn("B"..."Z")) {
            ("B"..."Z").contains($0.name) && $0.name < "a"
        }
    }

    @Test func `a value is one of a list, nil included`() throws {
        let store = try ItemStore()
        try store.check(Item.size.isIn([1, 2, 2])) { [1, 2].contains($0.size) }
        try store.check(!Item.size.isIn([1, 2])) { ![1, 2].contains($0.size) }
        try store.check(Item.size.isIn(Set([1, 2]))) { [1, 2].contains($0.size) }
        try store.check(Item.size.isIn([]), isConstant: true) { _ in false }
        try store.check(Item.nick.isIn(["Ada", nil])) { $0.nick == nil || $0.nick == "Ada" }
        try store.check(!Item.nick.isIn(["Ada"])) { $0.nick != "Ada" }
        try store.check(!Item.nick.isIn(["Ada", nil])) { $0.nick != "Ada" && $0.nick != nil }
        try store.check(!Item.nick.isIn([]), isConstant: true) { _ in true }
        try store.check(Item.level.isIn([.low, .high])) { $0.level != .middle }
        try store.check(Item.temper.isIn([.glad, nil])) { $0.temper == .glad || $0.temper == nil }
        try store.check(Item.name.isIn(["ADA"], options: .caseInsensitive)) {
            $0.name.lowercased() == "ada"
        }
        try store.check(!Item.name.isIn(["ADA"], options: .caseInsensitive)) {
            $0.name.lowercased() != "ada"
        }
    }

    @Test func `strings are compared exactly, or ignoring case and diacritics`() throws {
        let store = try ItemStore()
        try store.check(Item.name == "ada") { $0.name == "ada" }
        try store.check(Item.name.equals("ADA", options: .caseInsensitive)) {
            $0.name.lowercased() == "ada"
        }
        try store.check(Item.name.startsWith("ad")) { $0.name.hasPrefix("ad") }
        try store.check(Item.name.startsWith("AD", options: .caseInsensitive)) {
            $0.name.lowercased().hasPrefix("ad")
        }
        try store.check(Item.nick.startsWith("A")) { $0.nick?.hasPrefix("A") ?? false }
        try store.check(Item.name.endsWith("b")) { $0.name.hasSuffix("b") }
        try store.check(Item.name.endsWith("B", options: .caseInsensitive)) {
            $0.name.lowercased().hasSuffix("b")
        }
        try store.check(Item.name.contains("d")) { $0.name.contains("d") }
        try store.check(Item.name.contains("O", options: .caseInsensitive)) {
            $0.name.lowercased().contains("o")
        }
        try store.check(Item.name.contains(""), isConstant: true) { _ in true }
        try store.check(
            Item.name.contains("EMI", options: [.caseInsensitive, .diacriticInsensitive])
        ) { $0.name == "Émile" }
        try store.check(Item.name.like("?da*")) { $0.name.dropFirst().hasPrefix("da") }
        try store.check(Item.name.like(#"a\*b"#)) { $0.name == "a*b" }
        try store.check(Item.name.like("ADA*", options: .caseInsensitive)) {
            $0.name.lowercased().hasPrefix("ada")
        }
        try store.check(Item.name.matches("emi*")) { $0.name == "Émile" }
        try store.check(Item.name.matchesAny("none emi*")) { $0.name == "Émile" }
        try store.check(Item.name.matchesPhrase("a B")) { $0.name == "a*b" }
        try store.check(Item.name < "a") {
            $0.name < "a" && $0.name.first.map { $0.isASCII } ?? true
        }
        try store.check(Item.name.isLessThan("B", options: .caseInsensitive)) {
            $0.name.lowercased().utf8.lexicographicallyPrecedes("b".utf8)
        }
        try store.check(Item.name.isGreaterThan("B", options: .caseInsensitive)) {
            "b".utf8.lexicographicallyPrecedes($0.name.lowercased().utf8)
        }
        try store.check(Item.url.startsWith("https://example.org/1")) {
            $0.url?.absoluteString.hasSuffix("/1") ?? false
        }
    }
}
