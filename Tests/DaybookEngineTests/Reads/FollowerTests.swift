import DaybookBytes
@testable import DaybookEngine
import DaybookLog
import DaybookTestSupport
import Synchronization
import Testing

@Suite struct FollowerTests {
    private func writer(_ fileSystem: any FileSystem) throws -> NoteStore {
        try NoteStore(fileSystem) {
            $0.log.segmentSizeBytes = 2 << 10
            $0.blockPayloadBytes = 1 << 10
        }
    }

    private func reader(_ fileSystem: any FileSystem) throws -> NoteStore {
        try NoteStore(fileSystem, access: .read)
    }

    @Test func `a reader sees earlier commits after opening, and later ones after a refresh`()
        throws
    {
        let fileSystem = MemoryFileSystem()
        let notes = try writer(fileSystem)
        try notes.put("one")
        let follower = try reader(fileSystem)
        #expect(try follower.all() == [1: "one"])
        try notes.put("two")
        try notes.remove(1)
        #expect(try follower.all() == [1: "one"])
        #expect(try follower.engine.refresh())
        #expect(try follower.all() == [2: "two"])
        #expect(try !follower.engine.refresh())
        try follower.engine.proveReplay()
        try follower.engine.close()
        try notes.closeProven()
    }

    @Test func `a reader changes nothing`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try writer(fileSystem)
        for number in 0..<50 { try notes.put("note \(number)") }
        let files = fileSystem.contents
        let follower = try reader(fileSystem)
        expectError(.readOnly) { try follower.put("no") }
        expectError(.readOnly) { try follower.remove(1) }
        expectError(.readOnly) { try follower.engine.write { _ in } }
        expectError(.readOnly) { _ = try follower.engine.compact(.latest) }
        expectError(.readOnly) { try follower.engine.writeSnapshot() }
        try follower.engine.refresh()
        try follower.engine.close()
        #expect(fileSystem.contents == files)
        try notes.closeProven()
    }

    @Test func `a reader follows across many rolls at once`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try writer(fileSystem)
        try notes.put("one")
        let follower = try reader(fileSystem)
        for round in 0..<4 {
            for number in 0..<100 { try notes.put("round \(round) number \(number)") }
            try notes.remove(UInt64(round * 100 + 1))
            #expect(try follower.engine.refresh())
            #expect(try follower.all() == (try notes.all()))
        }
        #expect(notes.engine.log.manifest.sealed.count > 8)
        try follower.engine.proveReplay()
        try follower.engine.close()
        try notes.closeProven()
    }

    @Test(arguments: [HistoryPolicy.all, .since(4), .latest])
    func `a reader follows across a compaction of unseen commits`(policy: HistoryPolicy)
        throws
    {
        // The tombstones of the missed removals are dropped: only the whole log gives the state.
        let fileSystem = MemoryFileSystem()
        let notes = try writer(fileSystem)
        for number in 0..<60 { try notes.put("note \(number)") }
        let follower = try reader(fileSystem)
        for id in UInt64(1)...30 { try notes.remove(id) }
        for id in UInt64(31)...60 { try notes.put("changed", id: id) }
        _ = try notes.engine.compact(policy)
        try notes.put("after")
        #expect(try follower.engine.refresh())
        #expect(try follower.all() == (try notes.all()))
        try follower.engine.proveReplay()
        try notes.put("and more")
        #expect(try follower.engine.refresh())
        #expect(try follower.all() == (try notes.all()))
        try follower.engine.close()
        try notes.closeProven()
    }

    @Test func `segments that a reader has open stay readable after a compaction removed them`()
        throws
    {
        let fileSystem = MemoryFileSystem()
        let notes = try writer(fileSystem)
        for number in 0..<60 { try notes.put("note \(number)") }
        let follower = try NoteStore(fileSystem, access: .read) {
            $0.log.frameCacheBudgetBytes = 0
        }
        let all = try follower.all()
        _ = try notes.engine.compact(.latest)
        #expect(try follower.all() == all)
        try follower.engine.readTransaction {
            #expect(try follower.all() == all)
            for id in UInt64(1)...60 { try notes.put("changed", id: id) }
            _ = try notes.engine.compact(.latest)
            try follower.engine.refresh()
            #expect(try follower.all() == all)
        }
        #expect(try follower.all() == all.mapValues { _ in "changed" })
        try follower.engine.close()
        try notes.closeProven()
    }

    @Test func `a reader continues after its writer died and another one opened the store`() throws
    {
        // The new writer writes the tail again, which no sync was known to cover.
        let fileSystem = MemoryFileSystem()
        var notes: NoteStore? = try NoteStore(fileSystem) { $0.durability = .manual }
        for number in 0..<10 { try notes?.put("note \(number)") }
        let follower = try NoteStore(fileSystem, access: .read) {
            $0.log.frameCacheBudgetBytes = 0
        }
        #expect(try follower.count() == 10)
        notes?.engine.log.abandon()
        notes = nil
        for round in 0..<3 {
            let before = try follower.all()
            let next = try writer(fileSystem)
            #expect(try next.count() == 10 + round)
            // The reader's entries point to frames that recovery must leave in place.
            #expect(try follower.all() == before)
            try next.put("of writer \(round)")
            #expect(try follower.engine.refresh())
            #expect(try follower.all() == (try next.all()))
            next.engine.log.abandon()
        }
        try follower.engine.close()
    }

    @Test func `a reader that opens beside a writer finds a complete state`() throws {
        // The writer may append between finding the end and reading beyond it; that is no damage.
        let fileSystem = MemoryFileSystem()
        let notes = try writer(fileSystem)
        try notes.put("first")
        let isDone = Atomic(false)
        try onThreads(3) { number in
            if number == 0 {
                for round in 0..<300 {
                    try notes.put("round \(round)")
                    if round % 60 == 59 { _ = try notes.engine.compact(.all) }
                }
                isDone.store(true, ordering: .releasing)
                return
            }
            repeat {
                let follower = try self.reader(fileSystem)
                let count = try follower.count()
                guard try follower.all().count == count else { throw Refusal(number: count) }
                try follower.engine.refresh()
                guard try follower.count() >= count else { throw Refusal(number: -count) }
                try follower.engine.close()
            } while !isDone.load(ordering: .acquiring)
        }
        #expect(try notes.count() == 301)
        try notes.closeProven()
    }

    @Test func `a reader keeps up with a writer that rolls, compacts and snapshots`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try writer(fileSystem)
        try notes.put("first")
        let follower = try reader(fileSystem)
        let isDone = Atomic(false)
        try onThreads(2) { number in
            if number == 0 {
                for round in 0..<200 {
                    try notes.put("round \(round)", id: round % 7 == 0 ? 1 : 0)
                    if round % 40 == 39 {
                        _ = try notes.engine.compact(round % 80 == 79 ? .all : .latest)
                    }
                    if round % 50 == 49 { try notes.engine.writeSnapshot() }
                }
                isDone.store(true, ordering: .releasing)
                return
            }
            var last: UInt64 = 0
            repeat {
                try follower.engine.refresh()
                let sequence = try follower.engine.visibleSequence
                guard sequence >= last else { throw Refusal(number: Int(last)) }
                last = sequence
                _ = try follower.all()
            } while !isDone.load(ordering: .acquiring)
        }
        try follower.engine.refresh()
        #expect(try follower.all() == (try notes.all()))
        try follower.engine.close()
        try notes.closeProven()
    }

    @Test func `a reader without a store, or of a directory without one, gets a typed error`()
        throws
    {
        let fileSystem = MemoryFileSystem()
        let missing = expectError(.fileNotFound) { _ = try reader(fileSystem) }
        #expect(missing?.details["path"] == NoteStore.path)
        try fileSystem.createDirectory(NoteStore.path)
        expectError(.notAStore) { _ = try reader(fileSystem) }
        #expect(fileSystem.contents.isEmpty)
    }

    @Test func `a reader with more declarations than the store reads the stored properties`() throws
    {
        // Its layout has a number that must match no row of the store, in particular no row of a
        // layout that a writer defines later.
        let fileSystem = MemoryFileSystem()
        let notes = try writer(fileSystem)
        try notes.put("one")
        let follower = try Engine.open(NoteStore.path, fileSystem, access: .read)
        let layouts = try follower.register([
            EntityDeclaration(
                name: "Note",
                fields: [.init(name: "text", type: .string), .init(name: "stars", type: .int64)])
        ])
        #expect(follower.schemas.schema.layout(layouts[0].layoutID) == nil)
        #expect(layouts[0].layoutID == 0)
        expectError(.schemaMismatch) {
            _ = try follower.register([EntityDeclaration(name: "Stranger", fields: [])])
        }
        try follower.close()
        try notes.closeProven()
    }
}
