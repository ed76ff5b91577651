import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct RowQueryTests {
    private let directory = TemporaryDirectory()
    private let store: Store

    init() throws {
        try Store.withContacts(directory.path).close()
        var options = StoreOptions()
        options.isReadOnly = true
        store = try Store(path: directory.path, entities: [], options: options)
    }

    @Test func `a query finds objects with their ids and links`() throws {
        let query = try store.query("Contact where age > 18 order by age desc limit 10")
        #expect(query.entityName == "Contact")
        let rows = try query.find()
        #expect(rows.map(\.id) == [2, 1])
        #expect(rows[0]["email"] == "bob@x")
        #expect(rows[1].links["friends"] == [2, 3])
        #expect(rows[1] == (try store.rows(of: "Contact").get(1)))
        #expect(try query.count() == 2)
        #expect(try store.query("Contact where boss.email == 'ann@x'").find().map(\.id) == [2])
        #expect(try query.explain().description.contains("age"))
        try store.close()
        expectError(.closed) { _ = try query.find() }
    }

    @Test func `selected values, totals and groups are rows`() throws {
        let selected = try store.query(
            "Contact order by id select email, boss.email as boss, address.city, born limit 2"
        ).find()
        #expect(selected.map(\.names) == Array(repeating: selected[0].names, count: 2))
        #expect(selected[0].names == ["email", "boss", "address.city", "born"])
        #expect(
            selected[0].values
                == ["ann@x", .null, "Oslo", .date(nanoseconds: 1_000_000_250_000_000)])
        #expect(selected[1]["boss"] == "ann@x")
        #expect(selected[0].id == 0)
        let totals = try store.query("Contact select count, sum(age), average(age), max(email)")
        #expect(try totals.find().map(\.values) == [[3, 64, .number(64.0 / 3), "cat@x"]])
        #expect(try totals.count() == 1)
        let groups = try store.query(
            "Contact group by isActive select isActive, count as number order by isActive")
        #expect(try groups.find().map(\.values) == [[false, 2], [true, 1]])
        #expect(try groups.find()[0]["number"] == 2)
        #expect(try groups.count() == 2)
        let tags = try store.query("Contact order by id select tags").find()
        #expect(tags[0]["tags"] == ["a", "", "c,d"])
        try store.close()
    }

    @Test func `an error shows its place in the text`() throws {
        let error = expectError(.invalidArgument) {
            _ = try store.query("Contact where\n agee > 5")
        }
        #expect(error?.details["line"] == "2")
        #expect(error?.details["column"] == "2")
        #expect(error?.details["offset"] == "15")
        #expect(error?.message.contains("age") == true)
        expectError(.invalidArgument) { _ = try store.query("") }
        expectError(.invalidArgument) { _ = try store.query("Nothing where a = 1") }
        expectError(.invalidArgument) { _ = try store.query("Contact where age > 'x'") }
        try store.close()
    }

    @Test func `arguments replace question marks and nothing else`() throws {
        func ids(_ condition: String, _ arguments: RowValue...) throws -> [Id] {
            try store.query("Contact where " + condition, arguments: arguments).find().map(\.id)
        }
        #expect(try ids("email == ?", "ann@x") == [1])
        #expect(try ids("age == ? or age == ?", 40, -7) == [2, 3])
        #expect(try ids("age in (?, ?)", 31, 1) == [1])
        #expect(try ids("age between ? and ?", -10, 0) == [3])
        #expect(try ids("name == ?", nil) == [3])
        #expect(try ids("isActive == ?", true) == [1])
        #expect(try ids("price == ?", .decimal("12.5")) == [1])
        #expect(try ids("weight > ?", 1e-3) == [1])
        #expect(try ids("born == ?", .date(nanoseconds: 1_000_000_250_000_000)) == [1])
        #expect(try ids("token == ?", try RowValue(Contact.ann.token)) == [1])
        #expect(try ids("picture == ?", .bytes([0, 255])) == [1])
        #expect(try ids("tags contains ?", "c,d") == [1])
        #expect(try ids("email hasPrefix ? order by id desc limit ?", "", 2) == [3, 2])
        // A text stays a text.
        let hostile: RowValue = "x' or age > 0 or email == \"?\""
        #expect(try ids("email == ?", hostile) == [])
        #expect(try ids("email != ?", hostile) == [1, 2, 3])
        #expect(try ids("email == '?'") == [])
        for (condition, arguments) in [
            ("email == ?", []), ("email == ?", ["a", "b"]), ("email == 'a'", ["b"]),
            ("tags == ?", [["a"]]), ("age == ?", [.number(.nan)]), ("? == 5", ["age"]),
            ("age > ?", ["x"]), ("? ", ["age"]), ("price == ?", [.decimal("1 or true")]),
        ] as [(String, [RowValue])] {
            expectError(.invalidArgument) {
                _ = try store.query("Contact where " + condition, arguments: arguments)
            }
        }
        let error = expectError(.invalidArgument) {
            _ = try store.query("Contact where age > ?", arguments: [])
        }
        #expect(error?.details["offset"] == "20")
        expectError(.invalidArgument) { _ = try store.query("?", arguments: ["Contact"]) }
        try store.close()
    }

    @Test func `a view is queried as it was`() throws {
        try store.close()
        let store = try Store(path: directory.path, entities: [])
        let sequence = try store.sequence
        try store.rows(of: "Contact").put(["age": 5], id: 2)
        let view = try store.view(at: .sequence(sequence))
        #expect(try view.query("Contact where age == 40").find().map(\.id) == [2])
        #expect(try store.query("Contact where age == 40").count() == 0)
        try store.write {
            try store.rows(of: "Contact").put(["age": 77], id: 1)
            #expect(try store.query("Contact where age == 77").find().map(\.id) == [1])
        }
        try store.close()
    }

    @Test func `rows are streamed`() throws {
        var ids: [Id] = []
        try store.query("Contact order by email desc").forEach { ids.append($0.id) }
        #expect(ids == [3, 2, 1])
        struct Enough: Error {}
        #expect(throws: Enough.self) {
            try store.query("Contact").forEach { _ in throw Enough() }
        }
        try store.close()
    }

    @Test func `the asynchronous calls do the same`() async throws {
        let ids: [Id] = [3, 2, 1]
        let query = try store.query("Contact order by email desc")
        #expect(try await query.find().map(\.id) == ids)
        #expect(try await query.count() == 3)
        var seen: [Id] = []
        try await query.forEach { seen.append($0.id) }
        #expect(seen == ids)
        var names: [RowValue?] = []
        try await store.query("Contact order by id select email").forEach {
            names.append($0["email"])
        }
        #expect(names == ["ann@x", "bob@x", "cat@x"])
        _ = try await query.explain(isRun: true)
        try await store.close()
    }
}
