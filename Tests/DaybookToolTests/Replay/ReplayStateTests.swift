import DaybookEngine
import Foundation
import Testing

@Suite struct ReplayStateTests {
    private func history() throws -> SampleStore {
        let store = try SampleStore()
        try store.put("Ada", age: 36)
        try store.put("Bob")
        try store.put("Ada", age: 37, id: 1)
        try store.remove(2)
        try store.put("Eve")
        try store.close()
        return store
    }

    @Test func `the objects of any past state are printed in the order of their ids`() throws {
        let store = try history()
        func state(_ arguments: String...) throws -> [String] {
            let outcome = try CommandProcess(["replay", store.path, "--state"] + arguments).finish()
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            return outcome.lines
        }
        let ada =
            #"{"entity":"Person","id":1,"sequence":2,"layout":1,"row":{"name":"Ada","age":36}}"#
        let older =
            #"{"entity":"Person","id":1,"sequence":4,"layout":1,"row":{"name":"Ada","age":37}}"#
        let bob =
            #"{"entity":"Person","id":2,"sequence":3,"layout":1,"row":{"name":"Bob","age":null}}"#
        let eve =
            #"{"entity":"Person","id":3,"sequence":6,"layout":1,"row":{"name":"Eve","age":null}}"#
        #expect(try state() == [older, eve])
        #expect(try state("--until", "1") == [])
        #expect(try state("--until", "2") == [ada])
        #expect(try state("--until", "3") == [ada, bob])
        #expect(try state("--until", "4") == [older, bob])
        #expect(try state("--until", "5") == [older])
        #expect(try state("--until", "900") == [older, eve])
        #expect(try state("--until", "2000-01-01") == [])
        #expect(try state("--entity", "Person:3") == [eve])
        #expect(try state("--entity", "Person:2") == [])
        #expect(try state("--entity", "Person:2", "--until", "4") == [bob])
        #expect(try state("--entity", "Note") == [])
        #expect(try state("--limit", "1") == [older])
    }

    @Test func `a replay of the whole log is compared with the state`() throws {
        let store = try history()
        let outcome = try CommandProcess.run("replay", store.path, "--check")
        #expect(outcome.status == 0)
        let line = try #require(outcome.lines.first)
        #expect(line.hasPrefix(#"{"sequence":6,"foldedHash":""#))
        #expect(line.hasSuffix(#"","equal":true}"#))
        let hashes = line.matches(of: /Hash":"([0-9a-f]{16})"/).map(\.1)
        #expect(hashes.count == 2 && hashes[0] == hashes[1])
    }

    @Test func `a state below the history floor is refused and nothing is printed`() throws {
        let store = try history()
        #expect(try CommandProcess.run("compact", store.path, "--history", "latest").status == 0)
        let outcome = try CommandProcess.run("replay", store.path, "--state", "--until", "3")
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(
            outcome.errors
                == "daybook: The state at sequence 3 is gone: a compaction dropped the versions"
                + " that were superseded before sequence 6. Use 6 or later.\n")
        #expect(
            try CommandProcess.run("replay", store.path, "--state", "--until", "6").lines.count == 2
        )
    }
}
