import DaybookEngine
import Foundation
import Testing

@Suite struct EraseTests {
    /// Creates a store where Ada has three versions and Bob is removed.
    private func history() throws -> SampleStore {
        let store = try SampleStore()
        try store.put("Ada", age: 36)
        try store.put("Bob", age: 7)
        try store.put("Ada", age: 37, id: 1)
        try store.put("Cid", age: 64)
        try store.remove(2)
        try store.put("Ada", age: 38, id: 1)
        try store.close()
        return store
    }

    private func erase(_ arguments: String...) throws -> [String] {
        let outcome = try CommandProcess(["erase"] + arguments).finish()
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        return outcome.lines
    }

    @Test func `objects that a query finds are erased, and a dry run changes no byte`() throws {
        let store = try history()
        let before = try store.files()
        let plan = try erase(store.path, "Person where age > 37", "--dry-run")
        #expect(try store.files() == before)
        #expect(plan.count == 1)
        #expect(
            plan[0].contains(#""sequence":null,"dryRun":true,"objects":{"Person":2},"versions":4"#))
        let done = try erase(
            store.path, "Person where age > 37", "--author", "ada", "--cause", "request 17")
        #expect(done[0].contains(#""dryRun":false,"objects":{"Person":2},"versions":4"#))
        let replayed = try CommandProcess.run("replay", store.path).output
        #expect(!replayed.contains("Ada") && !replayed.contains("Cid") && replayed.contains("Bob"))
        #expect(try CommandProcess.run("verify", store.path).status == 0)
        let list = try erase(store.path, "--list")
        #expect(list.count == 1)
        let end = #""entity":"Person","properties":[],"objects":2,"finished":true}"#
        #expect(list[0].contains(#""author":"ada""#) && list[0].hasSuffix(end), "\(list)")
        #expect(try erase(store.path, "--resume")[0].contains(#""versions":0"#))
    }

    @Test func `removed objects and properties are erased by ids`() throws {
        let store = try history()
        #expect(
            try erase(store.path, "Person", "--id", "2")[0].contains(#""versions":2"#))
        #expect(
            try erase(store.path, "Person", "--id", "1", "--property", "name")[0]
                .contains(#""versions":3"#))
        let replayed = try CommandProcess.run("replay", store.path).output
        #expect(!replayed.contains("Ada") && !replayed.contains("Bob") && replayed.contains("Cid"))
        #expect(
            try CommandProcess.run("query", store.path, "Person", "--count").lines == [
                #"{"count":2}"#
            ])
    }

    @Test func `a dump of the history contains the record of an erasure`() throws {
        let store = try history()
        _ = try erase(store.path, "Person", "--id", "2")
        let dump = try CommandProcess.run("dump", store.path, "--history")
        let record = try #require(dump.lines.first { $0.contains(#""erased""#) })
        #expect(record.hasSuffix(#""erased":1,"properties":[],"objectCount":1}"#), "\(record)")
        let folder = try ScratchFolder()
        let copy = folder.path + "/Copy"
        let load = try CommandProcess(["load", copy], input: Data(dump.output.utf8)).finish()
        #expect(load.status == 0, "\(load.errors)")
        #expect(try erase(copy, "--list") == (try erase(store.path, "--list")))
    }

    @Test func `wrong arguments are usage errors and change nothing`() throws {
        let store = try history()
        let before = try store.files()
        for arguments in [
            [], ["Person", "--list"], ["--id", "7"], ["None"], ["Person where"],
            ["Person where age > 3", "--id", "1"], ["Person", "--id", "1", "--property", "none"],
        ] {
            let outcome = try CommandProcess(["erase", store.path] + arguments).finish()
            #expect(outcome.status == 2, "\(arguments): \(outcome.errors)")
        }
        #expect(try store.files() == before)
    }
}
