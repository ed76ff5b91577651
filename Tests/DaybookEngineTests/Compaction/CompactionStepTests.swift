import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// Compactions of several steps.
@Suite struct CompactionStepTests {
    private static let segmentSizeBytes = 4 << 10

    /// A store with some twenty segments of versions of a few notes, and the texts of the versions.
    private func worn(
        _ fileSystem: any FileSystem = MemoryFileSystem()
    ) throws -> NoteStore {
        let notes = try NoteStore(fileSystem) {
            $0.log.segmentSizeBytes = Self.segmentSizeBytes
            $0.log.preallocationStepBytes = 1 << 10
            $0.blockPayloadBytes = 512
        }
        var generator = SeededGenerator(seed: 1)
        for number in 0..<600 {
            let words = (0..<8).map { _ in String(generator.next(), radix: 36) }
            let id = UInt64(number % 20 + 1)
            try notes.put(words.joined(), id: number < 20 ? 0 : id)
            if number > 20, number % 7 == 0 { try notes.remove(id) }
        }
        #expect(notes.engine.log.manifest.sealed.count > 15)
        return notes
    }

    private func versionCount(_ notes: NoteStore) throws -> Int {
        var count = 0
        for id in UInt64(1)...20 {
            var history = try notes.engine.history(of: notes.entity, id: id)
            while try history.next() != nil { count += 1 }
        }
        return count
    }

    @Test(arguments: [HistoryPolicy.versions(3), .since(500), .latest])
    func `an interrupted compaction keeps its finished steps, and the next one completes it`(
        policy: HistoryPolicy
    ) throws {
        let fileSystem = MemoryFileSystem()
        let notes = try worn(fileSystem)
        let whole = try worn()
        let all = try notes.all()
        let before = try versionCount(notes)
        let length = notes.engine.log.lengthBytes
        expectError(.interrupted) {
            // The first step raises the floor.
            _ = try notes.engine.compact(
                policy, OperationControl(isCancelled: { notes.engine.historyFloor > 0 }))
        }
        #expect(notes.engine.historyFloor > 0)
        let partLength = notes.engine.log.lengthBytes
        #expect(partLength < length)
        #expect(try notes.all() == all)
        try notes.engine.demandPast()
        #expect(try notes.engine.verify().findings == [])
        try notes.closeProven()

        let again = try NoteStore(fileSystem)
        #expect(try again.all() == all)
        let report = try again.engine.compact(policy)
        #expect(report.droppedRecordCount > 0)
        #expect(again.engine.log.lengthBytes < partLength)
        // (The end of the removed objects of the first compaction may differ by its commit.)
        _ = try whole.engine.compact(policy)
        #expect(try versionCount(again) == versionCount(whole))
        #expect(try versionCount(again) < before)
        try again.closeProven()
        try whole.closeProven()
    }

    @Test(arguments: [HistoryPolicy.all, .versions(20)])
    func `a compaction needs additional disk space for one step`(policy: HistoryPolicy) throws {
        let fileSystem = MemoryFileSystem()
        let notes = try worn(fileSystem)
        let before = segmentBytes(fileSystem)
        var most = 0
        _ = try notes.engine.compact(
            policy, OperationControl(progress: { _ in most = max(most, segmentBytes(fileSystem)) }))
        // A step ends when it has written a segment; the snapshot of this store is shorter. It
        // reads whole segments, and does not leave a short last segment.
        #expect(before > 100 << 10)
        #expect(most > before)
        #expect(most < before + 4 * Self.segmentSizeBytes, "\(most) of \(before)")
        try notes.closeProven()
    }

    private func segmentBytes(_ fileSystem: MemoryFileSystem) -> Int {
        let contents = fileSystem.contents
        return fileSystem.paths("segment-").reduce(0) { $0 + (contents[$1]?.count ?? 0) }
    }

