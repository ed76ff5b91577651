import DaybookEngine
import DaybookRecords
import Foundation
import Testing

@Suite struct ReplayEventsTests {
    /// Sequence 1 is the schema; 2 puts Ada, 3 Bob, 4 puts Ada again, 5 removes Bob.
    private func history() throws -> SampleStore {
        let store = try SampleStore()
        try store.put("Ada", age: 36, metadata: ["author": "test", "cause": "birth"])
        try store.put("Bob \"B\"")
        try store.put("Ada", age: 37, id: 1)
        try store.remove(2)
        try store.close()
        return store
    }

    /// Returns the line without its time, which is unpredictable.
    private func timeless(_ line: String) -> String {
        line.replacing(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"/, with: "\"time\":T")
    }

    @Test func `events are printed in log order, one per line`() throws {
        let store = try history()
        let outcome = try CommandProcess.run("replay", store.path)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(
            outcome.lines.map(timeless) == [
                #"{"sequence":2,"time":T,"metadata":{"author":"test","cause":"birth"},"#
                    + #""op":"put","entity":"Person","id":1,"previous":null,"layout":1,"#
                    + #""row":{"name":"Ada","age":36}}"#,
                #"{"sequence":3,"time":T,"op":"put","entity":"Person","id":2,"previous":null,"#
                    + #""layout":1,"row":{"name":"Bob \"B\"","age":null}}"#,
                #"{"sequence":4,"time":T,"op":"put","entity":"Person","id":1,"previous":2,"#
                    + #""layout":1,"row":{"name":"Ada","age":37}}"#,
                #"{"sequence":5,"time":T,"op":"remove","entity":"Person","id":2,"previous":3}"#,
            ])
    }

