@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Events that a compaction drops, through the public API.
@Suite struct DroppedEventTests {
    private let directory = TemporaryDirectory()

    private func reading(_ number: Int) -> Reading {
        Reading(device: "device \(number)", celsius: Double(number))
    }

    /// Returns the values of the readings of the commits that remain.
    private func remaining(
        _ store: Store, from position: ChangePosition? = nil
    ) async throws -> [Double] {
        let floor = try await store.statistics().historyFloor
        let start = position ?? ChangePosition(store: store.position.store, sequence: floor)
        let count = Int(try store.sequence - start.sequence)
        let commits = try await store.changes(from: start).taken(count)
        return try commits.flatMap { try $0.events(of: Reading.self).map(\.celsius) }
    }

    @Test func `events are dropped only if the program names their entity`() async throws {
        let store = try Store.quiet(directory)
        for number in 1...4 { try await store.append(reading(number)) }
        let middle = store.position
        for number in 5...8 { try await store.append(reading(number)) }
        try await store.box(for: Note.self).put(Note(text: "one"))
        try await store.box(for: Note.self).put(Note(id: 1, text: "two"))
        let general = try await store.compact(keeping: .latest)
        #expect(general.droppedEventCount == 0)
        let moment = HistoryMoment.sequence(middle.sequence)
        let plan = try await store.compactionPlan(except: ["Reading": .since(moment)])
        #expect(plan.droppedEventCount == 4)
        let report = try await store.compact(except: ["Reading": .since(moment)])
        #expect(report.droppedEventCount == 4 && report.droppedRecordCount == 4)
        let kept = try await store.compact(except: ["Reading": .everything])
        #expect(kept.droppedRecordCount == 0)
        let last = try await store.compact(except: ["Reading": .last(.seconds(3600))])
        #expect(last.droppedRecordCount == 0)
        let all = try await store.compact(except: ["Reading": .last(.zero)])
        #expect(all.droppedEventCount == 4)
        try await store.append(reading(9))
        let rest = try await remaining(store)
        #expect(rest == [9])
        await expectFailure(.historyTruncated) { _ = try await remaining(store, from: middle) }
        let findings = try await store.verify().findings
        #expect(findings.isEmpty)
        try await store.close()
    }

    @Test func `history views stay when events were dropped`() throws {
        let store = try Store.quiet(directory)
        let notes = store.box(for: Note.self)
        try notes.put(Note(text: "one"))
        for number in 1...20 { try store.append(reading(number)) }
        let floor = try store.sequence
        try notes.put(Note(id: 1, text: "two"))
        try store.append(reading(21))
        try notes.put(Note(id: 1, text: "three"))
        try store.compact(except: ["Reading": .since(.sequence(floor))])
        #expect(try notes.history(of: 1).map { try $0.object?.text } == ["three", "two", "one"])
        for (sequence, text) in [(floor, "one"), (floor + 1, "two"), (floor + 3, "three")] {
            let view = try store.view(at: .sequence(sequence))
            #expect(try view.box(for: Note.self).get(1)?.text == text)
            #expect(try notes.get(1, at: .sequence(sequence))?.text == text)
        }
        expectError(.historyTruncated) { _ = try store.view(at: .sequence(floor - 1)) }
        try store.close()
    }

    @Test func `a consumer holds events back until it has acknowledged them`() async throws {
        let store = try Store.quiet(directory)
        for number in 1...4 { try await store.append(reading(number)) }
        let mailer = store.consumer("mailer", startingFrom: .beginning)
        // The first delivery is the commit of the schema.
        let deliveries = try await mailer.taken(3)
        try await mailer.acknowledge(try #require(deliveries.last))
        let held = try await store.compact(except: ["Reading": .latest])
        #expect(held.retainingConsumers == ["mailer"])
        #expect(held.droppedEventCount == 2)
        let rest = try await mailer.taken(2)
        #expect(
            try rest.flatMap { try $0.commit.events(of: Reading.self).map(\.celsius) } == [3, 4])
        let dropped = try await store.compact(
            except: ["Reading": .latest], ignoringConsumers: true)
        #expect(dropped.retainingConsumers == [])
        #expect(dropped.droppedEventCount == 2)
        await expectFailure(.historyTruncated) { _ = try await mailer.taken(1) }
        try await store.close()
    }

    // MARK: Versions of events

    private func expectRefusal(
        _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: DaybookError.self, sourceLocation: sourceLocation) {
            try body()
        }
        #expect(error?.code == .invalidArgument, sourceLocation: sourceLocation)
        #expect(
            error?.message.contains("An event has one version; use .last, .since or .latest")
                == true, sourceLocation: sourceLocation)
        #expect(error?.details["entity"] == "Reading", sourceLocation: sourceLocation)
    }

    @Test func `a compaction to versions of events is refused and changes nothing`() throws {
        let store = try Store.quiet(directory)
        try store.append(reading(1))
        let (sequence, statistics) = (try store.sequence, try store.statistics())
        expectRefusal { try store.compact(except: ["Reading": .versions(3)]) }
        expectRefusal { _ = try store.compactionPlan(except: ["Reading": .versions(1)]) }
        #expect(try store.sequence == sequence)
        #expect(try store.statistics().segments.count == statistics.segments.count)
        try store.close()
    }

    @Test func `an opening with versions of a declared event creates no store`() throws {
        expectRefusal {
            _ = try Store.quiet(directory) { $0.entityRetention = ["Reading": .versions(3)] }
        }
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test func `an opening with versions of a stored event changes nothing`() throws {
        try Store.quiet(directory).close()
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        options.entityRetention = ["Reading": .versions(3)]
        expectRefusal {
            _ = try Store(directory: directory.url, entities: Guest.self, options: options)
        }
        options.entityRetention = ["Reading": .latest]
        let store = try Store(directory: directory.url, entities: Note.self, options: options)
        // The refused opening did not add its own type.
        #expect(store.engine.schemas.schema.entity(named: "Guest") == nil)
        try store.close()
    }

    // MARK: In the background

    @Test(arguments: [RetainedHistory.last(.zero), .latest])
    func `the store drops expired events by itself and keeps all objects' versions`(
        retention: RetainedHistory
    ) throws {
        let store = try Store.quiet(directory) {
            $0.isMaintenanceAutomatic = true
            $0.segmentSizeBytes = 64 << 10
            $0.snapshotIntervalBytes = 64 << 10
            $0.entityRetention = ["Reading": retention]
        }
        let box = store.box(for: Note.self)
        var roundCount = 0
        while try store.statistics().historyFloor == 0, roundCount < 2_000 {
            try store.append((0..<200).map(reading))
            try box.put(Note(id: roundCount == 0 ? 0 : 1, text: "round \(roundCount)"))
            roundCount += 1
        }
        #expect(roundCount < 2_000)
        #expect(try box.history(of: 1).count == roundCount)
        #expect(store.maintenanceError == nil)
        let records = try store.statistics().segments.reduce(0) { $0 + $1.recordCount }
        #expect(records < roundCount * 203)
        #expect(try store.verify().findings.isEmpty)
        try store.close()
    }
}
