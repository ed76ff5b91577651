@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Relation values that are put repeatedly.
@Suite struct ReferenceTests {
    private let store: Store
    private var clerks: Box<Clerk> { store.box() }

    init() throws {
        store = try Store(
            directoryPath: "memory:\(UUID())", entities: Shop.self, Shelf.self, Clerk.self,
            Article.self)
        try store.box().put((1...7).map { Article(name: "\($0)") })
    }

    @Test func `a value that is set back after a put is written`() throws {
        try clerks.put(Clerk(badge: Reference(targetId: 5), tools: [1]))
        var clerk = try #require(try clerks.get(1))
        for id: EntityId<Article>? in [7, 5, nil, 5] {
            clerk.badge.targetId = id
            try clerks.put(clerk)
            #expect(try clerks.get(1)?.badge.targetId == id)
        }
        clerk.tools.insert(2)
        try clerks.put(clerk)
        clerk.tools.remove(2)
        try clerks.put(clerk)
        #expect(try clerks.get(1)?.tools.ids == [1])
        clerk.tools.removeAll()
        try clerks.put(clerk)
        clerk.tools.insert(1)
        try clerks.put(clerk)
        #expect(try clerks.get(1)?.tools.ids == [1])
        try store.close()
    }

    @Test func `putting an unchanged struct again keeps the links of other writers`() throws {
        var clerk = Clerk(badge: Reference(targetId: 5), tools: [1])
        try clerks.put(&clerk)
        var other = try #require(try clerks.get(1))
        other.badge.targetId = 6
        other.tools.insert(2)
        try clerks.put(other)
        try clerks.put(clerk)
        #expect(try clerks.get(1) == other)
        clerk.tools.insert(3)
        try clerks.put(clerk)
        #expect(try clerks.get(1)?.tools.ids == [1, 2, 3])
        try store.close()
    }

    @Test func `a copied struct writes its own pending changes`() throws {
        var clerk = Clerk(badge: Reference(targetId: 5), tools: [1])
        var twin = clerk
        twin.tools.insert(2)
        try clerks.put(&clerk)
        try clerks.put(&twin)
        #expect(try clerks.get(2)?.badge.targetId == 5)
        #expect(try clerks.all().map(\.tools.ids) == [[1], [1, 2]])
        clerk.badge.targetId = 6
        let copy = clerk
        clerk.tools.insert(3)
        try clerks.put(copy)
        try clerks.put(clerk)
        #expect(try clerks.get(1)?.tools.ids == [1, 3])
        try store.close()
    }

    @Test func `a relation change of a rolled-back transaction is written by the next put`() throws
    {
        try clerks.put(Clerk(badge: Reference(targetId: 5), tools: [1]))
        var clerk = try #require(try clerks.get(1))
        clerk.badge.targetId = 7
        clerk.tools.insert(2)
        #expect(throws: Refusal.self) {
            try store.write {
                try clerks.put(clerk)
                throw Refusal(number: 1)
            }
        }
        #expect(try clerks.get(1)?.tools.ids == [1])
        try clerks.put(clerk)
        #expect(try clerks.get(1) == clerk)
        try store.close()
    }
}
