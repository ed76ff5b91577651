import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookLog
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Testing

/// Replaced segments stay as long as a reader may need them, and not longer.
@Suite struct HeldSegmentTests {
    private func writer(_ fileSystem: any FileSystem) throws -> NoteStore {
        try NoteStore(fileSystem) {
            NoteStore.small(&$0)
            $0.blockPayloadBytes = 1 << 10
            $0.log.frameCacheBudgetBytes = 0
            $0.log.openFileCountMax = 2
        }
    }

    private func reader(_ fileSystem: any FileSystem) throws -> NoteStore {
        try NoteStore(fileSystem, access: .read) { $0.log.frameCacheBudgetBytes = 0 }
    }

    private func fill(_ notes: NoteStore, _ text: String, count: Int = 60) throws {
        for id in 1...count { try notes.put("\(text) \(id)", id: UInt64(id)) }
    }

    private func openCount(_ notes: NoteStore) -> Int {
        notes.engine.log.segments.withLock { $0.open.count }
    }

    private func texts(_ view: ReadView, of notes: NoteStore) throws -> [String] {
        try view.rows(notes.entity, from: 0, limit: .max).map { try notes.text(of: $0) }
    }

    @Test func `a view of replaced trees keeps its segments`() throws {
        let notes = try writer(MemoryFileSystem())
        for number in 0..<60 { try notes.put("first \(number)") }
        let engine = notes.engine
        var view: ReadView? = ReadView(engine.slot.pinVersion(), engine.log)
        let before = try view.map { try texts($0, of: notes) }
        try engine.writer.withLock { _ in try engine.rebuild(replacing: engine.slot.current) }
        try fill(notes, "second")
        _ = try engine.compact(.latest)
        #expect(try view.map { try texts($0, of: notes) } == before)
        #expect(!engine.trees.withLock { $0.replaced.isEmpty })
        view = nil
        engine.releaseReplacedSegments()
        #expect(engine.trees.withLock { $0.replaced.isEmpty })
        #expect(openCount(notes) == engine.log.manifest.sealed.count + 1)
        try notes.closeProven()
    }

    @Test func `an iteration over a past state continues across a compaction`() throws {
        let notes = try writer(MemoryFileSystem())
        for number in 0..<60 { try notes.put("first \(number)") }
        let last = notes.engine.log.lastSequence
        var found: [String] = []
        try notes.engine.forEachObject(until: .sequence(last)) { object throws(DaybookError) in
            if found.isEmpty {
                do {
                    try fill(notes, "second")
                    _ = try notes.engine.compact(.latest)
                } catch {
                    throw error as? DaybookError ?? .interrupted
                }
                notes.engine.releaseReplacedSegments()
            }
            do { found.append(try notes.text(of: object.row)) } catch { throw .interrupted }
            return true
        }
        #expect(found == (0..<60).map { "first \($0)" })
        try notes.closeProven()
    }

    @Test func `a reader releases the segments that compactions replaced`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try writer(fileSystem)
        for number in 0..<60 { try notes.put("first \(number)") }
        let follower = try reader(fileSystem)
        for round in 0..<12 {
            try fill(notes, "round \(round)")
            #expect(try follower.engine.refresh())
            _ = try notes.engine.compact(.latest)
            try follower.engine.refresh()
            #expect(try follower.all() == (try notes.all()))
            #expect(openCount(follower) <= 2 * (notes.engine.log.manifest.sealed.count + 1) + 8)
        }
        try follower.engine.proveReplay()
        try follower.engine.close()
        try notes.closeProven()
    }

    // The compaction removed files that the reader did not have open. Too few segments were
    // replaced for a replay, so a refresh did not help, and each read failed.
    @Test(arguments: [1, 3, 100])
    func `a reader continues after a compaction removed segments that it had closed`(
        openFileCountMax: Int
    ) throws {
        let fileSystem = MemoryFileSystem()
        let notes = try writer(fileSystem)
        for number in 0..<90 { try notes.put("first \(number)") }
        let follower = try NoteStore(fileSystem, access: .read) {
            $0.log.frameCacheBudgetBytes = 0
            $0.log.openFileCountMax = openFileCountMax
        }
        let before = try follower.all()
        let sealedCount = follower.engine.log.manifest.sealed.count
        #expect((4...8).contains(sealedCount))
        let position = follower.engine.log.lastSequence
        _ = try notes.engine.compact(.all)
        try notes.put("after")
        #expect(try follower.engine.refresh())
        #expect(try follower.all() == (try notes.all()))
        #expect(try follower.all().count == before.count + 1)
        // The files that stay open without a name are limited, too.
        let heldCount = openCount(follower) - notes.engine.log.manifest.sealed.count - 1
        #expect(heldCount == (openFileCountMax < sealedCount ? 0 : sealedCount))
        var changes = try ChangeReader(follower.engine, after: position)
        #expect(try changes.next()?.sequence == position + 1)
        try follower.engine.proveReplay()
        try follower.engine.close()
        try notes.closeProven()
    }

    // A refresh adopted a manifest and failed afterwards. The next refresh saw only additional
    // frames, and the dropped objects stayed visible in the reader.
    @Test func `a refresh that fails half way is repeated completely`() throws {
        var call = 0
        var failedCount = 0
        while true {
            call += 1
            let memory = MemoryFileSystem()
            let notes = try writer(memory)
            for number in 0..<20 { try notes.put("note \(number)") }
            let faulty = FaultFileSystem(
                memory, failingCall: call, fault: .errno(5), persistence: .once,
                counting: [.open, .read, .size])
            guard let follower = try? reader(faulty) else { continue }
            for id in UInt64(1)...10 { try notes.remove(id) }
            _ = try notes.engine.compact(.latest)
            // Some failures are tolerated, because the manifest is stored twice.
            if (try? follower.engine.refresh()) == nil { failedCount += 1 }
            guard faulty.hasFailed else { break }
            try notes.put("after")
            try follower.engine.refresh()
            #expect(try follower.all() == (try notes.all()), "call \(call)")
            try notes.engine.close()
        }
        #expect(failedCount > 10)
    }

    @Test func `a reader knows the layouts of new rows before the rows are visible`() throws {
        let notes = try writer(MemoryFileSystem())
        try notes.put("one")
        let space = PageSpace()
        var stamp: UInt64 = 0
        var replay = Replay(schema: Schema())
        var layoutCount: Int?
        try replay.run(
            notes.engine.log, from: nil, after: 0, into: space, stamp: &stamp,
            willPublish: { schema throws(DaybookError) in
                #expect(space.publishedVersion.sequence == 0)
                layoutCount = schema.layouts.count
            })
        #expect(layoutCount == 1)
        #expect(space.publishedVersion.sequence == stamp)
        try notes.closeProven()
    }
}
