import DaybookEngine
import DaybookRecords
import Foundation
import Testing

@Suite struct CompactTests {
    /// Creates a store where Ada has three versions and Bob is removed.
    private func history() throws -> SampleStore {
        let store = try SampleStore()
        try store.put("Ada", age: 36)
        try store.put("Bob")
        try store.put("Ada", age: 37, id: 1)
        try store.remove(2)
        try store.put("Ada", age: 38, id: 1)
        try store.close()
        return store
    }

    private func lines(_ arguments: String...) throws -> [String] {
        let outcome = try CommandProcess(arguments).finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.lines
    }

    @Test func `a compaction keeps every version by default`() throws {
        let store = try SampleStore { $0.log.segmentSizeBytes = 8192 }
        for index in 0..<400 {
            try store.put("A name that comes again and again", age: Int32(index))
        }
        try store.close()
        let events = try lines("replay", store.path)
        let outcome = try CommandProcess.run("compact", store.path, "--json")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let last = try #require(outcome.lines.last)
        #expect(last.hasPrefix(#"{"history":"all","dryRun":false,"bytesBefore":"#))
        #expect(last.hasSuffix(#","droppedRecords":0,"historyFloor":0}"#))
        let sizes = last.matches(of: /"bytes(?:Before|After)":(\d+)/).compactMap { Int($0.1) }
        #expect(sizes.count == 2 && sizes[1] * 3 < sizes[0])
        #expect(try lines("replay", store.path) == events)
        #expect(try CommandProcess.run("verify", store.path).status == 0)
        #expect(try lines("stats", store.path)[0].contains(#""state":"compressed""#))
    }

    @Test func `a compaction to the latest keeps only the last versions`() throws {
        let store = try history()
        let state = try lines("replay", store.path, "--state")
        let outcome = try CommandProcess.run(
            "compact", store.path, "--history", "latest", "--json")
        #expect(outcome.status == 0)
        #expect(
            outcome.lines.last?.hasSuffix(#""droppedRecords":8,"historyFloor":6}"#) == true,
            "\(outcome.output)")
        #expect(try lines("replay", store.path, "--state") == state)
        let events = try lines("replay", store.path)
        #expect(events.count == 2 && events[0] == #"{"historyFloor":6}"#)
        #expect(events[1].contains(#""sequence":6"#) && events[1].contains(#""previous":4"#))
        #expect(try CommandProcess.run("verify", store.path).status == 0)
        #expect(try CommandProcess.run("replay", store.path, "--check").status == 0)

        // Bob's id is not assigned again.
        try store.open()
        #expect(try store.put("Eve") == 3)
        try store.close()
    }

