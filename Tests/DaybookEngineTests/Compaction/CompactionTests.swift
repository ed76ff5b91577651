import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Synchronization
import Testing

@Suite struct CompactionTests {
    /// Returns a store with several sealed segments: updates, removals, and a transaction of many
    /// frames.
    private func segmented(_ fileSystem: any FileSystem) throws -> NoteStore {
        let notes = try NoteStore(fileSystem) {
            $0.log.segmentSizeBytes = 16 << 10
            $0.blockPayloadBytes = 4 << 10
        }
        for number in 0..<400 {
            try notes.put("note number \(number) of many", id: 0)
            if number % 3 == 2 { try notes.put("changed \(number)", id: UInt64(number)) }
            if number % 5 == 4 { try notes.remove(UInt64(number - 1)) }
        }
        let text = String(repeating: "wide ", count: 100)
        try notes.engine.write { transaction in
            for number in 0..<100 { try notes.put(text + "\(number)", in: transaction) }
        }
        for number in 0..<20 { try notes.put("afterwards \(number)") }
        #expect(notes.engine.log.manifest.sealed.count > 2)
        return notes
    }

    @Test(arguments: [HistoryPolicy.all, .since(200), .latest])
    func `compaction changes no result`(policy: HistoryPolicy) throws {
        let fileSystem = MemoryFileSystem()
        let notes = try segmented(fileSystem)
        let all = try notes.all()
        let hash = try notes.engine.stateHash()
        let sequence = try notes.engine.visibleSequence
        let report = try notes.engine.compact(policy)
        #expect(try notes.all() == all)
        if policy == .all {
            // (The other policy commits the new history floor.)
            #expect(try notes.engine.stateHash() == hash)
            #expect(try notes.engine.visibleSequence == sequence)
        }
        #expect(try #require(report.bytesAfter) < report.bytesBefore)
        #expect(report.segments.count > 2)
        try notes.closeProven()
        let again = try NoteStore(fileSystem)
        #expect(try again.all() == all)
        #expect(again.engine.openReport.recovery.wasClosedCleanly)
        try again.closeProven()
    }

    @Test func `a compression ends although writers seal more segments`() throws {
        let notes = try segmented(MemoryFileSystem())
        let text = String(repeating: "wide ", count: 4_000)
        var sealCount = 0
        let control = OperationControl(progress: { _ in
            guard sealCount < 5 else { return }
            sealCount += 1
            _ = try? notes.put(text + "\(sealCount)")
        })
        _ = try notes.engine.compact(.all, control)
        #expect(sealCount == 5)
        #expect(notes.engine.log.manifest.sealed.contains { !$0.isBlocked })
        _ = try notes.engine.compact(.all)
        #expect(!notes.engine.log.manifest.sealed.contains { !$0.isBlocked })
        try notes.closeProven()
    }

