import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookTesting
import DaybookTestSupport
import Testing

/// Compactions that drop events.
@Suite struct EventRetentionTests {
    @Test func `the events of a named entity are dropped up to the floor, and no others`() throws {
        let fileSystem = MemoryFileSystem()
        var store = try EventStore.filled(fileSystem)
        let floor = store.last / 2
        let (clicks, pings) = (try store.facts(), try store.facts(of: "Ping"))
        let kept = clicks.filter { $0.sequence > floor }
        let states = try (floor...store.last).map {
            try PastState(store.engine.pastView(at: $0, by: .replay), store.engine.schemas.schema)
        }
        let plan = try store.engine.planCompaction(.clicks(.since(floor)))
        let report = try store.engine.compact(.clicks(.since(floor)))
        #expect(try store.facts() == kept)
        #expect(try store.facts(of: "Ping") == pings)
        #expect(report.historyFloor == floor && store.engine.historyFloor == floor)
        // The commits stay, because all other history does.
        #expect(report.droppedRecordCount == clicks.count - kept.count)
        #expect(report.droppedEventCount == clicks.count - kept.count)
        #expect(plan.droppedEventCount == report.droppedEventCount)
        #expect(plan.droppedRecordCount == report.droppedRecordCount)
        try store.closeProven()

        store = try EventStore(fileSystem)
        #expect(try store.facts() == kept)
        for state in states {
            let view = try store.engine.pastView(at: state.sequence, by: .replay)
            try state.demandEqual(try PastState(view, store.engine.schemas.schema), "reopened")
        }
        try store.engine.demandPast()
        expectError(.historyTruncated) { _ = try store.engine.pastView(at: floor - 1) }
        expectError(.historyTruncated) { _ = try ChangeReader(store.engine, after: floor - 1) }
        expectError(.historyTruncated) {
            let range = HistoryRange(from: .sequence(floor - 1))
            try store.engine.forEachTransaction(in: range) { _ in true }
        }
        var reader = try ChangeReader(store.engine, after: floor)
        var read: [UInt64] = []
        while let commit = try reader.next() {
            read += commit.objects.filter { $0.kind == .event }.map(\.id)
        }
        let later = try store.facts(of: "Ping").filter { $0.sequence > floor }
        #expect(read.sorted() == (kept + later).map(\.number).sorted())
        try store.closeProven()
    }

    @Test(arguments: [
        HistoryPolicy.all, .since(40), .latest, .versions(2), .clicks(.all),
        HistoryPolicy(.latest, entities: ["Note": .versions(2)]),
        HistoryPolicy(.latest, entities: ["Click": .all, "Ping": .all]),
    ])
    func `a history that names no events keeps them`(policy: HistoryPolicy) throws {
        let store = try EventStore.filled()
        let before = try store.facts() + store.facts(of: "Ping")
        let report = try store.engine.compact(policy, sealsActive: true)
        #expect(try store.facts() + store.facts(of: "Ping") == before)
        #expect(report.droppedEventCount == 0)
        try store.closeProven()
    }

    @Test func `a compaction that drops only events rewrites the log, and only once`() throws {
        let store = try EventStore.filled()
        _ = try store.engine.compact(.all, sealsActive: true)
        let length = store.engine.log.lengthBytes
        let report = try store.engine.compact(.clicks(.since(60)))
        #expect(!report.segments.isEmpty)
        #expect(store.engine.log.lengthBytes < length)
        let sequence = store.last
        // Compresses the record of the compaction.
        _ = try store.engine.compact(.all, sealsActive: true)
        #expect(try store.engine.compact(.clicks(.since(60))).segments.isEmpty)
        #expect(try store.engine.compact(.clicks(.since(20))).segments.isEmpty)
        #expect(store.last == sequence && store.engine.historyFloor == 60)
        try store.closeProven()
    }

    @Test(arguments: [false, true], [false, true])
    func `numbers of dropped events are not given to others`(
        hasSnapshot: Bool, keepsCommits: Bool
    ) throws {
        let fileSystem = MemoryFileSystem()
        var store = try EventStore.filled(fileSystem)
        let next = store.nextNumber()
        #expect(next > 50)
        _ = try store.engine.compact(
            keepsCommits
                ? .clicks(.latest)
                : HistoryPolicy(.latest, entities: ["Click": .latest, "Ping": .latest]))
        #expect(try store.facts().isEmpty)
        #expect(store.nextNumber() == next)
        try store.closeProven()
        var files = fileSystem.contents
        if !hasSnapshot { files = files.filter { !$0.key.contains("/snapshot-") } }
        store = try EventStore(MemoryFileSystem(contents: files))
        #expect((store.engine.openReport.snapshotSequence != nil) == hasSnapshot)
        #expect(store.nextNumber() == next)
        try store.append(["first after"])
        #expect(try store.facts().map(\.number) == [next])
        _ = try store.engine.compact(.clicks(.latest))
        try store.append(["second after"])
        #expect(try store.facts().map(\.number) == [next + 1])
        try store.closeProven()
    }