    @Test func `the files of a step are removed before the next step`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try worn(fileSystem)
        let oldest = try #require(notes.engine.log.manifest.sealed.first)
        let path = NoteStore.path + "/" + oldest.fileName.text
        var wasOpen = true
        _ = try notes.engine.compact(
            .latest,
            OperationControl(progress: { fraction in
                guard fraction > 0.9, fraction < 1 else { return }
                #expect(!fileSystem.paths("segment-").contains(path))
                wasOpen = notes.engine.log.segment(oldest.number) != nil
            }))
        // An open file needs its space although it has no name.
        #expect(!wasOpen)
        try notes.closeProven()
    }

    // MARK: Crashes and writers

    private static let policy = HistoryPolicy(.versions(2), entities: ["Line": .latest])

    @Test func `a kill at any call leaves a complete history from the floor on`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        let world = try RetentionWorld(fileSystem, seed: 3)
        try world.write(commitCount: 60)
        let floor = try world.engine.visibleSequence
        let newest = try #require(try world.states(from: floor).first)
        let middle = try #require(try world.states(from: floor / 2).first)
        let before = fileSystem.operationCount
        _ = try world.engine.compact(Self.policy)
        let operations = before...fileSystem.operationCount
        var floors: [UInt64] = []
        for operation in operations where operation % 3 == 0 {
            let image = fileSystem.afterKill(at: operation)
            let survivor = try RetentionWorld(image, seed: 4)
            let engine = survivor.engine
            floors.append(engine.historyFloor)
            try newest.demandEqual(
                try PastState(engine.pastView(at: floor, by: .replay), engine.schemas.schema),
                "after \(operation)")
            if engine.historyFloor == 0 {
                try middle.demandEqual(
                    try PastState(
                        engine.pastView(at: floor / 2, by: .replay), engine.schemas.schema),
                    "after \(operation)")
            }
            try engine.proveReplay()
            // The next compaction continues, whatever the first one had done.
            _ = try engine.compact(Self.policy)
            try engine.demandPast(at: engine.historyFloor)
            #expect(try engine.verify().findings == [], "after \(operation)")
            try engine.close()
        }
        #expect(floors.first == 0)
        #expect(floors.last == floor)
        try world.engine.close()
    }

    @Test(arguments: Seeds.first(Seeds.rounds))
    func `commits between the frames of a compaction change no state from the floor on`(
        seed: UInt64
    ) throws {
        for policy in [HistoryPolicy.latest, .versions(2), .since(30), Self.policy] {
            let world = try RetentionWorld(MemoryFileSystem(), seed: seed)
            try world.write(commitCount: 60)
            var states: [UInt64: PastState] = [:]
            func note() throws {
                let sequence = try world.engine.visibleSequence
                states[sequence] = try world.states(from: sequence).first
            }
            try note()
            for sequence in UInt64(20)...40 {
                states[sequence] = try world.states(from: sequence, step: 1_000).first
            }
            let report = try world.engine.compact(
                policy,
                OperationControl(isCancelled: {
                    (try? world.write(commitCount: 1)) == nil || (try? note()) == nil
                }))
            #expect(states.count > 60)
            var checkedCount = 0
            for (sequence, state) in states where sequence >= report.historyFloor {
                try state.demandEqual(
                    try world.engine.demandPast(at: sequence), "\(policy) at \(sequence)")
                checkedCount += 1
            }
            #expect(checkedCount > 10)
            try world.engine.proveReplay()
            try world.engine.close()
        }
    }

    /// A compaction kept all versions of an object that a commit had changed meanwhile.
    @Test(arguments: [HistoryPolicy.latest, .versions(3), .since(500)])
    func `the history of objects that are updated during a compaction is dropped`(
        policy: HistoryPolicy
    ) throws {
        let notes = try worn()
        let removed = try (UInt64(1)...20).filter { try notes.text($0) == nil }
        let hot = (UInt64(1)...20).filter { !removed.contains($0) }
        var updates: [UInt64] = []
        let report = try notes.engine.compact(
            policy,
            OperationControl(isCancelled: {
                do {
                    for id in hot { try notes.put("meanwhile", id: id) }
                    updates.append(try notes.engine.visibleSequence)
                    return false
                } catch {
                    return true
                }
            }))
        #expect(report.segments.count > 15)
        #expect(updates.count > 15)
        let later = updates.filter { $0 > report.historyFloor }.count
        for id in hot {
            var history = try notes.engine.history(of: notes.entity, id: id)
            var sequences: [UInt64] = []
            while let version = try history.next() { sequences.append(version.sequence) }
            let old = sequences.filter { $0 <= report.historyFloor }
            let kept = policy.rule.versionCount
            if policy.rule.floor == HistoryRule.newest {
                #expect(old.count == kept, "\(id)")
                #expect(sequences.count - old.count == later, "\(id)")
            } else {
                #expect(old.count <= kept, "\(id)")
            }
        }
        #expect(try notes.engine.verify().findings == [])
        try notes.engine.demandPast(at: report.historyFloor)
        try notes.closeProven()
    }
}
