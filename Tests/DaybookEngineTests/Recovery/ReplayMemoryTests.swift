import DaybookBytes
@testable import DaybookEngine
import DaybookLog
@testable import DaybookPages
import DaybookRecords
import DaybookTestSupport
import Testing

/// The pages of a replay depend on the state, not on the number of transactions.
@Suite struct ReplayMemoryTests {
    private struct PageCounts: Equatable {
        var allocated: Int
        var live: Int
    }

    /// The pages of a space. Retired pages are allocated and not live.
    private func pages(_ space: PageSpace) -> PageCounts {
        let live = space.writer.withWriter { writer in
            writer.allocator.liveMasks.reduce(0) { $0 + $1.nonzeroBitCount }
        }
        return PageCounts(allocated: space.ownByteCount, live: live)
    }

    /// A store in which one of ten objects was put again `count` times, each in a transaction.
    private func store(_ fileSystem: any FileSystem, count: Int) throws -> NoteStore {
        let notes = try NoteStore(fileSystem)
        for number in 0..<10 { try notes.put("note \(number)") }
        for number in 0..<count { try notes.put("again \(number)", id: 3) }
        return notes
    }

    @Test func `opening needs the same pages after few and after many small commits`() throws {
        var found: [PageCounts] = []
        for count in [20, 2000] {
            let fileSystem = MemoryFileSystem()
            let notes = try store(fileSystem, count: count)
            let again = try NoteStore(fileSystem.afterKill())
            found.append(pages(again.engine.slot.current))
            #expect(try again.text(3) == "again \(count - 1)")
            try again.closeProven()
            try notes.engine.close()
        }
        #expect(found[0] == found[1])
    }

    @Test func `the tail after a snapshot retires each page of the snapshot once`() throws {
        var found: [Int] = []
        for count in [20, 2000] {
            let fileSystem = MemoryFileSystem()
            let notes = try store(fileSystem, count: 5)
            try notes.engine.writeSnapshot()
            for number in 0..<count { try notes.put("tail \(number)", id: 3) }
            let again = try NoteStore(fileSystem.afterKill())
            let space = again.engine.slot.current
            let retired = space.writer.withWriter { $0.retired.count }
            #expect(retired <= pages(space).live)
            found.append(space.ownByteCount)
            try again.closeProven()
            try notes.engine.close()
        }
        #expect(found[0] == found[1])
    }

    @Test func `a follower needs the same pages after few and after many unseen commits`() throws {
        var found: [PageCounts] = []
        for count in [20, 2000] {
            let fileSystem = MemoryFileSystem()
            let notes = try store(fileSystem, count: 5)
            let follower = try NoteStore(fileSystem, access: .read)
            for number in 0..<count { try notes.put("unseen \(number)", id: 3) }
            #expect(try follower.engine.refresh())
            #expect(try follower.text(3) == "unseen \(count - 1)")
            found.append(pages(follower.engine.slot.current))
            try follower.engine.close()
            try notes.closeProven()
        }
        #expect(found[0] == found[1])
    }

    @Test func `a past state and a rebuild need the same pages, too`() throws {
        var found: [[PageCounts]] = []
        for count in [20, 2000] {
            let notes = try store(MemoryFileSystem(), count: count)
            let engine = notes.engine
            let past = try engine.replayedState(OperationControl())
            let replayed = pages(past.space)
            try engine.writer.withLock { _ in try engine.rebuild(replacing: engine.slot.current) }
            found.append([replayed, pages(engine.slot.current)])
            try notes.closeProven()
        }
        #expect(found[0] == found[1])
    }

    // The trees of an interrupted replay were in the middle of a change, and the next change of the
    // same trees would have trapped.
    @Test func `a replay that is interrupted leaves trees that can be changed`() throws {
        let notes = try store(MemoryFileSystem(), count: 20)
        let space = PageSpace()
        var stamp: UInt64 = 0
        var replay = Replay(schema: Schema())
        var count = 0
        expectError(.interrupted) {
            try replay.run(
                notes.engine.log, from: nil, after: 0, into: space, stamp: &stamp,
                isCancelled: {
                    count += 1
                    return count > 10
                })
        }
        #expect(space.publishedVersion.sequence == 0)
        space.begin(sequence: stamp + 1)
        _ = space.end()
        try notes.closeProven()
    }
}
