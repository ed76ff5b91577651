@testable import Daybook
import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

/// The events of a store: each one once, with its content.
@Suite(.timeLimit(.minutes(30))) struct StoreEventTests {
    private let directory = TemporaryDirectory()
    private let recorder = EventRecorder()

    private func open(
        isMeasuring: Bool = false, _ change: (inout StoreOptions) -> Void = { _ in }
    ) throws -> Store {
        try Guest.store(directory, recorder, isMeasuring: isMeasuring, change)
    }

    @Test func `the first event is the opening, the last one the close, and none follow`() throws {
        let store = try open { $0.slowLimits.query = .zero }
        let guests = store.box(for: Guest.self)
        try guests.put(Guest(email: "a"))
        let query = guests.query(Guest.email == "a")
        _ = try query.find()
        try store.close()
        #expect(recorder.names == ["opened", "slow-query", "closed"])
        guard case .opened(let report, _)? = recorder.events.first else {
            throw Refusal(number: 1)
        }
        #expect(report == store.openingReport && report.isNew)
        #expect(recorder.events[0].message == "The store was created.")
        #expect(recorder.events[0].level == .info)
        expectError(.closed) { _ = try query.find() }
        expectError(.closed) { try guests.put(Guest(email: "b")) }
        try store.close()
        #expect(recorder.names == ["opened", "slow-query", "closed"])
    }

    @Test func `an opening that fails delivers no event`() throws {
        let store = try open()
        let another = EventRecorder()
        expectError(.locked) { _ = try Guest.store(directory, another) }
        try store.close()
        // The types are compared after the engine was opened.
        expectError(.schemaTooNew) {
            let newer = try open { $0.schemaVersion = 2 }
            try newer.close()
            _ = try Guest.store(directory, another) { $0.schemaVersion = 1 }
        }
        #expect(another.names == [])
    }

    @Test func `the opening after a crash is a warning with the repairs`() throws {
        let store = try open()
        try store.box(for: Guest.self).put(Guest(email: "a"))
        try store.close()
        let name = try #require(directory.names.last { $0.hasPrefix("segment-") })
        let segment = try FileHandle(
            forWritingTo: directory.url.appendingPathComponent(name))
        try segment.seekToEnd()
        try segment.write(contentsOf: Data(repeating: 0xAB, count: 100))
        try segment.close()
        let next = EventRecorder()
        let again = try Guest.store(directory, next)
        try again.close()
        let event = try #require(next.events.first)
        #expect(event.level == .warning && event.name == "opened")
        #expect(event.details["quarantinedBytes"] == "100")
        #expect(event.details["quarantinedFile"] == again.openingReport.quarantinedFile)
        #expect(event.details["closedCleanly"] == "false")
        #expect(Double(try #require(event.details["seconds"])) != nil)
    }

    @Test func `observers that measure receive each commit, sync and query, and others none`()
        throws
    {
        let quiet = EventRecorder()
        let store = try open(isMeasuring: true) { $0.observers.append(quiet.observer()) }
        let guests = store.box(for: Guest.self)
        let before = try store.sequence
        try store.write { try guests.put([Guest(email: "a"), Guest(email: "b")]) }
        // Changes nothing, so it is no commit.
        try store.write {}
        #expect(try guests.query(Guest.city == "").count() == 2)
        let reading = try store.view()
        try store.close()
        withExtendedLifetime(reading) {}
        #expect(quiet.names == ["opened", "closed"])
        let commits = recorder.events("committed").compactMap { event in
            if case .committed(let timing) = event { timing } else { nil }
        }
        #expect(commits.map(\.sequence) == Array(1...before + 1))
        // Two puts, and the record of the commit.
        #expect(commits.last?.recordCount == 3)
        #expect((commits.last?.lengthBytes ?? 0) > 64)
        #expect(commits.last?.duration ?? .zero >= commits.last?.syncWait ?? .zero)
        #expect(recorder.events("synced").count >= commits.count)
        let queries = recorder.events("queried").compactMap { event in
            if case .queried(let timing) = event { timing } else { nil }
        }
        #expect(queries.count == 1)
        #expect(queries.first?.entity == "Guest" && queries.first?.rowsExamined == 2)
        #expect(queries.first?.rowsReturned == 2 && queries.first?.plan == "")
        let measured = recorder.events("measured").compactMap { event in
            if case .measured(let measured) = event { measured } else { nil }
        }
        #expect(measured.count == 1)
        #expect(measured.first?.sequence == before + 1)
        #expect(measured.first?.openReaderCount == 1)
        #expect((measured.first?.logBytes ?? 0) > 100)
    }

    @Test func `a handler may read, write and close the store`() throws {
        let box = Mutex<Store?>(nil)
        let found = Mutex<[Int]>([])
        let isDone = DispatchSemaphore(value: 0)
        let store = try open(isMeasuring: true) { options in
            options.observers.append(
                StoreObserver(isMeasuring: true) { event in
                    guard case .committed = event, let store = box.withLock({ $0 }) else { return }
                    let guests = store.box(for: Guest.self)
                    let count = (try? guests.count()) ?? -1
                    found.withLock { $0.append(count) }
                    if count < 3 {
                        _ = try? guests.put(Guest(email: "again"))
                    } else {
                        try? store.close()
                        isDone.signal()
                    }
                })
        }
        box.withLock { $0 = store }
        try store.box(for: Guest.self).put(Guest(email: "first"))
        isDone.wait()
        #expect(found.withLock { $0.contains(3) })
        expectError(.closed) { _ = try store.sequence }
        recorder.await("closed")
        #expect(recorder.names.last == "closed")
        box.withLock { $0 = nil }
    }

    @Test func `an error in the background is delivered once until it is gone`() throws {
        let writer = try open()
        let reading = EventRecorder()
        let reader = try Guest.store(directory, reading) {
            $0.isReadOnly = true
            $0.refreshInterval = .milliseconds(1)
        }
        let current = directory.url.appendingPathComponent("CURRENT")
        let content = try Data(contentsOf: current)
        func fail() throws {
            try Data("daybook manifest-0000009999 0123456789abcdef\n".utf8).write(to: current)
            while reader.maintenanceError == nil { Thread.sleep(forTimeInterval: 0.001) }
            // Further attempts fail with the same error.
            Thread.sleep(forTimeInterval: 0.01)
            try content.write(to: current)
            while reader.maintenanceError != nil { Thread.sleep(forTimeInterval: 0.001) }
        }
        try writer.box(for: Guest.self).put(Guest(email: "a"))
        try fail()
        try fail()
        try reader.close()
        let failures = reading.events("background-failed")
        #expect(failures.count == 2)
        for failure in failures {
            guard case .backgroundFailed(let task, let error) = failure else { continue }
            #expect(task == .refresh && error.code == .corruption)
            #expect(failure.level == .error && failure.details["task"] == "refresh")
            #expect(failure.details["code"] == "corruption")
        }
        try writer.close()
    }

    @Test func `a failed sync is delivered as the stop of the store`() throws {
        let gate = SyncGate()
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        options.observers = [recorder.observer()]
        let store = Store(
            try OpenedStore(
                path: "/store", [Guest.self], options,
                on: GatedFileSystem(MemoryFileSystem(), gate)))
        gate.fail()
        expectError(.durabilityUnknown) {
            try store.box(for: Guest.self).put(Guest(email: "a"))
        }
        expectError(.durabilityUnknown) {
            try store.box(for: Guest.self).put(Guest(email: "b"))
        }
        try? store.close()
        let stops = recorder.events("stopped")
        #expect(stops.count == 1)
        #expect(stops.first?.level == .critical)
        #expect(stops.first?.details["code"] == "durabilityUnknown")
        #expect(recorder.names.last == "closed")
    }
}
