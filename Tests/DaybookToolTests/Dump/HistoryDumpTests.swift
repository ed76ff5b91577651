import DaybookBytes
import DaybookEngine
import DaybookMaintenance
import DaybookTesting
import Foundation
import Testing

/// Dumping and loading the complete history of a store.
@Suite struct HistoryDumpTests {
    private static let seeds: [UInt64] = (0..<8).map { _ in .random(in: 0 ... .max) }

    @Test(arguments: seeds, [false, true])
    func `loading a history gives a store with the same transactions`(
        _ seed: UInt64, isCompacted: Bool
    ) throws {
        let (files, world) = (MemoryFileSystem(), try DumpWorld(seed: seed))
        if isCompacted {
            _ = try world.engine.compact(.latest, sealsActive: true)
            try world.change(count: 6)
        }
        let text = try world.engine.historyText()
        let report = try Engine.load(text: Array(text.utf8), into: "/loaded", files)
        #expect(report.isHistory)
        let loaded = try DumpWorld.open("/loaded", files)
        #expect(try loaded.historyText() == text)
        #expect(try loaded.dumpText() == world.engine.dumpText())
        // The hash covers objects, their rows and the sequences of their last changes, links, lists
        // and next ids.
        #expect(try loaded.stateHash() == world.engine.stateHash())
        #expect(loaded.historyFloor == world.engine.historyFloor)
        #expect(try loaded.checkReplay().isEqual)
        let last = try world.engine.visibleSequence
        let middle = max(last / 2, loaded.historyFloor)
        #expect(
            try loaded.dumpText(at: .sequence(middle))
                == world.engine.dumpText(at: .sequence(middle)))
        let layouts = try loaded.register(DumpWorld.declarations(isNew: true))
        #expect(layouts == world.layouts)
        #expect(try loaded.visibleSequence == last)
        try loaded.close()
        try world.engine.close()
    }

    @Test(arguments: seeds, [false, true])
    func `loading gives the events that a compaction left, and their next numbers`(
        _ seed: UInt64, keepsSome: Bool
    ) throws {
        let world = try DumpWorld(seed: seed)
        func events() throws -> [Substring] {
            try world.engine.dumpText().split(separator: "\n")
                .filter { $0.hasPrefix(#"{"event":"#) }
        }
        let before = try events()
        let middle = try world.engine.visibleSequence / 2
        let rule = keepsSome ? HistoryRule.since(middle) : .latest
        let report = try world.engine.compact(HistoryPolicy(.all, entities: ["Click": rule]))
        let after = try events()
        #expect(after == before.suffix(after.count) && (keepsSome || after.isEmpty))
        #expect(report.droppedEventCount == before.count - after.count)
        let state = try world.engine.dumpText()
        for text in [state, try world.engine.historyText()] {
            let files = MemoryFileSystem()
            _ = try Engine.load(text: Array(text.utf8), into: "/loaded", files)
            let loaded = try DumpWorld.open("/loaded", files)
            #expect(try loaded.dumpText() == state)
            #expect(try loaded.verify().findings.isEmpty)
            try loaded.close()
        }
        try world.engine.close()
    }

    @Test(arguments: seeds)
    func `a compaction changes only the sequence of a dump`(
        _ seed: UInt64
    ) throws {
        let world = try DumpWorld(seed: seed)
        let before = try world.engine.dumpText().split(separator: "\n")
        _ = try world.engine.compact(.latest, sealsActive: true)
        let text = try world.engine.dumpText()
        #expect(text.split(separator: "\n").dropFirst().dropLast() == before.dropFirst().dropLast())
        let files = MemoryFileSystem()
        _ = try Engine.load(text: Array(text.utf8), into: "/loaded", files)
        let loaded = try DumpWorld.open("/loaded", files)
        #expect(try loaded.dumpText() == text)
        try loaded.close()
        try world.engine.close()
    }

    @Test(arguments: seeds.prefix(3))
    func `damage anywhere in a history is reported, or gives another valid history`(_ seed: UInt64)
        throws
    {
        let world = try DumpWorld(seed: seed)
        let text = Array(try world.engine.historyText().utf8)
        try world.engine.close()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            var damaged = text
            LoadFuzzTests.damage(&damaged, &generator)
            let files = MemoryFileSystem()
            do {
                _ = try Engine.load(text: damaged, into: "/new", files, pieceBytes: 50_000)
            } catch {
                let error = try #require(error as? DaybookError)
                #expect(
                    [.dumpInvalid, .formatTooNew].contains(error.code),
                    "seed \(seed): \(error.code) \(error.message)")
                #expect(try files.kind(of: "/new") == nil)
                continue
            }
            let engine = try DumpWorld.open("/new", files)
            #expect(try engine.checkReplay().isEqual, "seed \(seed)")
            let again = try engine.historyText()
            _ = try Engine.load(text: Array(again.utf8), into: "/again", files)
            try engine.close()
        }
    }

    @Test func `the command loads its own dump of the history`() throws {
        let store = try SampleStore()
        try store.put("Ada", metadata: ["author": "test"])
        try store.put("Bob")
        try store.put("Ada", age: 37, id: 1)
        try store.remove(2)
        try store.close()
        let dump = try CommandProcess.run("dump", store.path, "--history")
        #expect(dump.status == 0)
        #expect(dump.lines.first == #"{"history":1,"sequence":5,"historyFloor":0}"#)
        #expect(
            dump.lines.contains(
                #"{"sequence":4,"put":1,"of":"Person","previous":2,"layout":1,"#
                    + #""row":{"name":"Ada","age":37}}"#))
        #expect(dump.lines.last == #"{"end":5,"transactions":5,"records":11}"#)
        let copy = store.sibling("copy")
        let load = try CommandProcess(["load", copy], input: Data(dump.output.utf8)).finish()
        #expect(load.status == 0, "\(load.errors)")
        #expect(load.output.contains(#""sequence":5,"transactions":5,"records":11,"#))
        #expect(try CommandProcess.run("dump", copy, "--history") == dump)
        #expect(
            try CommandProcess.run("replay", copy) == (try CommandProcess.run("replay", store.path))
        )
        #expect(try CommandProcess.run("verify", copy).status == 0)
        let refused = try CommandProcess.run("dump", store.path, "--history", "--at", "3")
        #expect(refused.status == 2)
    }
}
