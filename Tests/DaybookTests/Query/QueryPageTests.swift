@testable import Daybook
@testable import DaybookQuery
import DaybookTestSupport
import Foundation
import Testing

/// Pages after a cursor.
@Suite struct QueryPageTests {
    private let items: ItemStore

    init() throws { items = try ItemStore() }

    /// The ids of all pages of a query.
    private func pages(_ query: Query<Item>, limit: Int) throws -> [[Id]] {
        var page = try query.page(limit: limit)
        var pages = [page.objects.map(\.id)]
        while page.hasMore {
            // A cursor survives its encoding.
            let data = try JSONEncoder().encode(page.end)
            page = try query.page(
                after: try JSONDecoder().decode(PageCursor?.self, from: data), limit: limit)
            pages.append(page.objects.map(\.id))
        }
        return pages
    }

    @Test func `the pages of any order have the objects of the query, once each`() throws {
        let all = items.box.query()
        let flags: [OrderFlags] = [
            [], .descending, .nullsLast, [.descending, .nullsLast], .nullsZero, .caseSensitive,
        ]
        var queries = [all, items.box.query { $0.size > 0 && $0.isOpen == true }]
        for flags in flags {
            queries += [
                all.ordered(by: \.name, flags: flags), all.ordered(by: \.nick, flags: flags),
                all.ordered(by: \.weight, flags: flags), all.ordered(by: \.size, flags: flags),
                all.ordered(by: \.made, flags: flags), all.ordered(by: \.seen, flags: flags),
                all.ordered(by: \.price, flags: flags), all.ordered(by: \.isOpen, flags: flags),
                all.ordered(by: \.home.zip, flags: flags), all.ordered(by: \.key, flags: flags),
                all.ordered(by: \.tags.count, flags: flags),
                all.ordered(by: \.isOpen).ordered(by: \.weight, flags: flags),
                all.ordered(by: \.size, flags: flags).ordered(by: \.name),
                items.box.query { $0.weight > 1 }.ordered(by: \.weight, flags: flags),
            ]
        }
        for query in queries {
            let expected = try query.findIds().map(\.value)
            for limit in [1, 7, 60, 100] {
                let pages = try pages(query, limit: limit)
                #expect(pages.flatMap { $0 } == expected, "\(query) by \(limit)")
                #expect(pages.dropLast().allSatisfy { $0.count == limit })
            }
        }
    }

    @Test func `pages neither repeat nor omit objects when others come and go`() throws {
        let query = items.box.query().ordered(by: \.size)
        let first = try query.page(limit: 10)
        let expected = try query.findIds().map(\.value).dropFirst(10)
        // The object of the cursor is removed, and objects are inserted before and after it.
        try items.box.remove(try #require(first.objects.last).id)
        var others = [Int32.min, Int32.max].map { size in
            var item = Item()
            item.size = size
            return item
        }
        try items.box.put(&others)
        let rest = try query.page(after: first.end, limit: 1000)
        #expect(rest.objects.map(\.id) == expected + [others[1].id])
        #expect(!rest.hasMore)
        let nothing = try query.page(after: rest.end, limit: 5)
        #expect(nothing.objects.isEmpty && nothing.end == rest.end && !nothing.hasMore)
        #expect(try query.page(limit: 0).hasMore)
        #expect(try items.box.query { $0.size > 99 }.page(limit: 9).objects.count == 1)
    }

    @Test func `a page is read from the index that has the order, from the cursor on`() throws {
        var more = (1...2_000).map { number in
            var item = Item()
            item.size = Int32(number)
            return item
        }
        try items.box.put(&more)
        for flags: OrderFlags in [[], .descending] {
            let query = items.box.query().ordered(by: \.size, flags: flags)
            let end = try #require(try query.page(limit: 1_000).end)
            let runner = try query.runner().after(end.place).with(offset: 0, limit: 5)
            try query.types.query { access in
                #expect(try runner.explain(access, isRun: false).indexes == ["size"])
                let run = try QueryRun(runner, access, reads: .rows)
                #expect(try run.ids().count == 5)
                #expect(run.rowCount < 100)
            }
        }
    }

    @Test func `an async page and a page in a transaction have the same objects`() async throws {
        let query = items.box.query().ordered(by: \.weight, flags: .descending)
        let first = try await query.page(limit: 20)
        let second = try await query.page(after: first.end, limit: 20)
        let ids = try await query.findIds().map(\.value)
        #expect((first.objects + second.objects).map(\.id) == Array(ids.prefix(40)))
        try await items.store.write { [items] in
            try items.box.query { $0.weight == nil }.remove()
            let rest = try query.page(after: first.end, limit: .max).objects.map(\.id)
            let all = try query.findIds().map(\.value)
            #expect(rest == all.filter { id in !first.objects.contains { $0.id == id } })
        }
    }

    @Test func `a cursor of another order, and a query without lasting places, are errors`() throws
    {
        let all = items.box.query()
        let cursor = try all.ordered(by: \.size).page(limit: 3).end
        let others = [
            all, all.ordered(by: \.size, flags: .descending), all.ordered(by: \.weight),
            all.ordered(by: \.size, \.name), all.ordered(by: \.size, flags: .nullsLast),
        ]
        for other in others {
            let error = expectError(.invalidArgument) {
                _ = try other.page(after: cursor, limit: 3)
            }
            #expect(error?.details["cursor"]?.contains("size") == true)
        }
        #expect(
            try items.box.query { $0.size > 2 }.ordered(by: \.size)
                .page(after: cursor, limit: 1).objects.count == 1)
        let pageless = [all.limit(3), all.offset(1), all.distinct(by: \.size)]
        for query in pageless {
            expectError(.invalidArgument) { _ = try query.page(limit: 3) }
        }
        expectError(.invalidArgument) { _ = try all.page(limit: -1) }
        expectError(.invalidArgument) {
            _ = try items.box.query { $0.name.matches("ada") }.orderedByRelevance().page(limit: 3)
        }
    }
}
