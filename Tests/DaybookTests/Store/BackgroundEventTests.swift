import DaybookPages
@testable import Daybook
import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

/// A guest as an earlier program declared it: without indexes.
private struct PlainGuest: Entity, Equatable {
    var id: Id = 0
    var email: String

    static let entityDescription = EntityDescription(
        "Guest", [.property("email", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> PlainGuest {
        PlainGuest(id: row.id, email: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(email, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// The events of the work that a store does by itself, and of slow operations.
@Suite(.timeLimit(.minutes(30))) struct BackgroundEventTests {
    private let directory = TemporaryDirectory()
    private let recorder = EventRecorder()

    private func open(
        isMeasuring: Bool = false, _ change: (inout StoreOptions) -> Void = { _ in }
    ) throws -> Store {
        try Guest.store(directory, recorder, isMeasuring: isMeasuring, change)
    }

    private func guests(_ count: Int) -> [Guest] {
        (0..<count).map { Guest(email: "guest \($0)", city: "city \($0 % 10)") }
    }

    // MARK: Slow operations

    @Test func `a slow query is reported with its plan and its rows`() throws {
        let store = try open { $0.slowLimits.query = .zero }
        let box = store.box(for: Guest.self)
        try box.put(guests(1_000))
        #expect(try box.query(Guest.city == "city 7").find().count == 100)
        #expect(try box.query(Guest.email == "guest 7").findIds().count == 1)
        var visited = 0
        try box.query(Guest.city == "city 3").forEach { _ in visited += 1 }
        #expect(try box.query().build().property(\.email).find().count == 1_000)
        try store.close()
        let timings = recorder.events("slow-query").compactMap { event in
            if case .slowQuery(let timing) = event { timing } else { nil }
        }
        #expect(timings.count == 4)
        guard timings.count == 4 else { return }
        #expect(timings.allSatisfy { $0.entity == "Guest" })
        #expect(timings[0].rowsExamined == 1_000 && timings[0].rowsReturned == 100)
        #expect(timings[0].plan.contains("filter city == \"city 7\", found 100"))
        #expect(timings[0].plan.contains("scan Guest"))
        #expect(timings[1].rowsReturned == 1 && timings[1].rowsExamined <= 1)
        #expect(timings[1].plan.contains("index equality Guest.email"))
        #expect(timings[2].rowsReturned == visited && visited == 100)
        #expect(timings[3].rowsReturned == 1_000)
        let event = try #require(recorder.events("slow-query").first)
        #expect(event.level == .warning && event.details["rowsExamined"] == "1000")
        #expect(event.description.hasSuffix(timings[0].plan))
    }

    @Test(arguments: [nil, Duration.seconds(1_000_000)])
    func `a query below the limit is not reported`(limit: Duration?) throws {
        let store = try open { options in
            options.slowLimits.query = limit
            options.slowLimits.commit = limit
            options.slowLimits.lockWait = limit
        }
        let box = store.box(for: Guest.self)
        try box.put(guests(10))
        _ = try box.query(Guest.city == "city 7").find()
        try store.close()
        #expect(recorder.names == ["opened", "closed"])
    }

    @Test func `slow commits and waits for other writers are reported`() async throws {
        let store = try open {
            $0.slowLimits.commit = .zero
            $0.slowLimits.lockWait = .zero
        }
        let box = store.box(for: Guest.self)
        let before = try store.sequence
        try await store.write { _ = try box.put(Guest(email: "a")) }
        try await box.put(Guest(email: "b"))
        try await store.close()
        let commits = recorder.events("slow-commit").compactMap { event in
            if case .slowCommit(let timing) = event { timing } else { nil }
        }
        #expect(commits.map(\.sequence) == Array(1...before + 2))
        #expect(commits.allSatisfy { $0.recordCount > 0 })
        #expect(recorder.events("slow-lock-wait").count == commits.count)
        #expect(recorder.events("committed").isEmpty)
    }

    @Test func `a slow refresh of a reader is reported with the number of commits`() throws {
        let store = try open()
        let reading = EventRecorder()
        let reader = try Guest.store(directory, reading, isMeasuring: true) {
            $0.isReadOnly = true
            $0.slowLimits.refresh = .zero
        }
        for email in ["a", "b"] { try store.box(for: Guest.self).put(Guest(email: email)) }
        #expect(try reader.refresh())
        #expect(try !reader.refresh())
        try reader.close()
        try store.close()
        for name in ["refreshed", "slow-refresh"] {
            #expect(reading.events(name).map { $0.details["commits"] } == ["2"])
        }
    }

    @Test func `a consumer that lags is reported once, until it has caught up`() async throws {
        let store = try open(isMeasuring: true) { $0.slowLimits.consumerLag = 3 }
        let box = store.box(for: Guest.self)
        let mailer = store.consumer("mailer", startingFrom: .beginning)
        try await mailer.acknowledge(try await mailer.taken(1)[0])
        func lag(by count: Int) async throws {
            for _ in 0..<count { try await box.put(Guest(email: "a")) }
            store.engine.measure()
            store.engine.measure()
        }
        try await lag(by: 2)
        try await lag(by: 2)
        try await mailer.acknowledge(try await mailer.taken(4)[3])
        try await lag(by: 0)
        try await lag(by: 3)
        try await store.close()
        #expect(recorder.events("slow-consumer").map { $0.details["commits"] } == ["4", "3"])
        #expect(recorder.events("slow-consumer").allSatisfy { $0.details["consumer"] == "mailer" })
        let lags = recorder.events("measured").map { $0.details["lag.mailer"] }
        #expect(lags == ["2", "2", "4", "4", "0", "0", "3", "3", "3"])
    }

    // MARK: Work in the background

    @Test func `snapshots and the compression of sealed segments are reported`() throws {
        let store = try open {
            $0.isMaintenanceAutomatic = true
            $0.segmentSizeBytes = 64 << 10
            $0.snapshotIntervalBytes = 64 << 10
            $0.entityRetention = ["Guest": .latest]
        }
        let text = String(repeating: "a long text ", count: 200)
        func hasAll() -> Bool {
            var missing: Set<StoreEvent.CompactionCause> = [.sealedSegment, .retention]
            var hasSnapshot = false
            for event in recorder.events {
                if case .compacted(_, let cause, _) = event { missing.remove(cause) }
                if case .snapshotWritten = event { hasSnapshot = true }
            }
            return missing.isEmpty && hasSnapshot
        }
        for number in 0..<20_000 where !hasAll() {
            try store.box(for: Guest.self).put(Guest(id: 0, email: "\(number)", city: text))
            try store.box(for: Guest.self).put(Guest(id: 1, email: "\(number)", city: text))
        }
        try store.close()
        #expect(hasAll())
        for event in recorder.events("compacted") {
            guard case .compacted(let report, let cause, _) = event else { continue }
            #expect(!report.segments.isEmpty)
            #expect(event.details["segments"] == String(report.segments.count))
            #expect((report.droppedRecordCount > 0) == (cause == .retention))
        }
    }

    @Test func `compactions by the program and by the close are reported`() throws {
        let store = try open { $0.isMaintenanceAutomatic = true }
        let texts = (0..<200).map { _ in "\(UUID())".data(using: .utf8)?.base64EncodedString() }
        let box = store.box(for: Guest.self)
        try box.put(texts.map { Guest(email: $0 ?? "") })
        try box.put(Guest(id: 1, email: "changed"))
        let report = try store.compact(keeping: .latest)
        try box.put((0..<2_000).map { Guest(email: "\(UUID()) \($0)") })
        try store.close()
        let events = recorder.events("compacted")
        #expect(events.map { $0.details["cause"] } == ["call", "close"])
        #expect(events.first?.details["segments"] == String(report.segments.count))
        #expect(events.first?.details["droppedRecords"] == String(report.droppedRecordCount))
        #expect(report.droppedRecordCount > 0)
    }

    @Test func `the removal of expired objects is reported`() throws {
        let plain = try open()
        try plain.box(for: Guest.self).put([
            Guest(email: "a", until: Date(timeIntervalSince1970: 1)),
            Guest(email: "b", until: Date(timeIntervalSince1970: 2)), Guest(email: "c"),
        ])
        try plain.close()
        let expiring = EventRecorder()
        let store = try Guest.store(directory, expiring) {
            $0.isMaintenanceAutomatic = true
            $0.expiryInterval = .milliseconds(1)
        }
        expiring.await("expired-objects-removed")
        try store.close()
        let last = try open()
        #expect(try last.box(for: Guest.self).count() == 1)
        try last.close()
        #expect(expiring.events("expired-objects-removed").map { $0.details["count"] } == ["2"])
    }

    @Test func `the building of an index over existing objects is reported`() throws {
        let plain = try Store(directory: directory.url, entities: PlainGuest.self)
        try plain.box(for: PlainGuest.self).put((0..<10).map { PlainGuest(email: "\($0)") })
        try plain.close()
        let store = try open { $0.isMaintenanceAutomatic = true }
        recorder.await("indexes-built")
        #expect(try store.box(for: Guest.self).query(Guest.email == "7").count() == 1)
        try store.close()
        #expect(recorder.events("indexes-built").count == 1)
    }

    @Test func `a rebuild of damaged indexes is reported`() throws {
        let store = try open()
        try store.box(for: Guest.self).put(guests(10))
        let engine = store.engine
        try engine.writer.withLock { _ in
            try engine.rebuild(replacing: engine.slot.current)
            // A rebuild for another reason.
            try engine.rebuild(replacing: engine.slot.current, isDamaged: false)
        }
        #expect(try store.box(for: Guest.self).count() == 10)
        try store.close()
        #expect(recorder.names == ["opened", "indexes-rebuilt", "closed"])
        #expect(recorder.events("indexes-rebuilt").first?.level == .warning)
    }

    @Test func `updates of live results are counted`() async throws {
        let store = try open(isMeasuring: true)
        let box = store.box(for: Guest.self)
        var updates = box.query(Guest.city == "x").updates().makeAsyncIterator()
        _ = try await updates.next()
        try await box.put(Guest(email: "a", city: "x"))
        _ = try await updates.next()
        try await store.close()
        let counts = recorder.events("measured").map { $0.details["liveQueryAdvances"] }
        #expect(counts.count == 1 && Int(counts[0] ?? "") ?? 0 >= 1)
    }
}