    @Test func `the commit of a dropped event has the history of the other entities`() throws {
        func commitCount(_ policy: HistoryPolicy) throws -> Int {
            let store = try EventStore()
            for number in 1...10 { try store.append(["click \(number)"]) }
            try store.put("note")
            _ = try store.engine.compact(policy)
            var count = 0
            try store.engine.forEachTransaction { _ in
                count += 1
                return true
            }
            try store.closeProven()
            return count
        }
        // The schema, ten clicks, the note, and the record of the compaction.
        #expect(try commitCount(.clicks(.latest)) == 13)
        #expect(try commitCount(HistoryPolicy(.latest, entities: ["Click": .latest])) == 3)
        #expect(try commitCount(HistoryPolicy(.latest, entities: ["Click": .since(6)])) == 8)
        #expect(try commitCount(.latest) == 13)
    }

    /// Whole steps of the compaction then write no record.
    @Test func `segments of nothing but dropped events disappear`() throws {
        let fileSystem = MemoryFileSystem()
        var store = try EventStore(fileSystem)
        for number in 1...400 { try store.append(["click \(number)"]) }
        let last = store.last
        #expect(store.engine.log.manifest.sealed.count > 10)
        _ = try store.engine.compact(HistoryPolicy(.latest, entities: ["Click": .latest]))
        #expect(store.engine.log.manifest.sealed.count < 3)
        try store.closeProven()
        store = try EventStore(fileSystem)
        #expect(store.engine.historyFloor == last && store.last == last + 1)
        let now = WallClock.microsecondsSinceEpoch()
        let point = HistoryPoint.time(first: now, last: now)
        #expect(try store.engine.last(atOrBefore: point, OperationControl()) == last + 1)
        try store.append(["next"])
        #expect(try store.facts().map(\.number) == [401])
        try store.closeProven()
    }