    // A segment could only end where a payload and a transaction ended together: long transactions
    // gave one segment that grew beyond the offsets that the log can address.
    @Test(arguments: [HistoryPolicy.all, .since(200), .latest])
    func `long transactions do not make segments longer`(
        policy: HistoryPolicy
    ) throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore(files) {
            $0.log.segmentSizeBytes = 16 << 10
            $0.blockPayloadBytes = 4 << 10
        }
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            try notes.engine.write { transaction in
                for _ in 0..<101 {
                    let words = (0..<6).map { _ in String(generator.next(), radix: 36) }
                    try notes.put(words.joined(), in: transaction)
                }
            }
        }
        _ = try notes.engine.compact(policy, sealsActive: true)
        let lengths = notes.engine.log.manifest.sealed.map(\.length)
        // A transaction has about 9 KiB.
        #expect(lengths.allSatisfy { $0 < 32 << 10 }, "\(lengths)")
        #expect(lengths.dropLast().allSatisfy { $0 > 12 << 10 }, "\(lengths)")
        #expect(lengths.count > 4)
        try notes.closeProven()
    }

    @Test func `keeping all drops no record and keeping the latest drops superseded records`()
        throws
    {
        let notes = try segmented(MemoryFileSystem())
        let kept = try notes.engine.compact(.all)
        #expect(kept.droppedRecordCount == 0)
        #expect(notes.engine.log.manifest.historyFloor == 0)
        let dropped = try notes.engine.compact(.latest)
        #expect(dropped.droppedRecordCount > 100)
        #expect(dropped.historyFloor > 0)
        #expect(dropped.historyFloor <= notes.engine.log.lastSequence)
        try notes.closeProven()
    }

    @Test func `compacting a compacted store changes nothing`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try segmented(fileSystem)
        _ = try notes.engine.compact(.all)
        let files = fileSystem.contents
        let report = try notes.engine.compact(.all)
        #expect(report.segments.isEmpty)
        #expect(fileSystem.contents == files)
        try notes.closeProven()
    }

    @Test func `a plan predicts the compaction and changes nothing`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try segmented(fileSystem)
        let files = fileSystem.contents
        let plan = try notes.engine.planCompaction(.latest)
        #expect(fileSystem.contents == files)
        #expect(plan.bytesAfter == nil)
        let report = try notes.engine.compact(.latest)
        #expect(plan.droppedRecordCount == report.droppedRecordCount)
        #expect(plan.segments.allSatisfy { !$0.reason.isEmpty })
        #expect(report.heldBytes == 0)
        try notes.closeProven()
    }

    @Test func `a compaction removes the replaced segments and no other file`() throws {
        let fileSystem = MemoryFileSystem()
        try fileSystem.createDirectory(NoteStore.path)
        let notes = try segmented(fileSystem)
        let stranger = try fileSystem.open(NoteStore.path + "/stranger", .create)
        try stranger.write([1, 2, 3].span, at: 0)
        stranger.close()
        let before = Set(fileSystem.paths("segment-"))
        _ = try notes.engine.compact(.latest)
        let after = Set(fileSystem.paths("segment-"))
        #expect(before.intersection(after).isEmpty)
        #expect(after.count == notes.engine.log.manifest.sealed.count + 1)
        #expect(fileSystem.contents[NoteStore.path + "/stranger"] == [1, 2, 3])
        try notes.closeProven()
        #expect(fileSystem.contents[NoteStore.path + "/stranger"] == [1, 2, 3])
    }

    @Test func `an interrupted compaction changes nothing`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try segmented(fileSystem)
        let segments = fileSystem.paths("segment-")
        let all = try notes.all()
        var asked = 0
        expectError(.interrupted) {
            _ = try notes.engine.compact(
                .all,
                OperationControl(isCancelled: {
                    asked += 1
                    return asked > 30
                }))
        }
        #expect(fileSystem.paths("segment-") == segments)
        #expect(try notes.all() == all)
        _ = try notes.engine.compact(.all)
        #expect(try notes.all() == all)
        try notes.closeProven()
    }

    @Test func `progress increases to one`() throws {
        let notes = try segmented(MemoryFileSystem())
        var seen: [Double] = []
        _ = try notes.engine.compact(
            .latest, OperationControl(progress: { seen.append($0) }))
        #expect(seen.count > 2)
        #expect(seen == seen.sorted())
        #expect(seen.last == 1)
        #expect(seen.allSatisfy { (0...1).contains($0) })
        try notes.closeProven()
    }

    @Test func `a reader of an older version continues while its segments are replaced`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try segmented(fileSystem)
        let all = try notes.all()
        try notes.engine.read { view in
            try onThreads(1) { _ in
                for id in try notes.all().keys { try notes.put("rewritten", id: id) }
                _ = try notes.engine.compact(.latest)
                _ = try notes.engine.compact(.latest)
            }
            var scan = view.scan(notes.entity)
            var found: [UInt64: String] = [:]
            while let row = try scan.next() { found[row.id] = try notes.text(of: row) }
            #expect(found == all)
        }
        #expect(try notes.all() == all.mapValues { _ in "rewritten" })
        try notes.closeProven()
    }

    @Test func `writers and readers continue during a compaction`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try segmented(fileSystem)
        let ids = try notes.all().keys.sorted()
        let isDone = Atomic(false)
        try onThreads(5) { number in
            switch number {
            case 0:
                for round in 0..<4 { _ = try notes.engine.compact(round % 2 == 0 ? .all : .latest) }
                isDone.store(true, ordering: .releasing)
            case 1, 2:
                var round = 0
                repeat {
                    let id = ids[(round * 7 + number) % ids.count]
                    try notes.put("writer \(number) round \(round)", id: id)
                    round += 1
                } while !isDone.load(ordering: .acquiring)
            default:
                repeat {
                    let found = try notes.all()
                    guard found.count == ids.count else { throw Refusal(number: found.count) }
                } while !isDone.load(ordering: .acquiring)
            }
        }
        #expect(try notes.all().keys.sorted() == ids)
        try notes.closeProven()
        let again = try NoteStore(fileSystem)
        #expect(try again.all().keys.sorted() == ids)
        try again.closeProven()
    }

    @Test func `a kill at any point of a compaction loses nothing`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try segmented(fileSystem)
        let all = try notes.all()
        var images: [MemoryFileSystem] = []
        _ = try notes.engine.compact(
            .latest, OperationControl(progress: { _ in images.append(fileSystem.afterKill()) }))
        images.append(fileSystem.afterKill())
        for index in [0, images.count / 2, images.count - 1] {
            let survivor = try NoteStore(images[index])
            #expect(try survivor.all() == all)
            try survivor.put("and it goes on")
            try survivor.closeProven()
        }
        try notes.closeProven()
    }

    @Test func `the space of replaced segments is freed when their last reader ends`() throws {
        let notes = try segmented(MemoryFileSystem())
        var numbers: [UInt64] = []
        try notes.engine.read { _ in
            numbers = notes.engine.log.manifest.sealed.map(\.number)
            try onThreads(1) { _ in
                let report = try notes.engine.compact(.latest)
                #expect(report.heldBytes == report.segments.reduce(0) { $0 + $1.lengthBytes })
            }
            #expect(numbers.allSatisfy { notes.engine.log.segment($0) != nil })
        }
        notes.engine.releaseReplacedSegments()
        #expect(numbers.allSatisfy { notes.engine.log.segment($0) == nil })
        try notes.closeProven()
    }

    @Test func `a compaction that fails at any call loses nothing, and neither does the next one`()
        throws
    {
        // The index entries had moved to the new segments when writing the manifest failed. The
        // next compaction then considered the records of the old segments superseded and dropped
        // them.
        let counter = FaultFileSystem(
            MemoryFileSystem(), failingCall: 0, fault: .errno(28), persistence: .once)
        let unharmed = try small(counter)
        let all = try unharmed.all()
        let firstCall = counter.callCount
        _ = try unharmed.engine.compact(.latest)
        let lastCall = counter.callCount
        try unharmed.closeProven()
        for call in stride(from: firstCall + 1, through: lastCall, by: 1) {
            let memory = MemoryFileSystem()
            let fileSystem = FaultFileSystem(
                memory, failingCall: call, fault: .errno(28), persistence: .once)
            let notes = try small(fileSystem)
            #expect(!fileSystem.hasFailed)
            do throws(DaybookError) { _ = try notes.engine.compact(.latest) } catch {
                let codes: [DaybookError.Code] = [.outOfSpace, .durabilityUnknown]
                #expect(codes.contains(error.code), "call \(call): \(error)")
            }
            #expect(fileSystem.hasFailed)
            #expect(try notes.all() == all, "call \(call)")
            if notes.engine.log.durability?.failure == nil {
                try notes.put("writing goes on", id: 1)
                _ = try notes.engine.compact(.latest)
                #expect(try notes.text(1) == "writing goes on")
                try notes.put(try #require(all[1]), id: 1)
                try notes.closeProven()
            } else {
                expectError(.durabilityUnknown) { try notes.engine.close() }
            }
            let again = try NoteStore(memory)
            #expect(try again.all() == all, "call \(call), reopened")
            try again.closeProven()
        }
    }

    private func small(_ fileSystem: any FileSystem) throws -> NoteStore {
        let notes = try NoteStore(fileSystem) { $0.log.segmentSizeBytes = 2 << 10 }
        for number in 0..<20 { try notes.put("note \(number)") }
        for id in UInt64(3)...9 { try notes.put("changed \(id)", id: id) }
        try notes.remove(5)
        try notes.remove(20)
        return notes
    }
}
