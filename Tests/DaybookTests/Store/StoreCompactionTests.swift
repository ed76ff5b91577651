@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Compactions through the public API.
@Suite struct StoreCompactionTests {
    private let directory = TemporaryDirectory()

    /// Puts a note with as many versions as there are texts.
    private func write(_ texts: [String], in store: Store) throws {
        let notes = store.box(for: Note.self)
        var note = Note(text: "")
        for text in texts {
            note.text = text
            note.id = try notes.put(note)
        }
    }

    @Test func `a compaction keeps everything by default`() throws {
        let store = try Store.quiet(directory)
        try write((1...200).map { "a text that is repeated \($0)" }, in: store)
        var fractions: [Double] = []
        let report = try store.compact(progress: { fractions.append($0) })
        #expect(report.droppedRecordCount == 0)
        #expect(report.historyFloor == 0)
        #expect(try #require(report.bytesAfter) < report.bytesBefore)
        #expect(fractions.last == 1)
        #expect(try store.box(for: Note.self).history(of: 1).count == 200)
        try store.close()
    }

    @Test func `a compaction keeps the history since a commit`() throws {
        let store = try Store.quiet(directory)
        try write(["one", "two"], in: store)
        let moment = try store.sequence
        try store.box(for: Note.self).put(Note(id: 1, text: "three"))
        let plan = try store.compactionPlan(keeping: .since(.sequence(moment)))
        #expect(plan.bytesAfter == nil)
        #expect(try store.view(at: .sequence(moment - 1)).sequence == moment - 1)
        let report = try store.compact(keeping: .since(.sequence(moment)))
        #expect(report.historyFloor == moment)
        #expect(report.droppedRecordCount == plan.droppedRecordCount)
        expectError(.historyTruncated) { _ = try store.view(at: .sequence(moment - 1)) }
        #expect(try store.view(at: .sequence(moment)).box(for: Note.self).get(1)?.text == "two")
        let history = try store.box(for: Note.self).history(of: 1)
        #expect(history.isTruncated)
        #expect(try history.map { try $0.object?.text } == ["three", "two"])
        try store.close()
    }

    @Test func `a date before the first commit keeps everything, and a later date drops`() throws {
        let store = try Store.quiet(directory)
        try write(["one", "two", "three"], in: store)
        let early = try store.compact(keeping: .since(.date(.distantPast)))
        #expect(early.historyFloor == 0)
        let late = try store.compact(keeping: .since(.date(.distantFuture)))
        #expect(late.historyFloor == (try store.sequence) - 1)
        #expect(try store.box(for: Note.self).history(of: 1).count == 1)
        let noDate = Date(timeIntervalSince1970: .nan)
        expectError(.invalidArgument) {
            try store.compact(keeping: .since(.date(noDate)))
        }
        try store.close()
    }

    @Test func `changes that a consumer has not acknowledged are kept by default`() async throws {
        let store = try Store.quiet(directory)
        try write(["one", "two", "three", "four"], in: store)
        let mailer = store.consumer("mailer", startingFrom: .beginning)
        let deliveries = try await mailer.taken(5)
        let two = try #require(deliveries.first { $0.text == "two" })
        try await mailer.acknowledge(two)
        let kept = try await store.compact(keeping: .latest)
        #expect(kept.retainingConsumers == ["mailer"])
        #expect(kept.historyFloor == two.commit.position.sequence)
        #expect(try await mailer.taken(2).map(\.text) == ["three", "four"])
        let plan = try await store.compactionPlan(keeping: .latest, ignoringConsumers: true)
        #expect(plan.retainingConsumers == [])
        let dropped = try await store.compact(keeping: .latest, ignoringConsumers: true)
        #expect(dropped.historyFloor > kept.historyFloor)
        await expectFailure(.historyTruncated) { _ = try await mailer.taken(1) }
        try await store.close()
    }

    @Test func `a cancelled compaction changes nothing`() throws {
        let store = try Store.quiet(directory)
        try write(["one", "two"], in: store)
        let sequence = try store.sequence
        for history in [RetainedHistory.everything, .since(.sequence(2)), .latest] {
            expectError(.interrupted) {
                _ = try store.compact(keeping: history, isCancelled: { true })
            }
        }
        #expect(try store.sequence == sequence)
        #expect(try store.statistics().historyFloor == 0)
        try store.close()
    }

