import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookPages
import DaybookTestSupport
import Testing

/// The cost of past versions, when they are unavailable, and how long they may be kept.
@Suite struct PastViewCostTests {
    private let fileSystem = MemoryFileSystem()

    private func filled(
        _ count: Int, _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> NoteStore {
        let notes = try NoteStore(fileSystem) { options in
            options.log.segmentSizeBytes = 256 << 10
            change(&options)
        }
        try notes.engine.write { transaction in
            for number in 0..<count { try notes.put("note \(number)", in: transaction) }
        }
        return notes
    }

    private func text(_ notes: NoteStore, _ id: UInt64, _ view: ReadView) throws -> String? {
        try view.row(notes.entity, id).map { try notes.text(of: $0) }
    }

    @Test func `a past version takes memory for the later changes, and no disk space`() throws {
        let notes = try filled(50_000)
        let past = try notes.engine.visibleSequence
        for id in 1...20 as ClosedRange<UInt64> { try notes.put("changed", id: id * 2_000) }
        let base = notes.engine.slot.current
        let length = notes.engine.log.lengthBytes
        let names = try fileSystem.list(NoteStore.path).sorted()
        let pin = base.pin()
        var rewind = try Rewind(
            pin, notes.engine.log, notes.engine.log.view(), notes.engine.schemas.schema,
            OperationControl())
        let fork = try rewind.run(to: past).space
        #expect(fork.ownByteCount <= 256 << 10)
        #expect(base.ownByteCount >= 10 * fork.ownByteCount)
        let view = try notes.engine.view(at: past)
        #expect(try text(notes, 2_000, view) == "note 1999")
        #expect(try text(notes, 2_001, view) == "note 2000")
        #expect(try notes.text(2_000) == "changed")
        #expect(try view.count(notes.entity) == 50_000)
        #expect(notes.engine.log.lengthBytes == length)
        #expect(try fileSystem.list(NoteStore.path).sorted() == names)
        try notes.closeProven()
    }

    @Test func `a past version at the newest sequence shares the current trees`() throws {
        let notes = try filled(10)
        let newest = try notes.engine.visibleSequence
        let pinned = notes.engine.slot.current
        #expect(!pinned.isRead)
        let view = try notes.engine.view(at: newest)
        #expect(pinned.isRead)
        #expect(try view.sequence == newest)
        #expect(view.hold().reader.sequence == notes.engine.slot.current.publishedVersion.sequence)
        try notes.closeProven()
    }

    @Test func `a past version stays readable after compactions that drop its segments`() throws {
        let notes = try filled(2_000)
        let past = try notes.engine.visibleSequence
        for id in 1...500 as ClosedRange<UInt64> { try notes.put("changed", id: id) }
        for id in 400...600 as ClosedRange<UInt64> { try notes.remove(id) }
        let views = try [PastWay.rewind, .replay].map {
            try notes.engine.pastView(at: past, by: $0)
        }
        for _ in 0..<2 {
            _ = try notes.engine.compact(.latest)
            try notes.put("later", id: 1)
        }
        for view in views {
            for id in 1...2_000 as ClosedRange<UInt64> {
                let found = try text(notes, id, view)
                if found != "note \(id - 1)" { #expect(found == "note \(id - 1)") }
            }
        }
        let error = expectError(.historyTruncated) { _ = try notes.engine.view(at: past) }
        #expect(error?.details["historyFloor"] == String(notes.engine.historyFloor))
        try notes.closeProven()
    }

    @Test func `an object with dropped history is in no past version`() throws {
        let notes = try filled(10)
        try notes.remove(3)
        try notes.put("a", id: 4)
        _ = try notes.engine.compact(.latest)
        let floor = notes.engine.historyFloor
        try notes.put("again", id: 3)
        try notes.put("b", id: 4)
        let view = try notes.engine.pastView(at: floor, by: .rewind)
        #expect(try text(notes, 3, view) == nil)
        #expect(try text(notes, 4, view) == "a")
        #expect(try view.count(notes.entity) == 9)
        try notes.engine.demandPast()
        try notes.closeProven()
    }

    @Test func `a past version is replayed from the log if a snapshot is damaged`() throws {
        try filled(40_000).engine.close()
        let path = try #require(fileSystem.paths("snapshot-").last)
        let files = fileSystem.afterKill(changing: path) { bytes in
            for place in stride(from: 5_000, to: bytes.count / 2, by: 500) { bytes[place] ^= 0x40 }
        }
        let notes = try NoteStore(files)
        let past = try notes.engine.visibleSequence
        try notes.put("changed", id: 39_999)
        let view = try notes.engine.pastView(at: past, by: .rewind)
        #expect(try text(notes, 39_999, view) == "note 39998")
        #expect(try text(notes, 3_100, view) == "note 3099")
        #expect(try view.count(notes.entity) == 40_000)
        try notes.engine.close()
    }

    @Test func `a read-only store has past versions too`() throws {
        let notes = try filled(3_000)
        let past = try notes.engine.visibleSequence
        let follower = try NoteStore(fileSystem, access: .read)
        for id in 1...50 as ClosedRange<UInt64> { try notes.put("changed", id: id) }
        try follower.engine.refresh()
        let view = try follower.engine.pastView(at: past, by: .rewind)
        #expect(try text(follower, 7, view) == "note 6")
        _ = try notes.engine.compact(.latest)
        try notes.put("later", id: 7)
        try follower.engine.refresh()
        #expect(try text(follower, 7, view) == "note 6")
        #expect(try follower.text(7) == "later")
        try notes.closeProven()
    }

    @Test func `a time selects the last commit at or before it`() throws {
        let notes = try filled(5)
        var times: [UInt64: Int64] = [:]
        for number in 0..<6 { try notes.put("later \(number)", id: 1) }
        try notes.engine.forEachTransaction { transaction in
            times[transaction.sequence] = transaction.timeMicroseconds
            return true
        }
        for (sequence, time) in times {
            let last = times.filter { $0.value <= time }.map(\.key).max()
            let point = HistoryPoint.time(first: time, last: time)
            #expect(try notes.engine.view(until: point).sequence == last)
            let earlier = HistoryPoint.time(first: time - 1, last: time - 1)
            let before = times.filter { $0.value < time }.map(\.key).max() ?? 0
            #expect(try notes.engine.view(until: earlier).sequence == before, "\(sequence)")
        }
        try notes.closeProven()
    }

    @Test func `a time is found by reading a small part of the log`() throws {
        let notes = try NoteStore(fileSystem) { $0.log.segmentSizeBytes = 2 << 10 }
        for number in 0..<400 { try notes.put("note \(number)") }
        var times: [(sequence: UInt64, time: Int64)] = []
        var all = 0
        try notes.engine.forEachTransaction(
            in: HistoryRange(),
            OperationControl(isCancelled: {
                all += 1
                return false
            })
        ) { transaction in
            times.append((transaction.sequence, transaction.timeMicroseconds))
            return true
        }
        var asked = 0
        let control = OperationControl(isCancelled: {
            asked += 1
            return false
        })
        for index in [0, 1, 57, 200, 399] {
            asked = 0
            let time = times[index].time
            let point = HistoryPoint.time(first: time, last: time)
            #expect(
                try notes.engine.sequence(at: point, control)
                    == times.last { $0.time <= time }?.sequence)
            #expect(asked * 4 < all, "\(asked) frames of \(all)")
        }
        try notes.closeProven()
    }

    @Test func `an interrupted view is a typed error and leaves no resources`() throws {
        let notes = try filled(100)
        let past = try notes.engine.visibleSequence
        try notes.put("changed", id: 1)
        for way in [PastWay.rewind, .replay] {
            expectError(.interrupted) {
                _ = try notes.engine.pastView(
                    at: past, by: way, OperationControl(isCancelled: { true }))
            }
        }
        #expect(!notes.engine.slot.current.isRead)
        try notes.closeProven()
    }
}