    @Test func `a report counts dropped events and says why records stay`() throws {
        let store = try EventStore()
        for number in 1...3 { try store.append(["click \(number)"]) }
        try store.put("one")
        try store.put("two", id: 1)
        func reason(_ policy: HistoryPolicy) throws -> String {
            try store.engine.planCompaction(policy).segments[0].reason
        }
        let rules =
            "the versions, events and links that the rules of the entities keep, schemas and the"
            + " commits of these records are kept; "
        #expect(try reason(.clicks(.latest)) == rules + "3 events are dropped")
        #expect(
            try reason(HistoryPolicy(.latest, entities: ["Click": .latest]))
                == rules + "3 events and 5 other records are dropped")
        #expect(
            try reason(.clicks(.since(1))) == "all history is kept; payloads are gathered into"
                + " compressed blocks")
        #expect(
            try reason(.latest) == "last versions of living objects, schemas, events, links and"
                + " their commits are kept; 2 superseded records are dropped")
        try store.closeProven()
    }

    // MARK: Consumers and automatic retention

    @Test func `events that a consumer has not acknowledged are kept`() throws {
        let store = try EventStore.filled()
        let clicks = try store.facts()
        let position = ChangePosition(store: store.engine.log.store, sequence: 30)
        try ConsumerStore(store.engine).write(position, of: "mailer")
        for rule in [HistoryRule.latest, .since(70)] {
            let report = try store.engine.compactForConsumers(.clicks(rule))
            #expect(report.retainingConsumers == ["mailer"])
            #expect(report.historyFloor == 30)
            #expect(try store.facts() == clicks.filter { $0.sequence > 30 })
        }
        var reader = try ChangeReader(store.engine, after: 30)
        #expect(try reader.next()?.sequence == 31)
        // Without regard to consumers, all events are dropped.
        _ = try store.engine.compact(.clicks(.latest))
        #expect(try store.facts().isEmpty)
        expectError(.historyTruncated) { _ = try ChangeReader(store.engine, after: 30) }
        try store.closeProven()
    }

    @Test(arguments: [HistoryRequest.last(milliseconds: 0), .latest])
    func `the automatic retention drops events although all other history is kept`(
        request: HistoryRequest
    ) throws {
        let store = try EventStore.filled {
            $0.retention = HistoryRequests(
                .everything, entities: ["Click": request, "Later": .latest])
        }
        let clicks = try store.facts()
        let pings = try store.facts(of: "Ping")
        let position = ChangePosition(store: store.engine.log.store, sequence: 65)
        try ConsumerStore(store.engine).write(position, of: "mailer")
        try store.engine.dropExpiredHistory()
        #expect(try store.facts() == clicks.filter { $0.sequence > 65 })
        for number in 1...200 { try store.append(["click \(number)"]) }
        try ConsumerStore(store.engine).write(store.engine.position, of: "mailer")
        try store.engine.sealActiveSegment()
        try store.engine.dropExpiredHistory()
        #expect(try store.facts().isEmpty)
        #expect(try store.facts(of: "Ping") == pings)
        try store.closeProven()
    }

    // MARK: Versions

    @Test(arguments: [1, 3])
    func `a number of versions of events is refused with the remedy`(count: Int) throws {
        let store = try EventStore.filled()
        let (sequence, sealed) = (store.last, store.engine.log.manifest.sealed)
        let requests = HistoryRequests(
            .everything, entities: ["Click": .versions(count), "Note": .versions(2)])
        let error = #expect(throws: DaybookError.self) {
            _ = try store.engine.policy(for: requests)
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.details["entity"] == "Click")
        #expect(
            error?.message == "The history of Click cannot be .versions(\(count)). An event has one"
                + " version; use .last, .since or .latest.")
        expectError(.invalidArgument) { try requests.check(EventStore.declarations) }
        try HistoryRequests(.versions(count), entities: ["Note": .versions(2)])
            .check(EventStore.declarations)
        #expect(store.last == sequence && store.engine.log.manifest.sealed == sealed)
        try store.closeProven()
    }

    // MARK: Copies

    @Test func `a backup, a restored store and a copy have the remaining events`() throws {
        let fileSystem = MemoryFileSystem()
        let store = try EventStore.filled(fileSystem)
        _ = try store.engine.backup(to: "/backup")
        _ = try store.engine.compact(.clicks(.since(60)))
        try store.append(["after"])
        let (clicks, pings) = (try store.facts(), try store.facts(of: "Ping"))
        let (hash, next) = (try store.engine.stateHash(), store.nextNumber())
        _ = try store.engine.backup(to: "/backup")
        #expect(try Engine.verify("/backup", fileSystem).findings.isEmpty)
        _ = try Engine.restore(from: "/backup", to: "/restored", fileSystem)
        _ = try store.engine.copy(into: "/copied")
        for path in ["/restored", "/copied"] {
            let copy = try EventStore(fileSystem, path: path)
            #expect(try copy.facts() == clicks && copy.facts(of: "Ping") == pings)
            #expect(try copy.engine.stateHash() == hash)
            #expect(copy.nextNumber() == next)
            #expect(copy.engine.historyFloor == 60)
            try copy.closeProven()
        }
        _ = try Engine.restore(from: "/backup", to: "/past", until: .sequence(70), fileSystem)
        let past = try EventStore(fileSystem, path: "/past")
        #expect(try past.facts() == clicks.filter { $0.sequence <= 70 })
        try past.closeProven()
        try store.closeProven()
    }

    // MARK: Crashes

    /// The events that remain are those after the floor, and a suffix of the dropped ones.
    private func check(
        _ fileSystem: MemoryFileSystem, _ clicks: [EventStore.Fact], floor: UInt64, next: UInt64,
        _ what: String
    ) throws -> Int {
        let survivor = try EventStore(fileSystem)
        let found = try survivor.facts()
        let count = clicks.count - found.count
        try demand(found == Array(clicks.suffix(found.count)), "\(what): \(found)")
        try demand(clicks.prefix(count).allSatisfy { $0.sequence <= floor }, "\(what): \(found)")
        try demand(survivor.engine.historyFloor == (count == 0 ? 0 : floor), what)
        try demand(survivor.nextNumber() == next, "\(what): \(survivor.nextNumber())")
        // The next compaction continues, whatever the first one had done.
        _ = try survivor.engine.compact(.clicks(.since(floor)))
        let rest = try survivor.facts()
        try demand(rest == clicks.filter { $0.sequence > floor }, "\(what): \(rest)")
        try survivor.append(["after"])
        try demand(try survivor.facts().last?.number == next, what)
        try survivor.closeProven()
        return count
    }

    @Test func `a kill or a power cut during a compaction loses no event after the floor`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        let store = try EventStore.filled(fileSystem, commitCount: 240)
        let (clicks, floor, next) = (try store.facts(), store.last - 10, store.nextNumber())
        let before = fileSystem.operationCount
        _ = try store.engine.compact(.clicks(.since(floor)))
        var counts: Set<Int> = []
        for operation in before...fileSystem.operationCount where operation % 7 == 0 {
            counts.insert(
                try check(
                    fileSystem.afterKill(at: operation), clicks, floor: floor, next: next,
                    "after \(operation)"))
            guard operation % 21 == 0 else { continue }
            var images: [MemoryFileSystem] = []
            fileSystem.visitCrashImages(after: operation, seed: 1, randomCount: 1) {
                images.append($0.makeFileSystem())
            }
            for image in images.prefix(4) {
                counts.insert(
                    try check(image, clicks, floor: floor, next: next, "cut after \(operation)"))
            }
        }
        // None, all, and those of finished steps.
        #expect(counts.count > 2)
        #expect(counts.min() == 0)
        #expect(counts.max() == clicks.filter { $0.sequence <= floor }.count)
        try store.closeProven()
    }
}
