import Daybook
import DaybookEvents
@testable import DaybookEventStream
import DaybookNATS
import Foundation
import ReplicationTestSupport
import Testing

@Suite struct EventShipperTests {
    /// The numbers of the events that a stream has, in its order.
    private func numbers(_ stream: MemoryEvents) async throws -> [Int] {
        let store = try Store.collecting()
        let collector = try EventCollector(store, from: stream, options: EventCollectorOptions())
        try await collector.collectPending()
        #expect(collector.status.events.duplicateCount == 0)
        return try await store.measures().map(\.number)
    }

    @Test func `pending events are sent in batches, and acknowledged`() async throws {
        let (store, stream) = (try Store.device(), MemoryEvents())
        try store.append("a", 0..<50)
        var options = EventShipperOptions.quick
        options.batchSizeBytesMax = 600
        let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: options)
        #expect(shipper.status.pendingCommitCount >= 50)
        try await shipper.sendPending()
        #expect(stream.messages.count > 3 && stream.messages.count < 50)
        #expect(try await numbers(stream) == Array(0..<50))
        #expect(shipper.status.pendingCommitCount == 0)
        #expect(shipper.status.sentEventCount == 50 && shipper.status.failure == nil)
        let count = stream.messages.count
        try await shipper.sendPending()
        #expect(stream.messages.count == count)
        #expect(try await store.consumerNames() == ["event-shipper"])
        try await store.close()
    }

    @Test func `a running shipper sends new events, and ends with its store`() async throws {
        let (store, stream) = (try Store.device(), MemoryEvents())
        let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: .quick)
        let run = Task { try await shipper.run() }
        for number in 0..<5 {
            try store.append("a", number..<(number + 1))
            #expect(try await holds { try stream.events().map(\.eventCount).count > number })
        }
        // It waits for the running shipper.
        try store.append("a", 5..<6)
        try await shipper.sendPending()
        #expect(await code { try await shipper.run() } == .locked)
        #expect(try await holds { shipper.status.pendingCommitCount == 0 })
        try await store.close()
        try await run.value
        #expect(try await numbers(stream) == Array(0..<6))
    }

    @Test func `a closed shipper ends, and another one continues`() async throws {
        let (store, stream) = (try Store.device(), MemoryEvents())
        let first = try EventShipper(store, of: [Measure.self], to: stream, options: .quick)
        let run = Task { try await first.run() }
        try store.append("a", 0..<3)
        #expect(try await holds { first.status.pendingCommitCount == 0 })
        first.close()
        try await run.value
        try store.append("a", 3..<5)
        let second = try EventShipper(store, of: [Measure.self], to: stream, options: .quick)
        try await second.sendPending()
        #expect(try await numbers(stream) == Array(0..<5))
        try await store.close()
    }

    @Test func `a busy store ends no sending of its pending events`() async throws {
        let (store, stream) = (try Store.device(), MemoryEvents())
        try store.append("a", 0..<20)
        var options = EventShipperOptions.quick
        options.batchSizeBytesMax = 1
        let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: options)
        let writing = Task {
            var number = 20
            while !Task.isCancelled {
                try store.append("a", number..<(number + 3))
                number += 3
                try await Task.sleep(for: .microseconds(100))
            }
        }
        try await shipper.sendPending()
        writing.cancel()
        _ = await writing.result
        #expect(try stream.events().count >= 20)
        try await store.close()
    }

    @Test func `a stream that lost its end accepts later events`() async throws {
        let (store, stream) = (try Store.device(), MemoryEvents())
        var options = EventShipperOptions.quick
        options.batchSizeBytesMax = 1
        let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: options)
        let run = Task { try await shipper.run() }
        try store.append("a", 0..<5)
        #expect(try await holds { stream.messages.count == 5 })
        stream.cut(after: 3)
        try store.append("a", 5..<7)
        #expect(try await holds { stream.messages.count == 5 })
        #expect(try await numbers(stream) == [0, 1, 2, 5, 6])
        run.cancel()
        _ = await run.result
        try await store.close()
    }

    @Test func `events that no server accepts can be skipped`() async throws {
        let (store, stream) = (try Store.device(), MemoryEvents())
        let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: .quick)
        try store.append("a", 0..<2)
        stream.setAccepting(false)
        await #expect(throws: NATSError.self) { try await shipper.sendPending() }
        stream.setAccepting(true)
        let place = try shipper.outbox.next(after: shipper.outbox.acknowledged).end
        try shipper.outbox.acknowledge(place)
        try store.append("a", 2..<4)
        try await shipper.sendPending()
        #expect(try await numbers(stream) == [2, 3])
        try await store.close()
    }

    @Test func `events that follow soon share a message`() async throws {
        let (store, stream) = (try Store.device(), MemoryEvents())
        var options = EventShipperOptions.quick
        options.gatherInterval = .seconds(1)
        let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: options)
        let run = Task { try await shipper.run() }
        try store.append("a", 0..<1)
        #expect(try await holds { stream.messages.count == 1 })
        try store.append("a", 1..<10)
        #expect(try await holds { try stream.events().map(\.eventCount) == [1, 9] })
        run.cancel()
        _ = await run.result
        try await store.close()
    }

    @Test(arguments: MemoryEvents.Fault.allCases)
    func `an unknown outcome is resolved before the next attempt`(
        fault: MemoryEvents.Fault
    ) async throws {
        let (store, stream) = (try Store.device(), MemoryEvents(partSizeBytesMax: 150))
        let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: .quick)
        try store.append("a", 0..<3)
        stream.fail([fault])
        try await shipper.sendPending()
        try store.append("a", 3..<6)
        stream.fail([fault, fault])
        stream.beStale(1)
        try await shipper.sendPending()
        #expect(try await numbers(stream) == Array(0..<6))
        try await store.close()
    }

    @Test func `a new shipper continues after the events that the stream has`() async throws {
        try await TestDirectory.with { directory in
            let (path, stream) = (directory.file("store"), MemoryEvents(partSizeBytesMax: 100))
            var store = try Store.device(path)
            try store.append("a", 0..<4)
            var shipper = try EventShipper(store, of: [Measure.self], to: stream, options: .quick)
            try await shipper.sendPending()
            #expect(stream.messages.count > 1)
            shipper.close()
            // As after a crash before the acknowledgement.
            let start = try #require(store.place(0))
            try await store.consumer("event-shipper").reset(to: start)
            try await store.close()

            store = try Store.device(path)
            try store.append("a", 4..<7)
            shipper = try EventShipper(store, of: [Measure.self], to: stream, options: .quick)
            #expect(shipper.status.pendingCommitCount >= 7)
            try await shipper.sendPending()
            #expect(try stream.events().map(\.eventCount) == [4, 3])
            #expect(try await numbers(stream) == Array(0..<7))
            shipper.close()
            try await store.close()
        }
    }

    @Test func `two shippers of a store send each event once`() async throws {
        let (store, stream) = (try Store.device(), MemoryEvents())
        try store.append("a", 0..<100)
        var options = EventShipperOptions.quick
        options.batchSizeBytesMax = 200
        let first = try EventShipper(store, of: [Measure.self], to: stream, options: options)
        options.name = "other"
        let second = try EventShipper(store, of: [Measure.self], to: stream, options: options)
        async let one: Void = first.sendPending()
        async let other: Void = second.sendPending()
        try await one
        try await other
        #expect(try await numbers(stream) == Array(0..<100))
        try await store.close()
    }

    @Test func `a copy of the directory is refused`() async throws {
        try await TestDirectory.with { directory in
            let (path, stream) = (directory.file("store"), MemoryEvents())
            let store = try Store.device(path)
            try store.append("a", 0..<2)
            try FileManager.default.copyItem(atPath: path, toPath: directory.file("copy"))
            let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: .quick)
            let copy = try Store.device(directory.file("copy"))
            let other = try EventShipper(copy, of: [Measure.self], to: stream, options: .quick)
            try await other.sendPending()
            try store.append("a", 2..<4)
            try await Task.sleep(for: .milliseconds(5))
            try copy.append("b", 4..<6)
            try await shipper.sendPending()
            let count = stream.messages.count
            #expect(await code { try await other.sendPending() } == .historyOfAnotherStore)
            #expect(stream.messages.count == count)
            shipper.close()
            other.close()
            try await store.close()
            try await copy.close()
        }
    }

    @Test func `foreign messages on the subject of a store are passed over`() async throws {
        let (store, stream) = (try Store.device(), MemoryEvents())
        let identity = store.identity
        stream.add(Array("foreign".utf8), from: identity)
        try store.append("a", 0..<2)
        let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: .quick)
        try await shipper.sendPending()
        stream.add(Array("foreign".utf8), from: identity, part: 7, of: 3)
        stream.add([], from: identity, part: 3, of: 3)
        try store.append("a", 2..<4)
        try await shipper.sendPending()
        #expect(try await numbers(stream) == Array(0..<4))
        try await store.close()
    }

    @Test func `events stay in the store while it is offline`() async throws {
        let (store, stream) = (try Store.device(), MemoryEvents())
        let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: .quick)
        stream.setReachable(false)
        let run = Task { try await shipper.run() }
        try store.append("a", 0..<3)
        #expect(try await holds { shipper.status.failure != nil })
        let report = try await store.compact(except: ["Measure": .latest])
        #expect(report.droppedEventCount == 0)
        stream.setReachable(true)
        #expect(try await holds { shipper.status.pendingCommitCount == 0 })
        #expect(shipper.status.failure == nil)
        #expect(try await store.compact(except: ["Measure": .latest]).droppedEventCount == 3)
        try store.append("a", 3..<5)
        #expect(try await holds { shipper.status.pendingCommitCount == 0 })
        run.cancel()
        _ = await run.result
        #expect(try await numbers(stream) == Array(0..<5))
        try await store.close()
    }

    @Test func `a time limit ends with the failure, and no event is lost`() async throws {
        let (store, stream) = (try Store.device(), MemoryEvents())
        try store.append("a", 0..<3)
        let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: .quick)
        stream.setReachable(false)
        let error = await #expect(throws: NATSError.self) {
            try await shipper.sendPending(timeout: .milliseconds(200))
        }
        #expect(error?.code == .noResponders)
        stream.setReachable(true)
        stream.setAccepting(false)
        let refusal = await #expect(throws: NATSError.self) { try await shipper.sendPending() }
        #expect(refusal?.code == .messageTooLarge)
        stream.setAccepting(true)
        try await shipper.sendPending()
        #expect(try await numbers(stream) == Array(0..<3))
        try await store.close()
    }
}