    @Test func `appended rows are printed with their numbers`() throws {
        let store = try SampleStore()
        let engine = try #require(store.engine)
        let click = try engine.register([
            EntityDeclaration(
                name: "Click", kind: .event,
                fields: [FieldDeclaration(name: "button", type: .string)])
        ])[0]
        try store.put("Ada")
        try engine.write { transaction in
            for button in ["left", "right"] {
                var encoder = RowEncoder(RowLayout(click))
                try encoder.set(text: button, at: 0)
                encoder.finish()
                try transaction.changes.append(
                    click.entityID, layout: click.layoutID, row: encoder.row)
            }
        }
        try store.close()
        let outcome = try CommandProcess.run("replay", store.path, "--op", "event")
        #expect(
            outcome.lines.map(timeless) == [
                #"{"sequence":4,"time":T,"op":"event","entity":"Click","id":1,"layout":3,"#
                    + #""row":{"button":"left"}}"#,
                #"{"sequence":4,"time":T,"op":"event","entity":"Click","id":2,"layout":3,"#
                    + #""row":{"button":"right"}}"#,
            ])
        let counts = try CommandProcess.run("replay", store.path, "--stats", "--entity", "Click")
        #expect(counts.lines.first?.contains(#""entity":"Click","op":"event","events":2"#) == true)
    }

    private func sequences(_ outcome: CommandProcess.Outcome) -> [Int] {
        outcome.lines.compactMap { line in
            line.firstMatch(of: /"sequence":(\d+)/).flatMap { Int($0.1) }
        }
    }

    @Test func `a range includes both ends`() throws {
        let store = try history()
        func replay(_ arguments: String...) throws -> [Int] {
            sequences(try CommandProcess(["replay", store.path] + arguments).finish())
        }
        #expect(try replay("--from", "3") == [3, 4, 5])
        #expect(try replay("--until", "3") == [2, 3])
        #expect(try replay("--from", "3", "--until", "4") == [3, 4])
        #expect(try replay("--from", "4", "--until", "3") == [])
        #expect(try replay("--from", "99") == [])
        #expect(try replay("--limit", "2") == [2, 3])
        #expect(try replay("--op", "remove") == [5])
        #expect(try replay("--op", "put,remove", "--entity", "Person:2") == [3, 5])
        #expect(try replay("--entity", "Note") == [])
        #expect(try replay("--from", "2000-01-01") == [2, 3, 4, 5])
        #expect(try replay("--until", "2000-01-01") == [])
        #expect(try replay("--from", "2999-01-01") == [])
    }

    @Test func `the printed time of a transaction selects it again`() throws {
        let store = try SampleStore()
        for index in 0..<4 {
            try store.put("Person \(index)")
            Thread.sleep(forTimeInterval: 0.002)
        }
        try store.close()
        let lines = try CommandProcess.run("replay", store.path).lines
        let times = lines.compactMap { $0.firstMatch(of: /"time":"([^"]+)"/).map { String($0.1) } }
        try #require(times.count == 4)
        for (index, time) in times.enumerated() {
            let upTo = try CommandProcess.run("replay", store.path, "--until", time)
            let after = try CommandProcess.run("replay", store.path, "--from", time)
            #expect(upTo.lines == Array(lines[...index]))
            #expect(after.lines == Array(lines[index...]))
        }
    }

    @Test func `counts are printed by entity and operation`() throws {
        let store = try history()
        let outcome = try CommandProcess.run("replay", store.path, "--stats")
        let lines = outcome.lines.map {
            $0.replacing(/"(first|last)Time":"[^"]+"/) { "\"\($0.1)Time\":T" }
        }
        #expect(outcome.status == 0)
        #expect(
            lines == [
                #"{"entity":"Person","op":"put","events":3,"transactions":3,"bytes":55,"#
                    + #""firstSequence":2,"firstTime":T,"lastSequence":4,"lastTime":T}"#,
                #"{"entity":"Person","op":"remove","events":1,"transactions":1,"bytes":5,"#
                    + #""firstSequence":5,"firstTime":T,"lastSequence":5,"lastTime":T}"#,
                #"{"total":true,"events":4,"transactions":4,"bytes":60,"#
                    + #""firstSequence":2,"firstTime":T,"lastSequence":5,"lastTime":T}"#,
            ])
    }

    @Test
    func `gaps in the history are reported before the first event, and no range may begin in one`()
        throws
    {
        let store = try history()
        #expect(try CommandProcess.run("compact", store.path, "--history", "latest").status == 0)
        let floor = #"{"historyFloor":5}"#
        let left = try CommandProcess.run("replay", store.path)
        #expect(left.lines.first == floor)
        #expect(sequences(left) == [4])
        #expect(try CommandProcess.run("replay", store.path, "--stats").lines.first == floor)
        let limited = try CommandProcess.run("replay", store.path, "--limit", "1")
        #expect(sequences(limited) == [4])
        let nothing = ["replay", store.path, "--entity", "Note", "--fail-empty"]
        #expect(try CommandProcess(nothing).finish().status == 7)
        #expect(try CommandProcess.run("replay", store.path, "--from", "5").output == "")
        for from in ["4", "2000-01-01"] {
            let refused = try CommandProcess.run("replay", store.path, "--from", from)
            #expect(refused.status == 1)
            #expect(refused.output == "")
            #expect(refused.errors.contains("Begin at 5 or later"))
        }
    }

    @Test func `an empty result succeeds, unless the caller requests a failure`() throws {
        let store = try history()
        let empty = ["replay", store.path, "--entity", "Note"]
        #expect(
            try CommandProcess(empty).finish()
                == CommandProcess.Outcome(status: 0, output: "", errors: ""))
        #expect(
            try CommandProcess(empty + ["--fail-empty"]).finish()
                == CommandProcess.Outcome(status: 7, output: "", errors: ""))
        #expect(try CommandProcess(empty + ["--stats", "--fail-empty"]).finish().status == 7)
        #expect(try CommandProcess.run("replay", store.path, "--fail-empty").status == 0)
    }

    @Test func `a transaction of many frames is printed with the commit at its end`() throws {
        let store = try SampleStore { $0.framePayloadBytes = 256 }
        try store.write { transaction in
            for index in 0..<200 {
                try store.put("Person \(index)", in: transaction)
            }
        }
        try store.close()
        let outcome = try CommandProcess.run("replay", store.path)
        #expect(sequences(outcome) == Array(repeating: 2, count: 200))
        #expect(outcome.lines.last?.contains("Person 199") == true)
        let one = try CommandProcess.run("replay", store.path, "--entity", "Person:150")
        #expect(one.lines.count == 1 && one.lines[0].contains("Person 149"))
    }

    @Test func `a replay beside a writer prints committed data and changes no byte`() throws {
        let store = try SampleStore()
        try store.put("Ada")
        let before = try store.files()
        for arguments in [
            ["replay"], ["replay", "--state"], ["replay", "--stats"], ["replay", "--check"],
            ["stats"],
        ] {
            let outcome = try CommandProcess(arguments + [store.path]).finish()
            #expect(outcome.status == 0, "\(arguments)")
            #expect(outcome.errors == "", "\(arguments)")
            #expect(!outcome.lines.isEmpty, "\(arguments)")
        }
        #expect(try store.files() == before)
    }
}
