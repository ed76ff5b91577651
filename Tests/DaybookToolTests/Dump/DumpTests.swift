import DaybookBytes
import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import Foundation
import Testing

/// Dumping and loading a store.
@Suite struct DumpTests {
    static let seeds: [UInt64] = (0..<12).map { _ in .random(in: 0 ... .max) }

    /// Returns all parts of each row, including parts that a dump might omit.
    private func rows(_ engine: Engine) throws -> [String] {
        var found: [String] = []
        try engine.forEachObject { object throws(DaybookError) in
            let links = try object.links().map { "\($0.name)\($0.targets)" }
            var text = JSONText()
            try object.appendRow(to: &text)
            found.append("\(object.entityName) \(object.id) \(object.layout) \(links) \(text.text)")
            return true
        }
        return found
    }

    @Test(arguments: seeds)
    func `loading a dump gives a store with the same dump`(_ seed: UInt64) throws {
        let (files, world) = (MemoryFileSystem(), try DumpWorld(seed: seed))
        let text = try world.engine.dumpText()
        let report = try Engine.load(text: Array(text.utf8), into: "/loaded", files)
        let loaded = try DumpWorld.open("/loaded", files)
        #expect(try loaded.dumpText() == text)
        #expect(try rows(loaded) == rows(world.engine))
        #expect(report.counts.objects == (try rows(loaded).count))
        #expect(loaded.historyFloor == report.counts.sequence)
        #expect(try loaded.checkReplay().isEqual)
        // The program that wrote the original opens the copy and finds nothing to change.
        let layouts = try loaded.register(DumpWorld.declarations(isNew: true))
        #expect(layouts == world.layouts)
        #expect(try loaded.visibleSequence == world.engine.visibleSequence)
        #expect(try loaded.dumpText() == text)
        try loaded.close()
        try world.engine.close()
    }

    @Test(arguments: seeds.prefix(3))
    func `a dump of a past state equals the dump made at that time`(_ seed: UInt64) throws {
        let (files, world) = (MemoryFileSystem(), try DumpWorld(seed: seed))
        let last = try world.engine.visibleSequence
        for sequence in [0, 1, 2, last / 2, last] {
            let text = try world.engine.dumpText(at: .sequence(sequence))
            let path = "/loaded-\(sequence)"
            _ = try Engine.load(text: Array(text.utf8), into: path, files)
            let loaded = try DumpWorld.open(path, files)
            #expect(try loaded.visibleSequence == sequence)
            #expect(try loaded.dumpText() == text)
            #expect(try loaded.dumpText(at: .sequence(sequence)) == text)
            try loaded.close()
        }
        #expect(try world.engine.dumpText(at: .sequence(last)) == world.engine.dumpText())
        try world.engine.close()
    }

    @Test func `new ids follow all assigned ids, including those of removed objects`() throws {
        let store = try SampleStore()
        for name in ["Ada", "Bob", "Eve"] { try store.put(name) }
        try store.remove(3)
        let files = MemoryFileSystem()
        let text = try #require(try store.engine?.dumpText())
        _ = try Engine.load(text: Array(text.utf8), into: "/loaded", files)
        let loaded = try DumpWorld.open("/loaded", files)
        let layouts = try loaded.register([SampleStore.person, SampleStore.note])
        var row = RowEncoder(RowLayout(layouts[0]))
        row.finish()
        let id = try loaded.write { transaction in
            try transaction.changes.put(
                layouts[0].entityID, 0, layout: layouts[0].layoutID, row: row.row
            ).id
        }
        #expect(id == 4)
        // 1 for the schema, 2 … 4 for the persons, 5 for the removal.
        #expect(try loaded.visibleSequence == 6)
        try loaded.close()
    }

    @Test func `dump and load commands together reproduce the store`() throws {
        let store = try LibraryStore.filled()
        let dump = try CommandProcess.run("dump", store.path)
        #expect(dump.status == 0)
        #expect(dump.errors == "")
        #expect(dump.lines.first?.hasPrefix(#"{"dump":1,"sequence":4,"time":"#) == true)
        #expect(
            dump.lines.contains {
                $0.hasPrefix(#"{"id":1,"of":"Book","layout":2,"row":{"title":"Engines","#)
                    && $0.hasSuffix(#","tags":["old","math"]},"links":{"author":[1]}}"#)
            })
        #expect(
            dump.lines.last
                == #"{"end":4,"layouts":2,"events":0,"objects":7,"links":3}"#)
        let copy = store.folder.appendingPathComponent("copy").path
        let load = try CommandProcess(["load", copy], input: Data(dump.output.utf8)).finish()
        #expect(load.status == 0, "\(load.errors)")
        #expect(load.lines.count == 1)
        #expect(load.output.contains(#""sequence":4,"layouts":2,"events":0,"objects":7,"links":3"#))
        #expect(try CommandProcess.run("dump", copy) == dump)
        #expect(try CommandProcess.run("verify", copy).status == 0)
        let query = "Book where year = 1843 order by title"
        let answer = try CommandProcess.run("query", copy, query, "--table")
        #expect(answer == (try CommandProcess.run("query", store.path, query, "--table")))
        #expect(answer.status == 0)
    }

    @Test func `a dump names the requested transaction`() throws {
        let store = try LibraryStore.filled()
        let early = try CommandProcess.run("dump", store.path, "--at", "2")
        #expect(early.lines.last == #"{"end":2,"layouts":2,"events":0,"objects":2,"links":0}"#)
        let later = try CommandProcess.run("dump", store.path, "--at", "99")
        #expect(later == (try CommandProcess.run("dump", store.path)))
        let bad = try CommandProcess.run("dump", store.path, "--at", "soon")
        #expect(bad.status == 2)
        #expect(bad.output == "")
    }

    @Test func `links that exceed one line continue on more lines`() throws {
        let store = try OrderStore.filled()
        try store.write { transaction in
            var items: [UInt64] = []
            for index in 0..<2_500 {
                items.append(try store.put(1, "item \(index)", in: transaction))
            }
            try store.setItems(items + items, of: 1, in: transaction)
            let friends = try (0..<1_200).map { try store.put(0, "\($0)", in: transaction) }
            for friend in friends {
                _ = try transaction.changes.link(store.relation("friends"), 2, friend)
            }
        }
        try store.close()
        let dump = try CommandProcess.run("dump", store.path)
        #expect(dump.lines.count { $0.hasPrefix(#"{"more":1,"of":"Order","#) } == 4)
        #expect(dump.lines.count { $0.hasPrefix(#"{"more":2,"of":"Customer","#) } == 1)
        let copy = store.folder.appendingPathComponent("copy").path
        let load = try CommandProcess(["load", copy], input: Data(dump.output.utf8)).finish()
        #expect(load.status == 0, "\(load.errors)")
        // (The comparison is outside the macro, which would print both strings.)
        let isEqual = try CommandProcess.run("dump", copy) == dump
        #expect(isEqual)
        #expect(try CommandProcess.run("verify", copy).status == 0)
    }
}
