@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// The effect of a removal on related objects, and relations that are values.
@Suite struct RelationRuleTests {
    private let store: Store

    init() throws {
        store = try Store(directoryPath: "memory:\(UUID())", entities: Shop.self)
    }

    @Test func `removing a shop removes its shelves, and is denied while it has staff`() throws {
        let (shop, box) = (Shop(), store.box(for: Shop.self))
        shop.shelves = [Shelf(), Shelf()]
        shop.staff.append(Clerk())
        try box.put(shop)
        let error = expectError(.relationDenied) { try box.remove(shop) }
        #expect(error?.details["entity"] == "Shop" && error?.details["id"] == "1")
        #expect(try store.box(for: Shelf.self).count() == 2)
        shop.staff.removeAll()
        try shop.staff.applyToDb()
        try box.remove(shop)
        #expect(try store.box(for: Shelf.self).isEmpty())
        #expect(try store.box(for: Clerk.self).count() == 1)
        #expect(try box.removeAll() == 0)
        try store.close()
    }

    @Test func `removing the last shop that has goods removes the goods`() throws {
        let (one, other, box) = (Shop(), Shop(), store.box(for: Shop.self))
        one.goods.append(contentsOf: [Article(name: "a"), Article(name: "b")])
        try box.put(one)
        other.goods.append(try #require(try store.box(for: Article.self).get(1)))
        try box.put(other)
        one.goods.removeAll()
        try one.goods.applyToDb()
        #expect(try store.box(for: Article.self).all().map(\.name) == ["a"])
        try store.close()
    }

    @Test func `removing a badge removes its clerk`() throws {
        let (clerks, articles) = (store.box(for: Clerk.self), store.box(for: Article.self))
        try articles.put([Article(name: "badge"), Article(name: "pen"), Article(name: "key")])
        var clerk = Clerk(badge: Reference(targetId: 1), tools: [2, 3, 2])
        try clerks.put(&clerk)
        #expect(try clerks.get(1) == clerk)
        try articles.remove(3)
        #expect(try clerks.get(1)?.tools.ids == [2])
        try articles.remove(1)
        #expect(try clerks.get(1) == nil)
        try store.close()
    }

    // MARK: Values

    @Test func `a reference holds the id, and a put writes its changes`() throws {
        let (clerks, articles) = (store.box(for: Clerk.self), store.box(for: Article.self))
        let log = RecordCounter(store.engine)
        try articles.put((1...4).map { Article(name: "\($0)") })
        try clerks.put(Clerk(badge: Reference(try articles.get(1)), tools: [2, 3]))
        var clerk = try #require(try clerks.get(1))
        #expect(clerk.badge.targetId == 1 && clerk.badge.hasValue && clerk.tools.ids == [2, 3])
        #expect(try clerk.badge.resolve(in: articles)?.name == "1")
        #expect(try clerk.tools.resolve(in: articles).map(\.name) == ["2", "3"])
        #expect(try log.records { try clerks.put(clerk) } == ["put": 1])
        var copy = clerk
        copy.tools.insert(4)
        #expect(!copy.tools.insert(4) && copy.tools.remove(2) && !copy.tools.remove(2))
        copy.badge.targetId = 4
        #expect(clerk.tools.ids == [2, 3] && copy != clerk)
        #expect(try log.records { try clerks.put(copy) } == ["put": 1, "link": 2, "unlink": 2])
        #expect(try clerks.get(1)?.tools.ids == [3, 4])
        // The put of the older value writes only the changes of that value.
        clerk.tools.remove(3)
        #expect(try log.records { try clerks.put(clerk) } == ["put": 1, "unlink": 1])
        #expect(try clerks.get(1)?.badge.targetId == 4)
        clerk.badge = nil
        clerk.tools = []
        try clerks.put(clerk)
        #expect(try clerks.get(1) == Clerk(id: 1))
        try store.close()
    }

    @Test func `a reference to a missing object is refused`() throws {
        let clerks = store.box(for: Clerk.self)
        expectError(.cannotRelateToUnsaved) {
            try clerks.put(Clerk(badge: Reference(Article(name: "new"))))
        }
        expectError(.cannotRelateToUnsaved) {
            try clerks.put(Clerk(tools: References([Article(name: "new")])))
        }
        expectError(.notFound) { try clerks.put(Clerk(badge: Reference(targetId: 9))) }
        expectError(.notFound) { try clerks.put(Clerk(tools: [9])) }
        #expect(try clerks.isEmpty())
        try store.close()
    }
}
