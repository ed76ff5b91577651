import Daybook
import DaybookTestSupport
import Testing

/// Lists of past commits, and single commits, without types.
@Suite struct CommitListTests {
    private let directory = TemporaryDirectory()

    /// A store with contacts in commit 2, and a commit for each author after it.
    private func store(_ authors: [String]) throws -> Store {
        let store = try Store(
            path: directory.path, entities: [Contact.self, Home.self, Spot.self, Note.self])
        let contacts = store.box(for: Contact.self)
        try store.write {
            try contacts.put(Contact(id: 1, email: "a"))
            try contacts.put(Contact(id: 2, email: "b", boss: Reference(targetId: 1)))
        }
        for (number, author) in authors.enumerated() {
            try store.write(metadata: ["author": author]) {
                try store.box(for: Note.self).put(Note(text: "\(number)"))
            }
        }
        return store
    }

    @Test func `commits are listed newest first with the numbers of their changes`() throws {
        let store = try store(["ada"])
        try store.write {
            let notes = store.box(for: Note.self)
            try notes.put([Note(id: 1, text: "x"), Note(text: "y"), Note(text: "z")])
            try store.box(for: Contact.self).remove(1)
        }
        let page = try store.commits()
        #expect(page.next == nil)
        #expect(page.commits.map(\.sequence) == [4, 3, 2, 1])
        #expect(page.commits.map(\.metadata.author) == [nil, "ada", nil, nil])
        let newest = page.commits[0]
        #expect(newest.objects.map(\.entityName) == ["Contact", "Note", "Note"])
        #expect(newest.objects.map(\.kind) == [.remove, .insert, .update])
        #expect(newest.objects.map(\.count) == [1, 2, 1])
        #expect(newest.links.map(\.relation) == ["Contact.boss"])
        #expect(newest.links.map(\.addedCount) == [0])
        #expect(newest.links.map(\.removedCount) == [1])
        #expect(page.commits[2].links.map(\.addedCount) == [1])
        #expect(page.commits[3].objects.isEmpty)
        #expect(zip(page.commits, page.commits.dropFirst()).allSatisfy { $0.date >= $1.date })
    }

    @Test(arguments: [1, 2, 3, 100])
    func `all commits are listed page by page`(limit: Int) throws {
        let store = try store((0..<9).map { $0 % 3 == 0 ? "ada" : "bob" })
        func sequences(of entity: String?, _ author: String?) throws -> [UInt64] {
            var (found, before) = ([UInt64](), UInt64?.none)
            while true {
                let page = try store.commits(
                    before: before, limit: limit, of: entity,
                    metadata: author.map { ["author": $0] } ?? [:])
                #expect(page.commits.count <= limit)
                found += page.commits.map(\.sequence)
                guard let next = page.next else { return found }
                #expect(before.map { next < $0 } ?? true)
                before = next
            }
        }
        #expect(try sequences(of: nil, nil) == (1...11).reversed())
        #expect(try sequences(of: nil, "ada") == [9, 6, 3])
        #expect(try sequences(of: "Contact", nil) == [2])
        #expect(try sequences(of: "Note", "carl") == [])
        #expect(try store.commits(before: 0).commits.isEmpty)
        #expect(try store.commits(limit: 0).commits.isEmpty)
        #expect(try store.commits(limit: 0).next == 12)
        expectError(.invalidArgument) { _ = try store.commits(of: "Nothing") }
    }

    @Test func `a compacted store lists the commits that it has`() throws {
        let store = try store(["ada", "bob"])
        let notes = store.box(for: Note.self)
        for number in 0..<200 { try notes.put(Note(id: 1, text: "\(number)")) }
        try notes.removeAll()
        try store.compact(keeping: .latest)
        try notes.put(Note(text: "new"))
        let all = try store.commits(limit: 1_000).commits.map(\.sequence)
        var (paged, before) = ([UInt64](), UInt64?.none)
        repeat {
            let part = try store.commits(before: before, limit: 3)
            paged += part.commits.map(\.sequence)
            before = part.next
        } while before != nil
        #expect(paged == all)
        #expect(all.count < 150)
        let page = try store.commits()
        #expect(page.commits.first?.sequence == (try store.sequence))
        #expect(
            page.commits.allSatisfy { commit in
                !commit.objects.contains { $0.entityName == "Note" && $0.kind == .remove }
            })
    }

    @Test func `a commit is read with its first changes`() throws {
        let store = try store(["ada"])
        try store.box(for: Note.self).put([Note(id: 1, text: "0", stars: 1), Note(text: "y")])
        let commit = try #require(try store.commit(4))
        #expect(commit.sequence == 4)
        #expect(!commit.hasMoreChanges)
        let rows = try commit.changes.map { try $0.rows() }
        #expect(rows.map(\.changedNames) == [["stars"], ["text"]])
        #expect(rows.map { $0.before?["text"] } == ["0", nil])
        #expect(commit.changes.map(\.kind) == [.update, .insert])
        let some = try #require(try store.commit(4, changeLimit: 1))
        #expect(some.changes.count == 1 && some.hasMoreChanges)
        #expect(try store.commit(2)?.links.map(\.relation) == ["Contact.boss"])
        #expect(try store.commit(0) == nil)
        #expect(try store.commit(99) == nil)
        try store.close()
        expectError(.closed) { _ = try store.commit(4) }
    }

    @Test func `the last commit at a moment is found by its date`() throws {
        let store = try store(["ada", "bob"])
        let dates = try store.commits().commits.map(\.date)
        #expect(try store.sequence(at: .date(dates[0])) == 4)
        #expect(try store.sequence(at: .date(dates[0].addingTimeInterval(10))) == 4)
        #expect(try store.sequence(at: .date(dates[3].addingTimeInterval(-10))) == 0)
        #expect(try store.sequence(at: .sequence(3)) == 3)
        expectError(.invalidArgument) { _ = try store.sequence(at: .sequence(5)) }
    }

    @Test func `commits are read without blocking`() async throws {
        let store = try store(["ada"])
        let page = try await store.commits(limit: 1, metadata: ["author": "ada"])
        #expect(page.commits.map(\.sequence) == [3])
        let commit = try await store.commit(3)
        #expect(commit?.changes.count == 1)
    }
}
