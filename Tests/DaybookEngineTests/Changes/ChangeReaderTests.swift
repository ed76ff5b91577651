import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookTestSupport
import Testing

@Suite struct ChangeReaderTests {
    @Test func `a reader delivers earlier and later changes of the log`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let start = notes.engine.position.sequence
        try notes.put("one")
        try notes.put("two")
        var reader = try ChangeReader(notes.engine, after: start)
        #expect(try notes.summaries(by: &reader) == ["+1 one", "+2 two"])
        try notes.put("three", id: 1)
        try notes.remove(2)
        #expect(try notes.summaries(by: &reader) == ["=1 three (one)", "-2 (two)"])
        #expect(try reader.next() == nil)
        #expect(reader.sequence == notes.engine.position.sequence)
        try notes.closeProven()
    }

    @Test func `a commit is delivered with its sequence, its time and its metadata`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let start = notes.engine.position.sequence
        try notes.engine.write(metadata: ["author": "ada"]) { transaction in
            try notes.put("one", in: transaction)
            try notes.put("two", in: transaction)
        }
        var reader = try ChangeReader(notes.engine, after: start)
        let commit = try #require(try reader.next())
        #expect(commit.sequence == start + 1)
        #expect(commit.metadata == ["author": "ada"])
        #expect(commit.timeMicroseconds > 0)
        #expect(commit.objects.map(\.id) == [1, 2])
        #expect(commit.objects.allSatisfy { $0.entity == notes.entity && $0.kind == .insert })
        try notes.closeProven()
    }

    // A reader after an opening, and each lookup of a version, used to read the segment from its
    // start.
    @Test func `the start position is found after an opening, and beside a writer`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        func fill(_ notes: NoteStore) throws {
            for _ in 0..<20 { try notes.put(String(repeating: "x", count: 12 << 10)) }
        }
        func firstRead(_ engine: Engine, after sequence: UInt64) throws -> UInt64 {
            var scanner = try engine.log.scan(after: sequence, at: nil)
            return try scanner.next()?.header.firstSequence ?? 0
        }
        let follower = try NoteStore(fileSystem, access: .read)
        try fill(notes)
        try follower.engine.refresh()
        try fill(notes)
        try follower.engine.refresh()
        #expect(follower.engine.log.sparseIndexIsComplete)
        try follower.engine.close()
        try notes.engine.writeSnapshot()
        let middle = notes.engine.log.lastSequence
        try fill(notes)
        try notes.closeProven()

        let again = try NoteStore(fileSystem)
        #expect(again.engine.openReport.snapshotSequence == middle)
        let log = again.engine.log
        #expect(log.entries.count == 1)
        // After the snapshot, at most the frames since the last sparse index entry are read
        // unnecessarily.
        #expect(try firstRead(again.engine, after: middle) == middle + 1)
        #expect(try firstRead(again.engine, after: middle + 19) > middle + 12)
        #expect(!log.sparseIndexIsComplete)
        // Before the snapshot, the part that the opening skipped is read once and then indexed.
        #expect(try firstRead(again.engine, after: 0) == 1)
        #expect(try firstRead(again.engine, after: middle - 1) > middle - 8)
        #expect(log.sparseIndexIsComplete)
        var reader = try ChangeReader(again.engine, after: 1)
        #expect(try again.summaries(by: &reader).count == Int(middle) + 19)
        try fill(again)
        #expect(try firstRead(again.engine, after: middle + 30) > middle + 23)
        try again.engine.log.sealActiveSegment()
        #expect(try firstRead(again.engine, after: middle + 30) > middle + 23)
        try again.closeProven()
    }

    @Test func `an object that is inserted again has no previous version`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        try notes.put("one")
        try notes.remove(1)
        let start = notes.engine.position.sequence
        try notes.put("again", id: 1)
        var reader = try ChangeReader(notes.engine, after: start)
        let commit = try #require(try reader.next())
        #expect(commit.objects[0].previous == start)
        #expect(try commit.before(0) == nil)
        try notes.closeProven()
    }

    @Test func `a reader continues across rolls, compaction and another opening`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem, NoteStore.small)
        let start = notes.engine.position.sequence
        var reader = try ChangeReader(notes.engine, after: start)
        var summaries: [String] = []
        for number in 1...40 {
            try notes.put("note \(number) " + String(repeating: "x", count: 100))
            if number % 7 == 0 { summaries += try notes.summaries(by: &reader) }
            if number == 20 { _ = try notes.engine.compact(.all, sealsActive: true) }
        }
        let place = reader.sequence
        try notes.closeProven()
        let again = try NoteStore(fileSystem, NoteStore.small)
        reader = try ChangeReader(again.engine, after: place)
        summaries += try again.summaries(by: &reader)
        #expect(summaries.map { $0.prefix { $0 != " " } } == (1...40).map { "+\($0)" })
        try again.closeProven()
    }

    @Test func `a transaction of many frames is delivered once and completely`() throws {
        let notes = try NoteStore(MemoryFileSystem()) { $0.framePayloadBytes = 512 }
        let start = notes.engine.position.sequence
        try notes.engine.write { transaction in
            for number in 0..<100 { try notes.put("note \(number)", in: transaction) }
        }
        try notes.put("last")
        var reader = try ChangeReader(notes.engine, after: start)
        #expect(try reader.next()?.objects.count == 100)
        #expect(try reader.next()?.objects.count == 1)
        #expect(try reader.next() == nil)
        try notes.closeProven()
    }

    @Test func `commits that are not durable yet are not delivered`() throws {
        let notes = try NoteStore(MemoryFileSystem()) { $0.durability = .manual }
        try notes.engine.sync()
        var reader = try ChangeReader(notes.engine, after: notes.engine.position.sequence)
        try notes.put("one")
        #expect(try notes.text(1) == "one")
        #expect(try reader.next() == nil)
        try notes.engine.sync()
        #expect(try notes.summaries(by: &reader) == ["+1 one"])
        try notes.put("two")
        #expect(try reader.next() == nil)
        // Sealed segments are synced.
        _ = try notes.engine.compact(.all, sealsActive: true)
        #expect(try notes.summaries(by: &reader) == ["+2 two"])
        try notes.closeProven()
    }

    @Test func `below the history floor a reader gets an error and must start over`() throws {
        let notes = try NoteStore.filled(MemoryFileSystem())
        var reader = try ChangeReader(notes.engine, after: notes.engine.position.sequence)
        _ = try notes.engine.compact(.latest)
        expectError(.historyTruncated) { _ = try ChangeReader(notes.engine, after: 3) }
        try notes.put("behind the floor")
        #expect(try notes.summaries(by: &reader).last == "+25 behind the floor")
        try notes.closeProven()
    }

    @Test func `a reader that a compaction overtakes gets a typed error`() throws {
        let notes = try NoteStore(MemoryFileSystem(), NoteStore.small)
        var reader = try ChangeReader(notes.engine, after: notes.engine.position.sequence)
        for number in 0..<24 { try notes.put("note \(number)", id: number == 0 ? 0 : 1) }
        _ = try notes.engine.compact(.latest)
        expectError(.historyTruncated) { _ = try reader.next() }
        try notes.closeProven()
    }

    @Test func `a compaction keeps the commits of the active segment for a reader`() throws {
        let notes = try NoteStore.filled(MemoryFileSystem())
        let start = notes.engine.position.sequence
        var reader = try ChangeReader(notes.engine, after: start)
        _ = try notes.engine.compact(.latest)
        try notes.put("one", id: 1)
        try notes.put("two", id: 1)
        #expect(try notes.summaries(by: &reader).suffix(1) == ["=1 two (one)"])
        var other = try ChangeReader(notes.engine, after: start)
        #expect(try notes.summaries(by: &other).suffix(1) == ["=1 two (one)"])
        try notes.closeProven()
    }

    @Test func `a position of another store, or after the last commit, is refused`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let other = try NoteStore(MemoryFileSystem())
        expectError(.historyOfAnotherStore) {
            _ = try notes.engine.sequence(at: other.engine.position)
        }
        let place = notes.engine.position
        #expect(try notes.engine.sequence(at: place) == place.sequence)
        expectError(.historyOfAnotherStore) {
            _ = try ChangeReader(notes.engine, after: place.sequence + 1)
        }
        try notes.closeProven()
        try other.closeProven()
        expectError(.closed) { _ = try ChangeReader(notes.engine, after: 0) }
    }

    @Test func `a position can be encoded as a string`() throws {
        let place = ChangePosition(store: StoreIdentity(high: 1, low: .max), sequence: 17)
        #expect(place.description == "00000000-0000-0001-ffff-ffffffffffff:17")
        #expect(ChangePosition(place.description) == place)
        for wrong in ["", ":", "17", "x:17", "\(place.store)", "\(place.store):", "\(place)x"] {
            #expect(ChangePosition(wrong) == nil, "\(wrong)")
        }
        #expect(ChangePosition("\(place.store):+17") == nil)
        #expect(ChangePosition("\(place.store):017") == nil)
        #expect(ChangePosition("\(place.store):18446744073709551616") == nil)
        #expect(ChangePosition("+0000000-0000-0001-ffff-ffffffffffff:17") == nil)
    }

    @Test func `commits without matching changes are skipped, and reported from time to time`()
        throws
    {
        let notes = try NoteStore(MemoryFileSystem())
        let start = notes.engine.position.sequence
        let none = EntityFilter([notes.entity + 1])
        var reader = try ChangeReader(notes.engine, after: start, matching: none)
        #expect(try reader.next() == nil)
        let count = UInt64(ChangeReader.passedCountMax)
        for number in 0..<count + 5 { try notes.put("note \(number)") }
        let first = try #require(try reader.next())
        #expect(first.isEmpty && first.sequence == start + count)
        let second = try #require(try reader.next())
        #expect(second.isEmpty && second.sequence == start + count + 5)
        #expect(try reader.next() == nil)
        try notes.closeProven()
    }

    @Test func `a follower delivers the commits that its writer made durable`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem, NoteStore.small)
        try notes.put("one")
        let follower = try NoteStore(fileSystem, access: .read)
        var reader = try ChangeReader(follower.engine, after: notes.engine.position.sequence - 1)
        #expect(try follower.summaries(by: &reader) == ["+1 one"])
        for number in 2..<30 { try notes.put("note \(number)") }
        #expect(try reader.next() == nil)
        // The writer is ahead of the follower's state: the follower refreshes.
        var ahead = try ChangeReader(follower.engine, after: notes.engine.position.sequence)
        #expect(try !follower.engine.refresh())
        #expect(try follower.summaries(by: &reader).count == 28)
        #expect(try ahead.next() == nil)
        _ = try notes.engine.compact(.all, sealsActive: true)
        try notes.put("last")
        try follower.engine.refresh()
        #expect(try follower.summaries(by: &reader) == ["+30 last"])
        #expect(try follower.summaries(by: &ahead) == ["+30 last"])
        for sequence in [.max, .max - 1, notes.engine.position.sequence + 1] {
            for engine in [follower.engine, notes.engine] {
                expectError(.historyOfAnotherStore) {
                    _ = try ChangeReader(engine, after: sequence)
                }
            }
        }
        try follower.engine.close()
        try notes.closeProven()
    }
}

extension NoteStore {
    /// Returns a summary of each change until the reader has caught up.
    func summaries(by reader: inout ChangeReader) throws -> [String] {
        var summaries: [String] = []
        while let commit = try reader.next() {
            for (index, change) in commit.objects.enumerated() {
                let after = try change.after.map { " " + (try text(of: $0)) } ?? ""
                let before = try commit.before(index).map { " (\(try text(of: $0)))" } ?? ""
                let sign =
                    switch change.kind {
                    case .insert: "+"
                    case .update: "="
                    case .remove: "-"
                    case .event: "!"
                    }
                summaries.append(sign + "\(change.id)" + after + before)
            }
        }
        return summaries
    }
}

extension Log {
    /// Whether the sparse index of the active segment begins at the start of the segment.
    fileprivate var sparseIndexIsComplete: Bool {
        tail.withLock { $0.sparseIndexStart.isSegmentStart && !$0.sparseIndex.isEmpty }
    }
}
