#if Macros
import Daybook
import DaybookRealm
import Foundation
import Testing

/// Queries in Swift over entities with code from the macros, in real stores.
@Suite struct QueryMacroTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> Store {
        try Store(
            directory: directory.url, entities: Novel.self, Writer.self, Library.Copy.self,
            Bird.self)
    }

    private func filled() throws -> Store {
        let store = try open()
        let ada = Writer("Ada", born: 1815)
        let novels = ["Ash", "Birch", "Cedar"].enumerated().map { number, title in
            Novel(title, pages: number * 100, secret: number * 10)
        }
        novels[0].writer.target = ada
        novels[1].writer.target = ada
        novels[1].subtitle = "TALL Trees"
        novels[1].blurb = "A tale of two tall birches"
        novels[1].place = Room(city: "Ulm", floor: 3)
        novels[1].shade = Shade(level: 7)
        novels[2].section = .science
        novels[2].default = true
        novels[2].`the order` = 5
        novels[2].printed = Date(timeIntervalSince1970: 0.25)
        novels[2].wish = Wish(text: "rain")
        novels[2].name = "c"
        try store.box(for: Novel.self).put(novels)
        try store.box(for: Writer.self).put(Writer("Bob"))
        return store
    }

    @Test func `every kind of property has conditions`() throws {
        let store = try filled()
        func titles(_ condition: (Novel.Type) -> Condition<Novel>) throws -> [String] {
            let found = store.box(for: Novel.self).query(condition).ordered(by: Novel.title)
            return try found.find().map(\.title)
        }
        #expect(try titles { $0.pages > 50 } == ["Birch", "Cedar"])
        #expect(try titles { $0.title.startsWith("B") || $0.pages == 0 } == ["Ash", "Birch"])
        #expect(try titles { $0.price == 0 && $0.pages < 100 } == ["Ash"])
        #expect(try titles { $0.subtitle == nil } == ["Ash", "Cedar"])
        #expect(try titles { $0.section == .science } == ["Cedar"])
        #expect(try titles { $0.shade == Shade(level: 7) } == ["Birch"])
        #expect(
            try titles { $0.printed == Date(timeIntervalSince1970: 0.25) } == ["Cedar"])
        #expect(try titles { $0.wish == Wish(text: "rain") } == ["Cedar"])
        #expect(try titles { $0.place.city == "Ulm" && $0.place.floor > 2 } == ["Birch"])
        #expect(try titles { $0.writer.name == "Ada" } == ["Ash", "Birch"])
        #expect(try titles { $0.writer.born < 1900 } == ["Ash", "Birch"])
        #expect(try titles { $0.default == true } == ["Cedar"])
        #expect(try titles { $0.`the order` == 5 } == ["Cedar"])
        #expect(try titles { $0.id == 2 } == ["Birch"])
        try store.close()
    }

    @Test func `backlinks have conditions`() throws {
        let store = try filled()
        let writers = store.box(for: Writer.self)
        #expect(try writers.query { $0.novels.count == 2 }.find().map(\.name) == ["Ada"])
        let query = try writers.query { Writer.novels.title == "Birch" }.build()
        #expect(try query.find().map(\.name) == ["Ada"])
        try store.close()
    }

    @Test func `members of the type take precedence over query properties`() throws {
        #expect(Novel.name == "novels")
        let store = try filled()
        let named = Novel.QueryProperties().name
        #expect(try store.box(for: Novel.self).query(named == "c").find().map(\.title) == ["Cedar"])
        #expect(try store.box(for: Novel.self).query(Novel.secrets).count() == 1)
        try store.close()
    }

    @Test func `operators of the type take precedence`() {
        let one = Novel("a", pages: 1)
        #expect(one == Novel("a", pages: 2) && one < Novel("a", pages: 2))
        #expect(Set([one, Novel("a")]).count == 1)
        #expect([one] == [Novel("a", pages: 9)])
        #expect([Room(city: "b"), Room(city: "a")].min()?.city == "a")
        // The compiler would compare the floors as well.
        #expect([Room(city: "a", floor: 1)] == [Room(city: "a", floor: 2)])
    }

    @Test func `a property that a comment excludes has no conditions`() throws {
        let store = try filled()
        let query = store.box(for: Novel.self).query { Novel.note == "n" }
        let error = #expect(throws: DaybookError.self) { try query.build() }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("'note'") == true)
        try store.close()
    }

    @Test func `nested types and Realm's types have conditions`() throws {
        let store = try open()
        let copies = store.box(for: Library.Copy.self)
        var copy = Library.Copy(kind: .kept)
        copy.kinds = [.lent]
        try copies.put(&copy)
        #expect(try copies.query { $0.kind == .kept && $0.untyped == .kept }.count() == 1)
        #expect(try copies.query { $0.kinds.contains(.lent) && $0.id == copy.id }.count() == 1)

        let tit = Bird()
        tit.name = "tit"
        tit.wingspan = 0.2
        tit.nest = Nest()
        tit.nest?.tree = "oak"
        let chick = Bird()
        chick.name = "chick"
        tit.chicks.append(chick)
        let birds: Box<Bird> = store.box()
        try birds.put(tit)
        #expect(try birds.query { $0.wingspan > 0.1 && $0.nest.tree == "oak" }.count() == 1)
        #expect(try birds.query { $0.nest.height == nil && $0.chicks.count == 1 }.count() == 1)
        #expect(
            try birds.query { $0.parents.name == "tit" }.find().map(\.name) == ["chick"])
        try store.close()
    }

    @Test func `word searches use the text index, and strings are compared case-insensitively`()
        throws
    {
        let store = try filled()
        let novels = store.box(for: Novel.self)
        #expect(try novels.query { $0.blurb.matches("tall birch*") }.find().map(\.pages) == [100])
        #expect(
            try novels.query { $0.subtitle.equals("tall trees", options: .caseInsensitive) }.find()
                .map(\.pages) == [100])
        try store.close()
    }

    @Test func `key paths of instances refer to the instance's properties`() {
        let path: KeyPath<Novel, Int> = \.pages
        #expect(Novel("a", pages: 3)[keyPath: path] == 3)
        let member: KeyPath<Novel.Type, Property<Novel, Int>> = \.pages
        let found: Property<Novel, Int> = Novel.self[keyPath: member]
        #expect("\(type(of: found))" == "Property<Novel, Int>")
    }
}
#endif
