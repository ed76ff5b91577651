import Daybook
import DaybookRealm
import DaybookTestSupport
import Foundation
import Testing

/// Realm's names for queries and conditions.
@Suite struct RealmSpellingTests {
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

    @Test func `conditions on strings have Realm's names`() throws {
        let store = try ItemStore()
        try store.check(Item.nick.starts(with: "A")) { $0.nick?.hasPrefix("A") ?? false }
        try store.check(Item.name.ends(with: "b")) { $0.name.hasSuffix("b") }
        try store.check(Item.name.starts(with: Item.nick)) { item in
            item.nick.map { item.name.utf8.starts(with: $0.utf8) } ?? false
        }
        try store.check(Item.name.ends(with: Item.nick)) { item in
            item.nick.map { item.name.hasSuffix($0) } ?? false
        }
        try store.check(Item.name.like("ADA*", caseInsensitive: true)) {
            $0.name.lowercased().hasPrefix("ada")
        }
    }

    @Test func `conditions on collections have Realm's names`() throws {
        let store = try ItemStore()
        try store.check(Item.tags.containsAny(in: ["tag2", "x"])) { $0.tags.contains("tag2") }
        try store.check(Item.marks.contains(3...5)) { $0.marks.contains(4) }
        try store.check(Item.marks.contains(3..<5)) { $0.marks.contains(4) }
        try store.check(Item.marks.avg == 1) { $0.marks.sorted() == [0, 2] }
        try store.check(Item.points.values.any { $0 == 4 }) {
            $0.points?.values.contains(4) ?? false
        }
    }

    @Test func `queries are filtered and sorted under Realm's names`() throws {
        let store = try ItemStore()
        let query = store.box.where { $0.id > 2 }.filter { $0.id < 6 }
        #expect(
            try query.sorted(by: \.id, ascending: false).findIds().map(\.value) == [5, 4, 3])
        #expect(
            try query.sorted(by: \.id, flags: .descending).findIds().map(\.value) == [5, 4, 3])
        #expect(
            try query.sorted(by: Item.id, flags: .descending).findIds().map(\.value) == [5, 4, 3])
        #expect(
            try query.sorted(by: \.level, \.id).findIds()
                == query.ordered(by: \.level, \.id).findIds())
        #expect(try store.box.where(.always(true)).count() == store.items.count)
        let view = try store.store.view().box(for: Item.self)
        #expect(try view.where { $0.id == 4 }.findIds().map(\.value) == [4])
        #expect(try view.where(.always(true)).count() == store.items.count)
        let groups = store.box.query().groups(by: \.level)
        let (sorted, ordered) = (
            groups.sorted(by: { $0.count }), groups.ordered(by: { $0.count })
        )
        #expect(try sorted.find(.count).map(\.key) == ordered.find(.count).map(\.key))
        let found = store.box.query { $0.name.matches("bob") }
        #expect(try found.sortedByRelevance().findIds() == found.orderedByRelevance().findIds())
    }
}
