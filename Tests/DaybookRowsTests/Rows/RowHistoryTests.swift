import Daybook
import DaybookTestSupport
import Testing

/// Histories, pages, backlinks and differences of objects without their types.
@Suite struct RowHistoryTests {
    private let directory = TemporaryDirectory()

    /// A store without types whose notes were written by a program with types.
    private func notes(_ write: (Store, Box<Note>) throws -> Void) throws -> Store {
        let store = try Store(path: directory.path, entities: [Note.self])
        try write(store, store.box(for: Note.self))
        try store.close()
        var options = StoreOptions()
        options.isReadOnly = true
        return try Store(path: directory.path, entities: [], options: options)
    }

    @Test func `the history of an object has its changes without its type`() throws {
        let store = try notes { store, notes in
            try store.write(metadata: ["author": "ada"]) { try notes.put(Note(text: "a")) }
            try notes.put(Note(id: 1, text: "a", stars: 3))
            try notes.remove(1)
        }
        let history = try store.rows(of: "Note").history(of: 1)
        #expect(history.map(\.sequence) == [4, 3, 2])
        #expect(history.map(\.isRemoval) == [true, false, false])
        #expect(history.map(\.metadata.author) == [nil, nil, "ada"])
        #expect(history.map(\.id) == [1, 1, 1])
        #expect(zip(history, history.dropFirst()).allSatisfy { $0.date >= $1.date })
        let changes = try history.map { try $0.change }
        #expect(changes.map(\.changedNames) == [["text", "stars"], ["stars"], ["text"]])
        #expect(changes.map { $0.before?["stars"] } == [3, .null, nil])
        #expect(changes.map { $0.after?["stars"] } == [nil, 3, .null])
        #expect(changes.allSatisfy { !$0.isBeforeGone && $0.entityName == "Note" && $0.id == 1 })
        #expect(!history.isTruncated && !history.hasOlder)
        #expect(try store.rows(of: "Note").history(of: 9).isEmpty)
        try store.close()
        expectError(.closed) { _ = try history.older() }
    }

    @Test func `a history is read in parts`() throws {
        let store = try notes { _, notes in
            for stars in 1...5 {
                try notes.put(Note(id: stars == 1 ? 0 : 1, text: "a", stars: stars))
            }
        }
        var part = try store.rows(of: "Note").history(of: 1, limit: 2)
        var stars: [RowValue?] = []
        while true {
            #expect(part.count <= 2)
            stars += try part.map { try $0.change.after?["stars"] }
            guard part.hasOlder else { break }
            part = try part.older(limit: 2)
        }
        #expect(stars == [5, 4, 3, 2, 1])
    }

    @Test func `a history tells that a compaction dropped the version before`() throws {
        let store = try Store(path: directory.path, entities: [Note.self])
        let notes = store.box(for: Note.self)
        for stars in 1...3 { try notes.put(Note(id: stars == 1 ? 0 : 1, text: "a", stars: stars)) }
        try store.compact(keeping: .latest)
        let history = try store.rows(of: "Note").history(of: 1)
        #expect(history.count == 1)
        #expect(history.isTruncated)
        let change = try #require(try history.first?.change)
        #expect(change.isBeforeGone)
        #expect(change.before == nil)
        #expect(change.changedNames == ["text", "stars"])
    }

    @Test(arguments: [true, false])
    func `objects are read page by page`(isInTransaction: Bool) throws {
        let store = try Store(path: directory.path, entities: [Note.self])
        let notes = store.box(for: Note.self)
        try notes.put((1...10).map { Note(text: "\($0)") })
        try notes.remove(4)
        let rows = try store.rows(of: "Note")
        func pages() throws -> [[Id]] {
            var pages: [[Id]] = []
            var last: Id = 0
            while true {
                let page = try rows.page(after: last, limit: 4).map(\.id)
                guard let next = page.last else { return pages }
                pages.append(page)
                last = next
            }
        }
        let found = isInTransaction ? try store.write { try pages() } : try pages()
        #expect(found == [[1, 2, 3, 5], [6, 7, 8, 9], [10]])
        #expect(try rows.page(after: Id.max, limit: 4).isEmpty)
        #expect(try rows.page(limit: 0).isEmpty)
        let before = try store.view(at: .sequence(2)).rows(of: "Note")
        #expect(try before.page(after: 2, limit: 2).map(\.id) == [3, 4])
    }

    @Test func `the objects that link to an object are found by relation`() throws {
        let store = try Store.withContacts(directory.path)
        let contacts = try store.rows(of: "Contact")
        let found = try contacts.backlinks(of: 1)
        #expect(found.map(\.backlink.relation) == ["boss", "friends"])
        #expect(found.map(\.backlink.entity) == ["Contact", "Contact"])
        #expect(found.map(\.ids) == [[2], [2]])
        #expect(try contacts.backlinks(of: 2).map(\.ids) == [[3], [1]])
        #expect(try contacts.backlinks(of: 2, limit: 0).map(\.ids) == [[], []])
        #expect(try contacts.backlinks(of: 9).map(\.ids) == [[], []])
    }

    @Test func `two versions are compared without types`() throws {
        let store = try notes { _, notes in
            try notes.put((1...3).map { Note(text: "\($0)") })
            try notes.put(Note(id: 1, text: "1", stars: 1))
            try notes.remove(2)
            try notes.put(Note(text: "4"))
        }
        let (old, new) = (try store.view(at: .sequence(2)), try store.view())
        var changes: [RowChange] = []
        try new.forEachRowChange(of: "Note", since: old) { change in
            changes.append(change)
            return true
        }
        #expect(changes.map(\.id) == [1, 2, 4])
        #expect(changes.map(\.changedNames) == [["stars"], ["text"], ["text"]])
        #expect(changes.map { $0.before?["text"] } == ["1", "2", nil])
        #expect(changes.map { $0.after?["text"] } == ["1", nil, "4"])
        var count = 0
        try old.forEachRowChange(of: "Note", since: new) { _ in
            count += 1
            return count < 2
        }
        #expect(count == 2)
        let second = TemporaryDirectory()
        let other = try Store(path: second.path, entities: [Note.self])
        expectError(.invalidArgument) {
            try new.forEachRowChange(of: "Note", since: try other.view()) { _ in true }
        }
        expectError(.invalidArgument) {
            try new.forEachRowChange(of: "Nothing", since: old) { _ in true }
        }
    }

    @Test func `histories, pages and backlinks are read without blocking`() async throws {
        let store = try Store.withContacts(directory.path)
        let contacts = try store.rows(of: "Contact")
        try await contacts.put(["age": 32], id: 1)
        let newest = try await contacts.history(of: 1, limit: 1)
        let older = try await newest.older()
        #expect(newest.count == 1 && newest.hasOlder)
        #expect(older.count == 1 && !older.hasOlder)
        let page = try await contacts.page(after: 1, limit: 5)
        #expect(page.map(\.id) == [2, 3])
        let backlinks = try await contacts.backlinks(of: 1)
        #expect(backlinks.map(\.ids) == [[2], [2]])
    }
}
