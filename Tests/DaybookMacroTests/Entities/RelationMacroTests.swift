#if Macros
import Daybook
import Foundation
import Testing

/// Relations with code from the macros, in real stores.
@Suite struct RelationMacroTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> Store {
        try Store(
            directory: directory.url, entities: Author.self, Book.self, Series.self, Remark.self,
            Shelf.self, Membership.self, Forest.Tree.self, Forest.Bird.self)
    }

    @Test func `both ends of a relation are readable in a reopened store`() throws {
        var store = try open()
        let author = Author("Ada")
        author.books.append(Book("Notes"))
        author.books.append(Book("Letters"))
        try store.box(for: Author.self).put(author)
        try store.close()
        store = try open()
        let found = try #require(try store.box(for: Author.self).get(1))
        #expect(found.books.map(\.title).sorted() == ["Letters", "Notes"])
        for book in try store.box(for: Book.self).all() {
            #expect(book.author.target?.name == "Ada")
        }
        try store.close()
    }

    @Test func `the rules of attributes and comments apply`() throws {
        let store = try open()
        let author = Author("Ada")
        let book = Book("Notes")
        let series = Series()
        book.author.target = author
        book.series.target = series
        book.remarks.append(contentsOf: [Remark("a"), Remark("b")])
        try store.box(for: Book.self).put(book)
        let remarks = store.box(for: Remark.self)
        #expect(try remarks.count() == 2)

        #expect(throws: DaybookError.self) { try store.box(for: Series.self).remove(series.id) }
        #expect(try store.box(for: Series.self).count() == 1)

        book.remarks.remove(at: 0)
        try book.remarks.applyToDb()
        #expect(try remarks.all().map(\.text) == ["b"])

        try store.box(for: Author.self).remove(author.id)
        #expect(try store.box(for: Book.self).count() == 0)
        #expect(try remarks.count() == 0)
        try store.close()
    }

    @Test func `an object that lost its last link through a backlink is removed`() throws {
        let store = try open()
        let author = Author("Ada")
        author.shelves.append(Shelf())
        try store.box(for: Author.self).put(author)
        #expect(try store.box(for: Shelf.self).count() == 1)
        author.shelves.removeAll()
        try author.shelves.applyToDb()
        #expect(try store.box(for: Shelf.self).count() == 0)
        try store.close()
    }

    @Test func `a backlink reads a private relation by its name`() throws {
        let store = try open()
        let (one, other) = (Book("one"), Book("other"))
        one.relate(to: other)
        let box = store.box(for: Book.self)
        try box.put(one)
        #expect(try box.get(one.id)?.relatedTitles == ["other"])
        #expect(try box.get(other.id)?.origins.map(\.title) == ["one"])
        try store.close()
    }

    @Test func `references store ids and have delete rules`() throws {
        let store = try open()
        let authors = [Author("Ada"), Author("Mary"), Author("Jane")]
        try store.box(for: Author.self).put(authors)
        var membership = Membership(
            member: Reference(authors[0]), guests: References(authors[1...]))
        let box = store.box(for: Membership.self)
        try box.put(&membership)
        var found = try #require(try box.get(membership.id))
        #expect(found.member.targetId == 1 && Array(found.guests) == [2, 3])
        try store.box(for: Author.self).remove(2)
        found = try #require(try box.get(membership.id))
        #expect(Array(found.guests) == [3])
        try store.box(for: Author.self).remove(1)
        #expect(try box.count() == 0)
        try store.close()
    }

    @Test func `structs inside another type can have relations`() throws {
        let store = try open()
        let trees = store.box(for: Forest.Tree.self)
        var root = Forest.Tree(name: "root", parent: nil, children: nil)
        try trees.put(&root)
        var leaf = Forest.Tree(
            name: "leaf", parent: ToOne(targetId: EntityId(root.id)), children: nil)
        try trees.put(&leaf)
        var bird = Forest.Bird(tree: ToOne(targetId: EntityId(leaf.id)))
        try store.box(for: Forest.Bird.self).put(&bird)
        let found = try #require(try trees.get(root.id))
        #expect(found.children.map(\.name) == ["leaf"])
        #expect(found.children.first?.birds.map(\.id) == [bird.id])
        try trees.remove(leaf.id)
        #expect(try store.box(for: Forest.Bird.self).count() == 0)
        try store.close()
    }
}
#endif
