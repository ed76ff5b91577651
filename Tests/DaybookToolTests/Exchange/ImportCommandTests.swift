import DaybookBytes
import DaybookEngine
import Foundation
import Testing

/// `import` and `export` as processes.
@Suite struct ImportCommandTests {
    /// Writes a file beside a store, and returns its path.
    private func file(_ name: String, _ text: String, beside store: LibraryStore) throws -> String {
        let url = store.folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    private func books(_ store: LibraryStore) throws -> [String] {
        try CommandProcess.run(
            "export", store.path, "Book order by id select title, year, author.id as author",
            "--format", "csv"
        ).lines
    }

    @Test func `an export prints objects or selected values`() throws {
        let store = try LibraryStore.filled()
        #expect(
            try CommandProcess.run("export", store.path, "Author", "--format", "csv").output
                == "id,name\n1,Ada\n2,Bob\n")
        let lines = try CommandProcess.run(
            "export", store.path, "Book where id == 1", "--format", "jsonl"
        ).lines
        #expect(
            lines == [
                #"{"id":1,"title":"Engines","year":1843,"price":"12.50","weight":0.1,"#
                    + #""bought":"1970-01-01T00:00:00.000Z","tags":["old","math"],"author":1}"#
            ])
        #expect(
            try CommandProcess.run(
                "export", store.path, "Book where title contains 'pfel' select title, tags",
                "--format", "csv"
            ).output == "title,tags\n\"Äpfel\n\u{1B}[31m\",\"[\"\"字\"\"]\"\n")
        #expect(
            try CommandProcess.run(
                "export", store.path, "Book select count", "--format", "csv", "--at", "3"
            ).lines == ["count", "4"])
    }

    @Test func `an export of an entity is imported into another store`() throws {
        let store = try LibraryStore.filled()
        let copy = store.folder.appendingPathComponent("copy").path
        let empty = try LibraryStore()
        try empty.close()
        try FileManager.default.moveItem(atPath: empty.path, toPath: copy)
        for entity in ["Author", "Book"] {
            for format in ["csv", "jsonl"] {
                let text = try CommandProcess.run(
                    "export", store.path, entity, "--format", format
                ).output
                let path = try file("in." + format, text, beside: store)
                let outcome = try CommandProcess.run(
                    "import", copy, entity, path, "--update", "replace")
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(
                    try CommandProcess.run("export", copy, entity, "--format", format).output
                        == text)
            }
        }
        #expect(try CommandProcess.run("verify", copy).status == 0)
    }

    @Test func `every bad line is printed, and nothing is imported`() throws {
        let store = try LibraryStore.filled()
        let before = try books(store)
        let path = try file(
            "in.csv", "title,year\nA,1\nB,x\nC,3\nD,99999999999\n", beside: store)
        let outcome = try CommandProcess.run("import", store.path, "Book", path)
        #expect(outcome.status == 1)
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines[0].hasPrefix(#"{"line":3,"reason":"'year' is int32?, and"#))
        #expect(outcome.lines[1].hasPrefix(#"{"line":5,"#))
        #expect(outcome.errors.contains("2 of 4 records"))
        #expect(outcome.errors.contains("line 3"))
        #expect(try books(store) == before)
        let dry = try CommandProcess.run("import", store.path, "Book", path, "--dry-run")
        #expect(dry.status == 1)
        #expect(dry.errors == "")
        #expect(
            dry.lines.last
                == #"{"entity":"Book","dryRun":true,"records":4,"inserted":2,"replaced":0,"#
                + #""ignored":0,"bad":2}"#)
        #expect(try books(store) == before)
    }

    @Test func `columns are mapped, and standard input is read`() throws {
        let store = try LibraryStore.filled()
        let outcome = try CommandProcess(
            [
                "import", store.path, "Book", "-", "--format", "csv", "--map", "Name=title",
                "--map", "Ignored=", "--map", "by=author",
            ], input: Data("Name,Ignored,by\nNew,x,2\n".utf8)
        ).finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.lines == [
                #"{"entity":"Book","dryRun":false,"records":1,"inserted":1,"replaced":0,"#
                    + #""ignored":0,"bad":0}"#
            ])
        #expect(try books(store).last == "New,,2")
    }

    @Test(arguments: [
        (["Book", "in.txt"], "give '--format'"),
        (["Book", "in.csv", "--format", "xml"], "give csv or jsonl"),
        (["Book", "in.csv", "--update", "merge"], "give error, replace or ignore"),
        (["Book", "in.csv", "--map", "title"], "as in e-mail=email"),
        (["Book", "in.csv", "--map", "a=title", "--map", "a=year"], "two properties for 'a'"),
        (["Bok", "in.csv"], "Did you mean 'Book'?"),
        (["Book", "in.csv", "--map", "title=titel"], "Did you mean 'title'?"),
    ])
    func `wrong usage exits with 2 and imports nothing`(
        _ arguments: [String], _ message: String
    ) throws {
        let store = try LibraryStore.filled()
        _ = try file("in.csv", "title\nA\n", beside: store)
        let outcome = try CommandProcess(
            ["import", store.path] + arguments, directory: store.folder.path
        ).finish()
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `a missing store or file is an error, and no store is created`() throws {
        let store = try LibraryStore.filled()
        let path = try file("in.csv", "title\nA\n", beside: store)
        let missing = store.folder.appendingPathComponent("none").path
        #expect(try CommandProcess.run("import", missing, "Book", path).status == 1)
        #expect(!FileManager.default.fileExists(atPath: missing))
        #expect(try CommandProcess.run("import", store.path, "Book", missing + ".csv").status == 1)
    }

    @Test func `a reader that closes the output ends an export without an error`() throws {
        let store = try LibraryStore.filled()
        let outcome = try CommandProcess(
            ["export", store.path, "Book", "--format", "csv"], output: .closedPipe
        ).finishUnread()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
    }

    @Test func `an interrupted import stores nothing`() throws {
        let store = try LibraryStore.filled()
        let before = try books(store)
        let input = Pipe()
        let process = try CommandProcess(
            ["import", store.path, "Book", "-", "--format", "csv"], inputPipe: input)
        try input.fileHandleForWriting.write(contentsOf: Data("title\nA\nB\n".utf8))
        Thread.sleep(forTimeInterval: 0.5)
        process.interrupt()
        #expect(process.finish().status == 130)
        #expect(try books(store) == before)
    }
}
