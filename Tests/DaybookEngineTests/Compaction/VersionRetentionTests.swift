import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookTesting
import DaybookTestSupport
import Testing

/// Compactions that keep a number of versions, and different histories of different entities.
@Suite struct VersionRetentionTests {
    private func history(_ notes: NoteStore, _ id: UInt64) throws -> ([String?], ObjectHistory.End?)
    {
        var history = try notes.engine.history(of: notes.entity, id: id)
        var texts: [String?] = []
        while let version = try history.next() {
            texts.append(try version.row.map { try notes.text(of: $0) })
        }
        return (texts, history.end)
    }

    /// A store with an object of five versions, one that was removed, and one that was removed and
    /// inserted again.
    private func worn(_ fileSystem: any FileSystem = MemoryFileSystem()) throws -> NoteStore {
        let notes = try NoteStore(fileSystem)
        for number in 1...5 { try notes.put("a\(number)", id: number == 1 ? 0 : 1) }
        try notes.put("b1")
        try notes.put("b2", id: 2)
        try notes.remove(2)
        try notes.put("c1")
        try notes.remove(3)
        try notes.put("c2", id: 3)
        return notes
    }

    @Test func `the newest versions of each object stay, removals included`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try worn(fileSystem)
        let last = notes.engine.log.lastSequence
        let report = try notes.engine.compact(.versions(2))
        // Three versions of the first object with their commits, and one each of the others.
        #expect(report.droppedRecordCount == 10)
        #expect(report.historyFloor == last)
        #expect(try history(notes, 1) == (["a5", "a4"], .compacted))
        #expect(try history(notes, 2) == ([nil, "b2"], .compacted))
        #expect(try history(notes, 3) == (["c2", nil], .compacted))
        expectError(.historyTruncated) { _ = try notes.engine.pastView(at: last - 1) }
        expectError(.historyTruncated) {
            _ = try notes.engine.row(notes.entity, 1, at: last - 1)
        }
        #expect(try notes.all() == [1: "a5", 3: "c2"])
        #expect(try notes.engine.verify().findings == [])
        try notes.closeProven()
        let again = try NoteStore(fileSystem)
        #expect(try history(again, 1) == (["a5", "a4"], .compacted))
        #expect(try history(again, 2) == ([nil, "b2"], .compacted))
        try again.closeProven()
    }

    @Test func `more versions than exist drop nothing and rewrite nothing`() throws {
        let notes = try worn()
        _ = try notes.engine.compact(.all, sealsActive: true)
        let sequence = notes.engine.log.lastSequence
        let report = try notes.engine.compact(.versions(5))
        #expect(report.droppedRecordCount == 0)
        #expect(report.segments.isEmpty)
        #expect(notes.engine.historyFloor == 0)
        #expect(notes.engine.log.lastSequence == sequence)
        #expect(try history(notes, 1) == (["a5", "a4", "a3", "a2", "a1"], .beginning))
        try notes.closeProven()
    }

    @Test func `one version is the latest version`() throws {
        let notes = try worn()
        let other = try worn()
        let one = try notes.engine.compact(.versions(1))
        let latest = try other.engine.compact(.latest)
        #expect(one.droppedRecordCount == latest.droppedRecordCount)
        #expect(try history(notes, 2) == ([], .compacted))
        #expect(try history(other, 2) == ([], .compacted))
        try notes.closeProven()
        try other.closeProven()
    }

    @Test func `versions that a consumer has not acknowledged stay`() throws {
        let notes = try worn()
        // The commit of "a3".
        let position = ChangePosition(store: notes.engine.log.store, sequence: 4)
        try ConsumerStore(notes.engine).write(position, of: "mailer")
        let report = try notes.engine.compactForConsumers(.versions(2))
        #expect(report.retainingConsumers == ["mailer"])
        #expect(report.historyFloor == 4)
        #expect(try history(notes, 1) == (["a5", "a4", "a3", "a2"], .compacted))
        #expect(try history(notes, 3) == (["c2", nil, "c1"], .beginning))
        try notes.closeProven()
    }

    @Test func `an unknown entity and a number of versions below one are refused`() throws {
        let notes = try worn()
        let sealed = notes.engine.log.manifest.sealed
        let policy = HistoryPolicy(.all, entities: ["Nonsense": .latest])
        expectError(.invalidArgument) { _ = try notes.engine.compact(policy) }
        expectError(.invalidArgument) { _ = try notes.engine.planCompaction(policy) }
        expectError(.invalidArgument) {
            _ = try notes.engine.policy(for: HistoryRequests(.versions(0)))
        }
        #expect(notes.engine.log.manifest.sealed == sealed)
        try notes.closeProven()
    }

    // MARK: Random histories

    static let rules: [HistoryRule] = [
        .all, .latest, .versions(2), .versions(4), .since(40), .since(90),
        HistoryRule(floor: 70, versionCount: 2),
    ]
    static let eventRules: [HistoryRule?] = [nil, nil, .all, .latest, .since(30), .since(120)]

    /// Compares the history after each compaction with the one before it.
    private func check(
        _ world: RetentionWorld, _ policy: HistoryPolicy, _ rules: [UInt32: HistoryRule]
    ) throws {
        let before = try world.versions()
        let newest = try world.engine.visibleSequence
        let floor = max(world.engine.historyFloor, min(policy.floor, newest))
        let states = try world.states(from: floor)
        let events = try world.engine.facts(of: "Click")
        let plan = try world.engine.planCompaction(policy)
        let report = try world.engine.compact(policy)
        #expect(report.droppedRecordCount == plan.droppedRecordCount)
        #expect(
            report.historyFloor == (report.policy.dropsHistory ? floor : world.engine.historyFloor))
        for (object, versions) in before {
            let kept = RetentionWorld.kept(
                versions, try #require(rules[object.entity]), newest: newest)
            let found = try world.versions(of: object)
            try demand(
                found == kept, "\(policy) \(object): \(found), not \(kept); were \(versions)")
        }
        let found = try world.engine.facts(of: "Click")
        try demand(found == RetentionWorld.kept(events, policy), "\(policy): \(found)")
        try demand(report.droppedEventCount == events.count - found.count, "\(policy)")
        let after = try world.states(from: floor)
        for (one, other) in zip(states, after) { try one.demandEqual(other, "\(policy)") }
        try demand(try world.engine.verify().findings.isEmpty, "\(policy)")
        try world.engine.demandPast()
    }

    @Test(arguments: Seeds.first(6 * Seeds.rounds))
    func `random histories keep what the rules ask for`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fileSystem = MemoryFileSystem()
        var world = try RetentionWorld(fileSystem, seed: seed)
        for _ in 0..<4 {
            try world.write(commitCount: 60)
            let next = world.nextEvent
            let rules = (0..<2).map { _ in Self.rules[Int(random.next() % 7)] }
            let isPerEntity = random.next() % 2 == 0
            var policy = HistoryPolicy(rules[0], entities: isPerEntity ? ["Line": rules[1]] : [:])
            policy.entities["Click"] = Self.eventRules[Int(random.next() % 6)]
            try check(
                world, policy,
                [world.entities[0]: rules[0], world.entities[1]: rules[isPerEntity ? 1 : 0]])
            try world.engine.proveReplay()
            try world.engine.close()
            world = try RetentionWorld(fileSystem, seed: random.next())
            try demand(world.nextEvent == next, "\(policy): \(world.nextEvent), not \(next)")
        }
        try world.engine.close()
    }
}
