import Daybook
import DaybookObservability
import Foundation
import InMemoryLogging
import Logging
import MetricsTestKit
import Testing

@Suite struct ObservabilityTests {
    /// Opens a store in memory that reports each query as slow.
    private func open(_ observers: [StoreObserver]) throws -> Store {
        var options = StoreOptions()
        options.observers = observers
        options.slowLimits.query = .zero
        options.measurementInterval = .zero
        return try Store(
            directoryPath: "memory:\(UUID().uuidString)", entities: Guest.self, options: options)
    }

    /// Puts three guests, and finds one of them by reading all.
    private func use(_ store: Store) throws {
        let guests = store.box(for: Guest.self)
        try guests.put(
            ["Oslo", "Rome", "Bern"].map { Guest(email: "\($0)@example.com", city: $0) })
        #expect(try guests.query(Guest.city == "Rome").find().count == 1)
        try store.close()
    }

    private func logger(_ handler: InMemoryLogHandler, _ level: Logger.Level) -> Logger {
        var logger = Logger(label: "store") { _ in handler }
        logger.logLevel = level
        return logger
    }

    @Test func `events are logged with their level, text and details, without measurements`() throws
    {
        let handler = InMemoryLogHandler()
        try use(try open([.logging(to: logger(handler, .trace))]))
        #expect(
            handler.entries.map { $0.metadata["event"] } == ["opened", "slow-query", "closed"])
        let slow = try #require(handler.entries.dropFirst().first)
        #expect(slow.level == .warning)
        #expect("\(slow.message)".contains("query of Guest was slow: 3 rows were examined"))
        #expect(slow.metadata["entity"] == "Guest")
        #expect(slow.metadata["rowsExamined"] == "3" && slow.metadata["rowsReturned"] == "1")
        #expect("\(slow.metadata["plan"] ?? "")".contains("scan Guest"))
        #expect(handler.entries.first?.level == .info)
    }

    @Test func `the logger's level and the hidden plans are respected`() throws {
        let handler = InMemoryLogHandler()
        try use(try open([.logging(to: logger(handler, .warning), hidesPlans: true)]))
        #expect(handler.entries.map { $0.metadata["event"] } == ["slow-query"])
        #expect(handler.entries.first?.metadata["plan"] == nil)
    }

    @Test func `the operations of a store are counted and measured`() throws {
        let metrics = TestMetrics()
        let store = try open([.metrics(store: "guests", factory: metrics)])
        let before = try store.sequence
        try use(store)
        let ofStore = [("store", "guests")]
        let ofEntity = ofStore + [("entity", "Guest")]
        func total(_ label: String, _ dimensions: [(String, String)]) throws -> Int64 {
            try metrics.expectCounter("daybook_" + label, dimensions).totalValue
        }
        #expect(try total("commits", ofStore) == Int64(before) + 1)
        #expect(try total("records", ofStore) >= 4)
        #expect(try total("appended_bytes", ofStore) > 100)
        #expect(try total("query_rows_examined", ofEntity) == 3)
        #expect(try total("query_rows_returned", ofEntity) == 1)
        #expect(try total("query_slow", ofEntity) == 1)
        #expect(try total("slow_commits", ofStore) == 0)
        #expect(try total("background_errors", ofStore) == 0)
        let commits = try metrics.expectTimer("daybook_commit_duration", ofStore)
        #expect(commits.values.count == Int(before) + 1)
        #expect(try metrics.expectTimer("daybook_query_duration", ofEntity).values.count == 1)
        #expect(try !metrics.expectTimer("daybook_sync_duration", ofStore).values.isEmpty)
        let readers = try metrics.expectGauge("daybook_open_readers", ofStore)
        #expect(readers.values == [0])
        #expect(try (metrics.expectGauge("daybook_log_bytes", ofStore).lastValue ?? 0) > 100)
    }

    @Test func `a store may have several observers`() throws {
        let (handler, metrics) = (InMemoryLogHandler(), TestMetrics())
        try use(
            try open([
                .logging(to: logger(handler, .info)),
                .metrics(store: "guests", factory: metrics),
            ]))
        #expect(handler.entries.count == 3)
        #expect(metrics.counters.count > 10)
    }
}
