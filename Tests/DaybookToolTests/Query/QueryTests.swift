import Foundation
import Testing

/// `daybook query`, run as a script runs it.
@Suite struct QueryTests {
    private func run(_ store: LibraryStore, _ arguments: String...) throws -> CommandProcess.Outcome
    {
        try CommandProcess(["query", store.path] + arguments).finish()
    }

    private func lines(_ store: LibraryStore, _ arguments: String...) throws -> [String] {
        let outcome = try CommandProcess(["query", store.path] + arguments).finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors == "")
        return outcome.lines
    }

    @Test func `objects are printed as in a replayed state`() throws {
        let store = try LibraryStore.filled()
        let state = try CommandProcess.run("replay", store.path, "--state", "--entity", "Book")
            .lines
        #expect(state.count == 5)
        #expect(try lines(store, "Book") == state)
        #expect(try lines(store, "Book where year == 1843") == [state[0], state[1]])
        #expect(
            try lines(store, "Book where author.name == 'Ada' order by title desc") == [
                state[1], state[0],
            ])
        #expect(
            try lines(store, "Book order by title case sensitive limit 2 offset 1") == [
                state[1], state[4],
            ])
        #expect(try lines(store, "Book order by title", "--limit", "2") == [state[2], state[0]])
        #expect(try lines(store, "Book limit 1", "--limit", "3") == [state[0]])
        #expect(
            state[0]
                == #"{"entity":"Book","id":1,"sequence":3,"layout":2,"#
                + #""row":{"title":"Engines","year":1843,"#
                + #""price":"12.50","weight":0.1,"bought":"1970-01-01T00:00:00.000Z","#
                + #""tags":["old","math"]},"links":{"author":[1]}}"#)
        #expect(
            try lines(store, "Author where count(<-Book.author) > 1")
                == [#"{"entity":"Author","id":1,"sequence":2,"layout":1,"row":{"name":"Ada"}}"#])
    }

    @Test func `printed values are valid in a query`() throws {
        let store = try LibraryStore.filled()
        for (condition, ids) in [
            ("bought == '1970-01-02T00:00:00.000Z'", [2]), ("bought in @1970-01-02", [2]),
            ("weight == 0.1", [1]), ("price == 12.5", [1]), ("price < 0", [5]),
            ("tags contains 'math'", [1]), ("any tags hasPrefix '字'", [4]),
            ("none tags", [2, 3, 5]),
            ("title like[c] 'ENGINE*'", [1, 3]), ("title hasPrefix[cd] 'apf'", [4]),
            ("year is nil", [3]), ("year != 1843", [3, 4, 5]), ("author == 2", [4]),
            ("id in 2...3", [2, 3]),
            ("title in ('Zero', 'Notes')", [2, 5]), ("author (name matches 'ada')", [1, 2]),
        ] {
            #expect(
                try lines(store, "Book where \(condition) select id")
                    == ids.map { "{\"id\":\($0)}" },
                "\(condition)")
        }
    }

    @Test func `selected properties of each object are printed`() throws {
        let store = try LibraryStore.filled()
        let selected = try lines(
            store,
            "Book select id, title, year, price, weight, bought, tags, author, author.name as by,"
                + " count(tags) limit 3")
        #expect(
            selected == [
                #"{"id":1,"title":"Engines","year":1843,"price":"12.50","weight":0.1,"#
                    + #""bought":"1970-01-01T00:00:00.000Z","tags":["old","math"],"author":1,"#
                    + #""by":"Ada","count(tags)":2}"#,
                #"{"id":2,"title":"Notes","year":1843,"price":"7.25","weight":1.5,"#
                    + #""bought":"1970-01-02T00:00:00.000Z","tags":[],"author":1,"#
                    + #""by":"Ada","count(tags)":0}"#,
                #"{"id":3,"title":"engine room","year":null,"price":"3","weight":2.0,"#
                    + #""bought":"1970-01-03T00:00:00.000Z","tags":[],"author":null,"#
                    + #""by":null,"count(tags)":0}"#,
            ])
    }

    @Test func `totals and groups are printed`() throws {
        let store = try LibraryStore.filled()
        let totals = try lines(
            store,
            "Book select count, sum(price), min(year) as first, max(bought), average(weight),"
                + " count(year), sum(count(tags))")
        #expect(
            totals == [
                #"{"count":5,"sum(price)":"121.75","first":0,"#
                    + #""max(bought)":"2024-10-04T00:00:00.000Z","#
                    + #""average(weight)":0.7700000002980232,"count(year)":4,"sum(count(tags))":3}"#
            ])
        #expect(
            try lines(store, "Book where id > 9 select count, max(year), average(weight)") == [
                #"{"count":0,"max(year)":null,"average(weight)":null}"#
            ])
        #expect(
            try lines(store, "Book group by year")
                == [
                    #"{"year":null,"count":1}"#, #"{"year":0,"count":1}"#,
                    #"{"year":1843,"count":2}"#,
                    #"{"year":1999,"count":1}"#,
                ])
        #expect(
            try lines(
                store,
                "Book group by author.name select author.name as author, count, sum(price) as total"
                    + " having total > 5 and not author is nil order by total desc, author limit 2")
                == [
                    #"{"author":"Bob","count":1,"total":"100"}"#,
                    #"{"author":"Ada","count":2,"total":"19.75"}"#,
                ])
        #expect(
            try lines(store, "Book group by year having count > 1", "--count") == [#"{"count":1}"#])
    }

    @Test func `a limit applies to lines and does not change totals`() throws {
        let store = try LibraryStore.filled()
        #expect(
            try lines(store, "Book group by year", "--limit", "3") == [
                #"{"year":null,"count":1}"#, #"{"year":0,"count":1}"#,
                #"{"year":1843,"count":2}"#,
            ])
        #expect(
            try lines(store, "Book group by year limit 1", "--limit", "3") == [
                #"{"year":null,"count":1}"#
            ])
        #expect(
            try lines(store, "Book select count", "--limit", "1") == [#"{"count":5}"#])
        #expect(
            try lines(store, "Book group by year", "--count", "--limit", "2")
                == [#"{"count":2}"#])
    }

    @Test func `the number of objects is printed alone`() throws {
        let store = try LibraryStore.filled()
        #expect(try lines(store, "Book where year > 1800", "--count") == [#"{"count":3}"#])
        #expect(try lines(store, "Book where year > 1800 offset 2", "--count") == [#"{"count":1}"#])
        #expect(try lines(store, "Book where false", "--count") == [#"{"count":0}"#])
        #expect(try lines(store, "Book", "--count", "--limit", "2") == [#"{"count":2}"#])
    }

    @Test func `a past state is queried like the current one`() throws {
        let store = try LibraryStore.filled()
        #expect(try lines(store, "Book", "--count", "--at", "4") == [#"{"count":5}"#])
        #expect(try lines(store, "Book", "--count", "--at", "3") == [#"{"count":4}"#])
        #expect(try lines(store, "Book", "--count", "--at", "2") == [#"{"count":0}"#])
        #expect(
            try lines(store, "Book where year = 1843 select id", "--at", "3") == [
                #"{"id":1}"#, #"{"id":2}"#,
            ])
        #expect(try lines(store, "Author", "--count", "--at", "2000-01-01") == [#"{"count":0}"#])
        #expect(try CommandProcess.run("compact", store.path, "--history", "latest").status == 0)
        let gone = try run(store, "Book", "--at", "3")
        #expect(gone.status == 1)
        #expect(gone.errors.contains("The state at sequence 3 is gone"))
    }

    @Test func `the query plan is explained`() throws {
        let store = try LibraryStore()
        try store.put((0..<3_000).map { LibraryStore.Book(title: "\($0)", year: $0 % 500) })
        try store.close()
        let text = "Book where year == 7 and title hasPrefix '1'"
        let explained = try lines(store, text, "--explain")
        #expect(explained.count == 1)
        let json = try JSONSerialization.jsonObject(with: Data((explained.first ?? "").utf8))
        let step = try #require(json as? [String: Any])
        #expect(step["step"] as? String == #"filter title hasPrefix "1""#)
        #expect(step["found"] as? Int == 2)
        let inner = try #require((step["steps"] as? [[String: Any]])?.first)
        #expect(inner["index"] as? String == "year")
        #expect(inner["estimate"] as? Int == 6)
        let forPeople = try lines(store, text, "--explain", "--table")
        #expect(forPeople.count == 2)
        #expect(forPeople[0].hasPrefix(#"filter title hasPrefix "1""#))
        #expect(forPeople[1].hasPrefix("  index") && forPeople[1].contains("Book.year"))
    }

    @Test func `a table has fitting columns, with numbers aligned to the right`() throws {
        let store = try LibraryStore.filled()
        let table = try run(store, "Book select title, year, price, author.name, tags", "--table")
        #expect(
            table.output
                == #"""
                title              year  price  author.name  tags
                -----------------  ----  -----  -----------  --------------
                Engines            1843  12.50  Ada          ["old","math"]
                Notes              1843   7.25  Ada          []
                engine room                  3               []
                Äpfel\n\u{1b}[31m  1999    100  Bob          ["字"]
                Zero                  0     -1               []

                """#)
        #expect(
            try lines(store, "Book where year = 0", "--table")
                == [
                    "id  title  year  price  weight  bought                    tags  author",
                    "--  -----  ----  -----  ------  ------------------------  ----  ------",
                    " 5  Zero      0     -1     0.0  1970-01-01T00:00:00.000Z  []          ",
                ])
        #expect(try lines(store, "Book where false", "--table") == [])
        #expect(
            try lines(store, "Book group by year order by count desc limit 1", "--table")
                == ["year  count", "----  -----", "1843      2"])
    }

    @Test(arguments: [[], ["--table"], ["--count"]])
    func `an empty result changes the status on request`(_ mode: [String]) throws {
        let store = try LibraryStore.filled()
        func status(_ text: String, _ more: String...) throws -> Int32 {
            try CommandProcess(["query", store.path, text] + mode + more).finish().status
        }
        #expect(try status("Book where false", "--fail-empty") == 7)
        #expect(try status("Book where false") == 0)
        #expect(try status("Book", "--fail-empty") == 0)
    }

    @Test func `a wrong query exits with 2 and prints only its location`() throws {
        let store = try LibraryStore.filled()
        let outcome = try run(store, "Book where yaer > 1900")
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(
            outcome.errors == """
                daybook: Book has no 'yaer'. It has: author, bought, id, price, tags, title, \
                weight, year. Did you mean 'year'? (line 1, column 12)
                    Book where yaer > 1900
                               ^^^^

                """)
        for text in [
            "", "Books", "Book where", "Book where year > 'x'",
            String(repeating: "(", count: 70_000),
        ] {
            let outcome = try run(store, text)
            #expect(outcome.status == 2)
            #expect(outcome.output == "")
            #expect(outcome.errors.hasPrefix("daybook: "))
        }
    }

    @Test(arguments: [
        (["--count", "--explain"], "'--count' and '--explain' exclude each other; choose one."),
        (["--count", "--table"], "'--table' has no effect with '--count'"),
        (["--explain", "--fail-empty"], "'--fail-empty' has no effect with '--explain'"),
        (["--limit=-1"], "'--limit' must not be negative"),
        (["--at", "yesterday"], "give a sequence, as in 1042"),
    ])
    func `wrong options exit with 2 and print the correction`(
        _ options: [String], _ message: String
    ) throws {
        let outcome = try CommandProcess(["query", "store", "Book"] + options).finish()
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `a query changes no byte of the store`() throws {
        let store = try SampleStore()
        for index in 0..<50 { try store.put("Person \(index)", age: Int32(index)) }
        // A writer may have the store open meanwhile.
        let before = try store.files()
        let outcome = try CommandProcess.run(
            "query", store.path, "Person where age >= 40 order by name desc")
        #expect(outcome.status == 0)
        #expect(outcome.lines.count == 10)
        #expect(try store.files() == before)
    }

    @Test func `a limit of 0 prints nothing`() throws {
        let store = try LibraryStore.filled()
        for arguments in [["query", store.path, "Book"], ["replay", store.path, "--state"]] {
            let outcome = try CommandProcess(arguments + ["--limit", "0"]).finish()
            #expect(outcome.status == 0)
            #expect(outcome.output == "")
        }
    }

    @Test func `a missing store is refused with a message`() throws {
        let store = try LibraryStore.filled()
        let outcome = try CommandProcess.run("query", store.path + "x", "Book")
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("daybook: There is no store at "))
    }
}
