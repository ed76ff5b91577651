import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookTestSupport
import Synchronization
import Testing

@Suite struct RecoveryTests {
    @Test func `committed objects exist after a kill`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for number in 0..<50 { try notes.put("note \(number)") }
        try notes.remove(7)
        let again = try NoteStore(fileSystem.afterKill())
        #expect(try again.all() == (try notes.all()))
        #expect(!again.engine.openReport.recovery.wasClosedCleanly)
        #expect(again.engine.openReport.recovery.tornBytes == 0)
        #expect(try again.put("next") == 51)
        try again.closeProven()
    }

    @Test func `a cut in the last commit loses only that commit, and its bytes are kept`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for number in 0..<10 { try notes.put("note \(number)") }
        let before = try notes.all()
        let kept = notes.engine.log.end.offset
        try notes.put("torn")
        let end = notes.engine.log.end.offset
        let path = try #require(fileSystem.paths("segment-").last)
        for cut in [kept + 1, kept + 40, kept + 70, end - 1] {
            let image = fileSystem.afterKill(changing: path) { bytes in
                for index in cut..<bytes.count { bytes[index] = 0 }
            }
            let again = try NoteStore(image)
            #expect(try again.all() == before, "cut at \(cut)")
            let report = again.engine.openReport.recovery
            #expect(report.tornBytes > 0)
            #expect(report.lastSequence == again.engine.log.lastSequence)
            let name = try #require(report.quarantinedFile)
            let quarantined = image.contents[NoteStore.path + "/quarantine/" + name]
            let original = try #require(fileSystem.contents[path])
            let torn = try #require(quarantined)
            #expect(
                Array(original[kept..<(kept + torn.count)].prefix(cut - kept))
                    == Array(torn.prefix(cut - kept)))
            #expect(try again.put("in its place") == 11)
            try again.closeProven()
            let third = try NoteStore(image)
            #expect(try third.text(11) == "in its place")
            try third.closeProven()
        }
    }

    @Test func `a transaction of several frames is never recovered in part`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem) { $0.framePayloadBytes = 1 << 10 }
        try notes.put("before")
        let start = notes.engine.log.end.offset
        let text = String(repeating: "x", count: 200)
        try notes.engine.write { transaction in
            for _ in 0..<40 { try notes.put(text, in: transaction) }
        }
        let end = notes.engine.log.end.offset
        let path = try #require(fileSystem.paths("segment-").last)
        for cut in stride(from: start, to: end, by: 701) {
            let image = fileSystem.afterKill(changing: path) { $0.removeSubrange(cut...) }
            let again = try NoteStore(image)
            #expect(try again.all() == [1: "before"], "cut at \(cut)")
            try again.closeProven()
        }
    }

    @Test func `damage before the last durable commit is refused and nothing is changed`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        var ends: [Int] = []
        for number in 0..<10 {
            try notes.put("note \(number)")
            ends.append(notes.engine.log.end.offset)
        }
        let path = try #require(fileSystem.paths("segment-").last)
        for place in [ends[0] + 3, ends[2] + 20, ends[4] + 70, ends[7] + 66] {
            let image = fileSystem.afterKill(changing: path) { $0[place] ^= 0x10 }
            let files = image.contents
            let error = expectError(.corruption) { _ = try NoteStore(image) }
            #expect(error?.details["segment"] == "1")
            #expect(error?.details["offset"] != nil)
            #expect(error?.details["sequence"] != nil)
            // The lock file may be new; no other file.
            let after = image.contents.filter { !$0.key.hasSuffix("LOCK") }
            #expect(after == files.filter { !$0.key.hasSuffix("LOCK") })
        }
    }

    @Test func `a snapshot and the tail give the same state as the log`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for number in 0..<200 { try notes.put("note \(number)") }
        try notes.engine.writeSnapshot()
        for id in UInt64(1)...50 { try notes.put("later \(id)", id: id) }
        for id in UInt64(60)...70 { try notes.remove(id) }
        let again = try NoteStore(fileSystem.afterKill())
        #expect(again.engine.openReport.snapshotSequence == 201)
        #expect(again.engine.openReport.replayedChangeCount == 61)
        #expect(try again.all() == (try notes.all()))
        try again.closeProven()
    }

    @Test func `a damaged snapshot is skipped for the older one, then for the log`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for number in 0..<100 { try notes.put("note \(number)") }
        try notes.engine.writeSnapshot()
        for number in 0..<100 { try notes.put("more \(number)") }
        try notes.engine.writeSnapshot()
        try notes.put("tail")
        let all = try notes.all()
        let paths = fileSystem.paths("snapshot-")
        #expect(paths.count == 2)
        for place in [0, 9, 100, -1, -9, -40] {
            let one = fileSystem.afterKill(changing: paths[1]) { bytes in
                bytes[place < 0 ? bytes.count + place : place] ^= 1
            }
            let again = try NoteStore(one)
            #expect(try again.all() == all, "byte \(place)")
            try again.closeProven()
            let both = one.afterKill(changing: paths[0]) { $0.removeLast(20) }
            let third = try NoteStore(both)
            #expect(try third.all() == all)
            try third.closeProven()
        }
    }

    @Test func `any flipped byte of a snapshot is repaired without an error`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for start in stride(from: 0, to: 3000, by: 15) {
            try notes.engine.write { transaction in
                for number in start..<(start + 15) { try notes.put("n\(number)", in: transaction) }
            }
        }
        try notes.engine.writeSnapshot()
        let path = try #require(fileSystem.paths("snapshot-").last)
        let length = try #require(fileSystem.contents[path]).count
        for place in stride(from: 1, to: length, by: max(1, length / 25)) {
            let image = fileSystem.afterKill(changing: path) { $0[place] ^= 0x40 }
            let again = try NoteStore(image)
            #expect(try again.text(1) == "n0", "byte \(place)")
            #expect(try again.text(3000) == "n2999")
            #expect(try again.count() == 3000)
            let recorder = CommitRecorder(after: again.engine.commitSignal.sequence)
            _ = recorder.listen(to: again.engine)
            #expect(try again.put("new") == 3001)
            #expect(try again.remove(3001))
            let last = try again.engine.visibleSequence
            #expect(recorder.sequences == [last - 1, last], "byte \(place)")
            var scanned: [UInt64] = []
            try again.engine.forEachRow(again.entity) { row in
                scanned.append(row.id)
                return true
            }
            #expect(scanned == Array(1...3000), "byte \(place)")
            try again.closeProven()
        }
    }

    @Test func `a read transaction on a damaged snapshot keeps its version`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for start in stride(from: 0, to: 3000, by: 15) {
            try notes.engine.write { transaction in
                for number in start..<(start + 15) { try notes.put("n\(number)", in: transaction) }
            }
        }
        try notes.engine.writeSnapshot()
        let path = try #require(fileSystem.paths("snapshot-").last)
        let length = try #require(fileSystem.contents[path]).count
        for place in stride(from: 1, to: length / 2, by: max(1, length / 9)) {
            let image = fileSystem.afterKill(changing: path) { $0[place] ^= 0x40 }
            let again = try NoteStore(image)
            try again.engine.readTransaction {
                #expect(try again.text(1) == "n0", "byte \(place)")
                try onThreads(1) { _ in try again.put("changed", id: 3000) }
                #expect(try again.text(3000) == "n2999")
                #expect(try again.all().count == 3000)
            }
            #expect(try again.text(3000) == "changed")
            try again.closeProven()
        }
    }

    @Test func `a snapshot that is ahead of the log is corruption`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        let early = fileSystem.contents
        for number in 0..<20 { try notes.put("note \(number)") }
        try notes.engine.writeSnapshot()
        var mixed = early
        for path in fileSystem.paths("snapshot-") { mixed[path] = fileSystem.contents[path] }
        let image = MemoryFileSystem(contents: mixed)
        expectError(.corruption) { _ = try NoteStore(image) }
    }

    @Test func `a snapshot of another store is skipped`() throws {
        let other = MemoryFileSystem()
        let strange = try NoteStore(other)
        for number in 0..<30 { try strange.put("strange \(number)") }
        try strange.engine.writeSnapshot()
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("ours")
        var mixed = fileSystem.contents
        for path in other.paths("snapshot-") { mixed[path] = other.contents[path] }
        let again = try NoteStore(MemoryFileSystem(contents: mixed))
        #expect(try again.all() == [1: "ours"])
        #expect(again.engine.openReport.rejectedSnapshots.count == 1)
        try again.closeProven()
    }

    @Test func `two snapshots are kept, and a close writes one if the replay would be long`()
        throws
    {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem) { $0.snapshotChangeCountMin = 10 }
        for number in 0..<4 {
            for _ in 0..<20 { try notes.put("note \(number)") }
            try notes.engine.writeSnapshotAndPrune()
        }
        #expect(fileSystem.paths("snapshot-").count == 2)
        for _ in 0..<20 { try notes.put("more") }
        try notes.closeProven()
        let again = try NoteStore(fileSystem)
        #expect(again.engine.openReport.snapshotSequence == again.engine.log.lastSequence)
        #expect(again.engine.openReport.replayedChangeCount == 0)
        #expect(again.engine.openReport.recovery.wasClosedCleanly)
        #expect(try again.count() == 100)
        try again.closeProven()
    }

    @Test func `opening after each of many kills keeps every commit`() throws {
        var fileSystem = MemoryFileSystem()
        var expected: [UInt64: String] = [:]
        for round in 0..<12 {
            let notes = try NoteStore(fileSystem) { $0.log.segmentSizeBytes = 4 << 10 }
            #expect(try notes.all() == expected)
            for number in 0..<8 {
                let text = "round \(round) number \(number)"
                expected[try notes.put(text)] = text
            }
            if round % 3 == 0 { try notes.engine.writeSnapshot() }
            if round % 4 == 1 { _ = try notes.engine.compact(.all) }
            try notes.engine.proveReplay()
            fileSystem = fileSystem.afterKill()
        }
        let last = try NoteStore(fileSystem)
        #expect(try last.all() == expected)
        try last.closeProven()
    }
}