    @Test func `a dry run changes no byte and reports the reason for each kept segment`() throws {
        let store = try history()
        let before = try store.files()
        let outcome = try CommandProcess.run(
            "compact", store.path, "--history", "latest", "--dry-run", "--json")
        #expect(outcome.status == 0)
        #expect(try store.files() == before)
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines[0].contains(#""segment":1,"firstSequence":1,"lastSequence":6,"#))
        #expect(outcome.lines[0].contains(#""reason":"last versions of living objects"#))
        #expect(outcome.lines[1].contains(#""dryRun":true,"#))
        let end = #""bytesAfter":null,"heldBytes":0,"retainingConsumers":[],"droppedRecords":8,"#
        #expect(outcome.lines[1].contains(end))
        let quiet = try CommandProcess.run("compact", store.path, "--dry-run")
        #expect(quiet == CommandProcess.Outcome(status: 0, output: "", errors: ""))
    }

    @Test func `the history since a commit or a time stays if the caller requests that`() throws {
        let store = try history()
        let state = try lines("replay", store.path, "--state", "--until", "4")
        let outcome = try CommandProcess.run(
            "compact", store.path, "--history", "since=4", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.lines.last?.hasSuffix(
                #""retainingConsumers":[],"droppedRecords":2,"historyFloor":4}"#) == true,
            "\(outcome.output)")
        #expect(outcome.lines.last?.hasPrefix(#"{"history":"since=4","#) == true)
        #expect(try lines("replay", store.path, "--state", "--until", "4") == state)
        #expect(try CommandProcess.run("replay", store.path, "--state", "--until", "3").status != 0)
        #expect(try CommandProcess.run("verify", store.path).status == 0)
        let later = try CommandProcess.run(
            "compact", store.path, "--history", "since=2999-01-01", "--json")
        #expect(later.lines.last?.hasPrefix(#"{"history":"since=7","#) == true, "\(later.output)")
    }

    @Test func `the newest versions stay, and other histories of some entities`() throws {
        let store = try history()
        let outcome = try CommandProcess.run(
            "compact", store.path, "--history", "versions=2", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.last?.hasPrefix(#"{"history":"versions=2","#) == true)
        // The first version of Ada and its commit.
        #expect(
            outcome.lines.last?.hasSuffix(#""droppedRecords":2,"historyFloor":6}"#) == true,
            "\(outcome.output)")
        let only = try CommandProcess.run(
            "compact", store.path, "--except", "Person=latest", "--json")
        #expect(only.status == 0, "\(only.errors)")
        #expect(
            only.lines.last?.hasPrefix(#"{"history":"all","except":{"Person":"latest"},"#) == true,
            "\(only.output)")
        #expect(only.lines.first?.contains(#""droppedTombstones":1,"keptTombstones":0,"#) == true)
        #expect(try CommandProcess.run("verify", store.path).status == 0)
        for text in ["Person", "=latest", "Person=none"] {
            let refused = try CommandProcess.run("compact", store.path, "--except", text)
            #expect(refused.status == 2, "\(refused.status)")
        }
        let twice = try CommandProcess.run(
            "compact", store.path, "--except", "Person=latest", "--except", "Person=all")
        #expect(twice.status == 2)
        #expect(twice.errors.contains("two histories of Person"), "\(twice.errors)")
        let unknown = try CommandProcess.run("compact", store.path, "--except", "Nobody=latest")
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("has no entity 'Nobody'"), "\(unknown.errors)")
    }

    @Test func `an unknown history is refused with the accepted forms`() throws {
        let store = try history()
        for text in [
            "none", "since", "since=", "since=yesterday", "versions=0", "versions=", "versions=x",
        ] {
            let outcome = try CommandProcess.run("compact", store.path, "--history", text)
            #expect(outcome.status == 64 || outcome.status == 2, "\(outcome.status)")
            #expect(outcome.errors.contains("give "), "\(outcome.errors)")
        }
    }

    @Test func `changes that a consumer has not acknowledged stay unless they are ignored`() throws
    {
        let store = try history()
        try store.open()
        let engine = try #require(store.engine)
        let position = ChangePosition(store: engine.position.store, sequence: 5)
        try ConsumerStore(engine).write(position, of: "mailer")
        try store.close()
        let compact = ["compact", store.path, "--history", "latest", "--json"]
        let kept = try CommandProcess(compact).finish()
        #expect(kept.lines.last?.contains(#""retainingConsumers":["mailer"]"#) == true)
        #expect(kept.lines.last?.hasSuffix(#""historyFloor":5}"#) == true, "\(kept.output)")
        let dropped = try CommandProcess(compact + ["--ignore-consumers"]).finish()
        #expect(dropped.lines.last?.contains(#""retainingConsumers":[]"#) == true)
    }

    @Test func `events are dropped only by name, and never by a number of versions`() throws {
        let store = try history()
        try store.open()
        let engine = try #require(store.engine)
        let click = try engine.register([
            EntityDeclaration(
                name: "Click", kind: .event, fields: [FieldDeclaration(name: "at", type: .int32)])
        ])[0]
        var row = RowEncoder(RowLayout(click))
        row.begin()
        row.set(int32: 7, at: 0)
        row.finish()
        for _ in 1...3 {
            try store.write {
                _ = try $0.changes.append(click.entityID, layout: click.layoutID, row: row.row)
            }
        }
        try store.close()
        let before = try store.files()
        let refused = try CommandProcess.run("compact", store.path, "--except", "Click=versions=2")
        #expect(refused.status == 2)
        #expect(
            refused.errors.contains(
                "The history of Click cannot be .versions(2). An event has one"
                    + " version; use .last, .since or .latest."), "\(refused.errors)")
        let segments = before.filter { $0.key.hasPrefix("segment-") }
        #expect(try store.files().filter { $0.key.hasPrefix("segment-") } == segments)
        let latest = try CommandProcess.run(
            "compact", store.path, "--history", "latest", "--json")
        #expect(latest.lines.first?.contains(#""droppedEvents":0,"#) == true, "\(latest.output)")
        #expect(try lines("replay", store.path, "--op", "event").count == 3 + 1)
        let dropped = try CommandProcess.run(
            "compact", store.path, "--except", "Click=latest", "--json")
        #expect(dropped.status == 0, "\(dropped.errors)")
        #expect(dropped.lines.first?.contains(#""droppedEvents":3,"#) == true, "\(dropped.output)")
        #expect(try lines("replay", store.path, "--op", "event").count == 1)
        #expect(try CommandProcess.run("verify", store.path).status == 0)
        #expect(try CommandProcess.run("replay", store.path, "--check").status == 0)
        let copy = store.sibling("copy")
        #expect(try CommandProcess.run("replay", store.path, "--into", copy).status == 0)
        #expect(try CommandProcess.run("verify", copy).status == 0)
    }

    @Test func `repeated compactions change only the files`() throws {
        let store = try history()
        let state = try lines("replay", store.path, "--state")
        for history in ["latest", "all", "latest", "latest"] {
            #expect(try CommandProcess.run("compact", store.path, "--history", history).status == 0)
            #expect(try lines("replay", store.path, "--state") == state)
            #expect(try CommandProcess.run("verify", store.path).status == 0)
        }
    }

    @Test func `a store that another process writes to is locked, and the error names the process`()
        throws
    {
        let store = try SampleStore()
        try store.put("Ada")
        let before = try store.files()
        let outcome = try CommandProcess.run("compact", store.path)
        #expect(outcome.status == 5)
        #expect(outcome.output == "")
        let holder = "process \(ProcessInfo.processInfo.processIdentifier)"
        #expect(
            outcome.errors
                == "daybook: \"\(store.path)/LOCK\" is locked by \(holder). Close that store and"
                + " try again.\n")
        #expect(try store.files() == before)
    }

    @Test func `a path without a store is refused, and no store is created`() throws {
        let store = try SampleStore()
        let missing = store.sibling("missing")
        let outcome = try CommandProcess.run("compact", missing)
        #expect(outcome.status == 1)
        #expect(outcome.errors == "daybook: There is no store at \(missing). Check the path.\n")
        #expect(!FileManager.default.fileExists(atPath: missing))
    }
}
