import DaybookBytes
@testable import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Dispatch
import Testing

@Suite(.timeLimit(.minutes(30))) struct EventDeliveryTests {
    private let recorder = EventRecorder()
    private let opened = StoreEvent.opened(OpeningReport(), duration: .zero)

    private func delivery(
        isMeasuring: Bool = true, _ body: @escaping @Sendable (StoreEvent) -> Void = { _ in }
    ) throws -> EventDelivery {
        let observer = recorder.observer(isMeasuring: isMeasuring, body)
        return try #require(EventDelivery([observer], SlowLimits()))
    }

    @Test func `a store without observers has no delivery`() throws {
        #expect(EventDelivery([], SlowLimits()) == nil)
        let notes = try NoteStore(MemoryFileSystem())
        #expect(notes.engine.events == nil)
        try notes.engine.close()
    }

    @Test func `events of the opening follow its event, in their order`() throws {
        let delivery = try delivery()
        delivery.post(.synced(duration: .zero))
        delivery.post(.indexesBuilt(duration: .zero))
        #expect(recorder.names == [])
        delivery.begin(opened)
        delivery.post(.expiredObjectsRemoved(count: 1, duration: .zero))
        delivery.end()
        delivery.post(.indexesBuilt(duration: .zero))
        delivery.begin(opened)
        delivery.end()
        #expect(
            recorder.names == [
                "opened", "synced", "indexes-built", "expired-objects-removed", "closed",
            ])
    }

    @Test func `a slow handler loses measurements first, and learns their number`() throws {
        let gate = DispatchSemaphore(value: 0)
        let isBusy = DispatchSemaphore(value: 0)
        let delivery = try delivery { event in
            guard case .opened = event else { return }
            isBusy.signal()
            gate.wait()
        }
        delivery.begin(opened)
        isBusy.wait()
        let limit = EventDelivery.waitingCountMax
        for _ in 0..<limit + 5 { delivery.post(.synced(duration: .zero)) }
        for _ in 0..<limit + 7 { delivery.post(.indexesBuilt(duration: .zero)) }
        gate.signal()
        delivery.end()
        #expect(recorder.events("synced").count == limit)
        #expect(recorder.events("indexes-built").count == limit)
        let dropped = recorder.events("events-dropped").compactMap { $0.details["count"] }
        #expect(dropped.compactMap { Int($0) }.reduce(0, +) == 12)
        #expect(recorder.names.first == "opened" && recorder.names.last == "closed")
    }

    @Test func `a delivery that ends in a handler does not wait for itself`() throws {
        final class Holder: Sendable {
            nonisolated(unsafe) weak var delivery: EventDelivery?
        }
        let holder = Holder()
        let delivery = try delivery { event in
            if case .opened = event { holder.delivery?.end() }
        }
        holder.delivery = delivery
        delivery.begin(opened)
        recorder.await("closed")
        #expect(recorder.names == ["opened", "closed"])
    }

    @Test func `the compression of an idle store is reported`() throws {
        let notes = try NoteStore(MemoryFileSystem()) {
            $0.isMaintenanceAutomatic = true
            $0.idleMillisecondsBeforeCompression = 1
            $0.observers = [recorder.observer()]
        }
        notes.engine.events?.begin(opened)
        let text = String(repeating: "a text that repeats itself, ", count: 8)
        try notes.engine.write { transaction in
            for number in 0..<1_000 { try notes.put(text + "\(number)", in: transaction) }
        }
        recorder.await("compacted")
        try notes.engine.close()
        let causes = recorder.events("compacted").map { $0.details["cause"] }
        #expect(causes.first == "idle")
    }

    @Test func `durations are printed in seconds with six decimals`() {
        #expect(Duration.milliseconds(1_002).secondsText == "1.002000")
        #expect(Duration.nanoseconds(1_500).secondsText == "0.000001")
        #expect(Duration.seconds(-1).secondsText == "-1.000000")
        #expect(Duration.milliseconds(-5).secondsText == "-0.005000")
        #expect(StoreEvent.Level.debug < .critical && !(StoreEvent.Level.error < .info))
    }
}