    @Test func `a compaction in a write transaction or of a read-only store is refused`() throws {
        let store = try Store.quiet(directory)
        try write(["one", "two"], in: store)
        expectError(.invalidArgument) {
            try store.write { _ = try store.compact() }
        }
        let reader = try Store.quiet(directory) { $0.isReadOnly = true }
        expectError(.readOnly) { _ = try reader.compact() }
        #expect(try reader.compactionPlan(keeping: .latest).droppedRecordCount > 0)
        try reader.close()
        try store.close()
    }

    @Test func `the newest versions stay, and other ones of some entities`() throws {
        let store = try Store.quiet(directory)
        try write(["one", "two", "three", "four"], in: store)
        let plan = try store.compactionPlan(keeping: .versions(2))
        let whole = try store.compact(except: ["Note": .versions(3)])
        #expect(try store.box(for: Note.self).history(of: 1).count == 3)
        let report = try store.compact(keeping: .versions(2))
        #expect(plan.droppedRecordCount == whole.droppedRecordCount + report.droppedRecordCount)
        let history = try store.box(for: Note.self).history(of: 1)
        #expect(history.isTruncated)
        #expect(try history.map { try $0.object?.text } == ["four", "three"])
        #expect(history.last?.isBeforeGone == true)
        let moment = HistoryMoment.sequence(report.historyFloor - 1)
        expectError(.historyTruncated) { _ = try store.view(at: moment) }
        expectError(.historyTruncated) { _ = try store.box(for: Note.self).get(1, at: moment) }
        expectError(.invalidArgument) { try store.compact(keeping: .versions(0)) }
        expectError(.invalidArgument) { try store.compact(except: ["Nothing": .latest]) }
        try store.close()
    }

    @Test func `the last days are the history since a date`() throws {
        let store = try Store.quiet(directory)
        try write(["one", "two", "three"], in: store)
        #expect(try store.compact(keeping: .last(.seconds(24 * 3600))).historyFloor == 0)
        #expect(try store.compact(keeping: .last(.zero)).historyFloor > 0)
        #expect(try store.box(for: Note.self).history(of: 1).count == 1)
        try store.close()
    }

    @Test func `a retention of years is exact`() throws {
        var options = StoreOptions()
        #expect(try options.engineOptions().retention == HistoryRequests(.everything))
        options.retention = .last(.seconds(2 * 366 * 24 * 3600) + .milliseconds(7))
        options.entityRetention = ["Note": .versions(3)]
        #expect(
            try options.engineOptions().retention
                == HistoryRequests(
                    .last(milliseconds: 63_244_800_007), entities: ["Note": .versions(3)]))
    }

    @Test func `an impossible retention is refused`() throws {
        for retention in [
            RetainedHistory.last(.seconds(-1)), .last(.seconds(Int64.max)), .versions(0),
        ] {
            expectError(.invalidArgument) {
                _ = try Store.quiet(directory) { $0.retention = retention }
            }
            expectError(.invalidArgument) {
                _ = try Store.quiet(directory) { $0.entityRetention = ["Note": retention] }
            }
        }
    }

    @Test(arguments: [
        RetainedHistory.last(.zero), .versions(1), .latest,
    ])
    func `the store drops expired history by itself`(retention: RetainedHistory) throws {
        let store = try Store.quiet(directory) {
            $0.isMaintenanceAutomatic = true
            $0.segmentSizeBytes = 64 << 10
            $0.snapshotIntervalBytes = 64 << 10
            $0.entityRetention = ["Note": retention, "DeclaredLater": .latest]
        }
        let text = String(repeating: "a long text ", count: 200)
        var commitCount = 0
        let box = store.box(for: Note.self)
        try write(["updated by each round"], in: store)
        while try store.statistics().historyFloor == 0, commitCount < 20_000 {
            try write([text, "short"], in: store)
            try box.put(Note(id: 1, text: "round \(commitCount)"))
            commitCount += 2
        }
        #expect(commitCount < 20_000)
        #expect(try box.count() == commitCount / 2 + 1)
        // The first version of each object was superseded at once.
        #expect(try box.history(of: 2).count == 1)
        // The compaction keeps one version up to the floor, and all later ones.
        let floor = try store.statistics().historyFloor
        let sequences = try box.history(of: 1).map(\.sequence)
        #expect(sequences.filter { $0 <= floor }.count == 1)
        try store.close()
    }
}
