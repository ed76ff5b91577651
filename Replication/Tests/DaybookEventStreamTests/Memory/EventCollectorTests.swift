import Daybook
import DaybookEvents
@testable import DaybookEventStream
import Foundation
import ReplicationTestSupport
import Testing

@Suite struct EventCollectorTests {
    /// Sends the pending events of a store.
    private func send(_ store: Store, to stream: MemoryEvents, sizeBytesMax: Int = 1) async throws {
        var options = EventShipperOptions.quick
        options.batchSizeBytesMax = sizeBytesMax
        let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: options)
        try await shipper.sendPending()
        shipper.close()
    }

    private func collector(
        _ store: Store, _ stream: MemoryEvents,
        _ change: (inout EventCollectorOptions) -> Void = { _ in }
    ) throws -> EventCollector {
        var options = EventCollectorOptions()
        change(&options)
        return try EventCollector(store, from: stream, options: options)
    }

    private func filled(_ count: Int = 6) async throws -> (Store, MemoryEvents) {
        let (device, stream) = (try Store.device(), MemoryEvents())
        try device.append("a", 0..<count)
        try await send(device, to: stream)
        return (device, stream)
    }

    @Test func `a collector continues where the one before ended`() async throws {
        let (device, stream) = try await filled()
        let store = try Store.collecting()
        let first = try collector(store, stream)
        #expect(try await first.lag() == 6)
        try await first.collectPending()
        #expect(first.status.sequence == 6 && first.status.events.appendedCount == 6)
        #expect(try await first.lag() == 0)
        try device.append("a", 6..<8)
        try await send(device, to: stream)
        let second = try collector(store, stream)
        try await second.collectPending()
        #expect(second.status.events.appendedCount == 2)
        #expect(second.status.events.duplicateCount == 0)
        #expect(try await store.measures().map(\.number) == Array(0..<8))
        let known = try await store.box(for: CollectedStream.self).all()
        #expect(known.map(\.name) == ["EVENTS"] && known.map(\.sequence) == [8])
        let source = try EventInbox(store).source(device.identity)
        #expect(source?.eventCount == 8)
        try await store.close()
        try await device.close()
    }

    @Test func `a running collector appends new events, and ends with its store`() async throws {
        let (device, stream) = try await filled(1)
        let store = try Store.collecting()
        let collector = try collector(store, stream)
        let run = Task { try await collector.run() }
        #expect(try await holds { collector.status.events.appendedCount == 1 })
        stream.failReads(2)
        try device.append("a", 1..<4)
        try await send(device, to: stream)
        #expect(try await holds { collector.status.events.appendedCount == 4 })
        #expect(try await holds { collector.status.failure == nil })
        #expect(try await store.measures().map(\.number) == Array(0..<4))
        try await store.close()
        try await run.value
        try await device.close()
    }

    @Test func `batches in parts are collected, also after failures between them`() async throws {
        let device = try Store.device()
        let stream = MemoryEvents(partSizeBytesMax: 40)
        try device.append("a", 0..<9)
        try await send(device, to: stream, sizeBytesMax: 300)
        let store = try Store.collecting()
        // Others write between the batches; nobody can between the parts.
        stream.add([1, 2], from: "x", part: 1, of: 3)
        try device.append("a", 9..<12)
        try await send(device, to: stream, sizeBytesMax: 300)
        stream.add([1, 2], from: "x", part: 2, of: 3)
        stream.add([], from: "x")
        #expect(stream.messages.count > 12)
        let collector = try collector(store, stream)
        let run = Task { try await collector.run() }
        for _ in 0..<3 {
            stream.failReads(1)
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try await holds { collector.status.events.appendedCount == 12 })
        #expect(try await holds { collector.status.foreignMessageCount >= 2 })
        #expect(try await store.measures().map(\.number) == Array(0..<12))
        run.cancel()
        _ = await run.result
        try await store.close()
        try await device.close()
    }

    @Test func `parts of a batch that is not complete are not removed`() async throws {
        let (device, stream) = (try Store.device(), MemoryEvents(partSizeBytesMax: 100))
        try device.append("a", 0..<1)
        try await send(device, to: stream, sizeBytesMax: 300)
        let whole = stream.messages.count
        try device.append("a", 1..<3)
        try await send(device, to: stream, sizeBytesMax: 300)
        let parts = stream.messages.dropFirst(whole)
        #expect(parts.count > 1)
        stream.cut(after: UInt64(whole) + 1)
        let store = try Store.collecting()
        let collector = try collector(store, stream) { $0.purgesCollected = true }
        let run = Task { try await collector.run() }
        #expect(try await holds { !stream.purges.isEmpty })
        // Some waits without messages.
        try await Task.sleep(for: .milliseconds(50))
        #expect(stream.messages == Array(parts.prefix(1)))
        for part in parts.dropFirst() {
            stream.add(part.bytes, from: part.store, part: part.part, of: part.partCount)
        }
        #expect(try await holds { collector.status.events.appendedCount == 3 })
        #expect(try await holds { stream.messages.isEmpty })
        run.cancel()
        _ = await run.result
        try await store.close()
        try await device.close()
    }

    @Test func `messages in the name of another store are passed over`() async throws {
        let (device, stream) = try await filled(2)
        let forged = stream.messages[0].bytes
        stream.add(forged, from: UUID().uuidString.lowercased())
        stream.add([], from: device.identity)
        let store = try Store.collecting()
        let collector = try collector(store, stream)
        try await collector.collectPending()
        #expect(collector.status.events.appendedCount == 2)
        #expect(collector.status.foreignMessageCount == 2)
        #expect(collector.status.sequence == 4)
        try await store.close()
        try await device.close()
    }

    @Test func `messages that were removed unread are an error, unless accepted`() async throws {
        let (device, stream) = try await filled()
        let store = try Store.collecting()
        try await collector(store, stream).collectPending()
        try device.append("a", 6..<10)
        try await send(device, to: stream)
        try await stream.purge(through: 8)
        let strict = try collector(store, stream)
        #expect(await code { try await strict.collectPending() } == .eventsMissing)
        #expect(try await store.measures().count == 6)
        let tolerant = try collector(store, stream) { $0.acceptsMissingMessages = true }
        try await tolerant.collectPending()
        #expect(tolerant.status.missingMessageCount == 2)
        #expect(tolerant.status.events.gapCount == 1)
        #expect(try await store.measures().map(\.number) == [0, 1, 2, 3, 4, 5, 8, 9])
        // A new collector begins with the messages that exist.
        let other = try Store.collecting()
        try await collector(other, stream).collectPending()
        #expect(try await other.measures().map(\.number) == [8, 9])
        for store in [store, other, device] { try await store.close() }
    }

    @Test func `a stream without messages has none to collect`() async throws {
        let (device, stream) = try await filled(3)
        try await stream.purge(through: 3)
        let store = try Store.collecting()
        let collector = try collector(store, stream)
        try await collector.collectPending()
        #expect(try await collector.lag() == 0)
        try device.append("a", 3..<5)
        try await send(device, to: stream)
        #expect(try await collector.lag() == 2)
        try await collector.collectPending()
        #expect(try await store.measures().map(\.number) == [3, 4])
        // Without a later message, too, removed ones are noticed.
        try device.append("a", 5..<6)
        try await send(device, to: stream)
        try await stream.purge(through: 6)
        #expect(await code { try await collector.collectPending() } == .eventsMissing)
        try await store.close()
        try await device.close()
    }

    @Test func `two collectors of a store collect each event once`() async throws {
        let device = try Store.device()
        let (store, stream) = (try Store.collecting(), MemoryEvents())
        let runs = try (0..<2).map { _ in
            let collector = try collector(store, stream) { $0.purgesCollected = true }
            return Task { try await collector.run() }
        }
        for number in 0..<30 {
            try device.append("a", (3 * number)..<(3 * number + 3))
            try await send(device, to: stream)
        }
        #expect(try await holds { try await store.measures().count == 90 })
        #expect(try await holds { stream.messages.isEmpty })
        for run in runs {
            run.cancel()
            // Neither ended with an error.
            await #expect(throws: CancellationError.self) { try await run.value }
        }
        #expect(try await store.measures().map(\.number) == Array(0..<90))
        #expect(try await store.box(for: CollectedStream.self).all().map(\.sequence) == [90])
        try await store.close()
        try await device.close()
    }

    @Test func `a collection of the pending events ends although the last ones were removed`()
        async throws
    {
        let (device, stream) = try await filled(3)
        stream.remove(at: 3)
        let store = try Store.collecting()
        try await collector(store, stream).collectPending()
        #expect(try await store.measures().map(\.number) == [0, 1])
        try await store.close()
        try await device.close()
    }

    @Test func `a stream that replaced another one is refused`() async throws {
        let (device, stream) = try await filled()
        let store = try Store.collecting()
        try await collector(store, stream).collectPending()
        stream.recreate()
        let collector = try collector(store, stream)
        #expect(await code { try await collector.collectPending() } == .eventStreamReplaced)
        // The remedy.
        try await store.box(for: CollectedStream.self).removeAll()
        try device.append("a", 6..<8)
        try await send(device, to: stream)
        try await collector.collectPending()
        #expect(try await store.measures().map(\.number) == Array(0..<8))
        try await store.close()
        try await device.close()
    }

    @Test func `collected messages are removed, and shippers continue`() async throws {
        let (device, stream) = try await filled()
        let store = try Store.collecting()
        let collector = try collector(store, stream) { $0.purgesCollected = true }
        let run = Task { try await collector.run() }
        #expect(try await holds { stream.messages.isEmpty })
        #expect(stream.purges.last == 6)
        // The store has no syncs of its own; without one, its loss of power would lose the events.
        #expect(store.position == store.place(try store.sequence))
        for number in 6..<9 {
            try device.append("a", number..<(number + 1))
            try await send(device, to: stream)
            #expect(try await holds { collector.status.events.appendedCount == number + 1 })
            #expect(try await holds { stream.messages.isEmpty })
        }
        run.cancel()
        _ = await run.result
        #expect(try await store.measures().map(\.number) == Array(0..<9))
        try await store.close()
        try await device.close()
    }

    @Test func `an event whose message was removed before it was known as sent is kept once`()
        async throws
    {
        let (device, stream) = try await filled(3)
        let store = try Store.collecting()
        try await collector(store, stream).collectPending()
        try await stream.purge(through: 3)
        let start = try #require(device.place(0))
        try await device.consumer("event-shipper").reset(to: start)
        try await send(device, to: stream)
        #expect(stream.messages.count == 3)
        let again = try collector(store, stream)
        try await again.collectPending()
        #expect(again.status.events.duplicateCount == 3)
        #expect(try await store.measures().map(\.number) == Array(0..<3))
        try await store.close()
        try await device.close()
    }

    @Test func `a batch of a newer release ends the collection before it`() async throws {
        let (device, stream) = try await filled(2)
        let text = #"{"format":"daybook-events","version":9,"bytes":1,"xxh64":"0"}"# + "\n"
        stream.add(Array(text.utf8), from: device.identity)
        let store = try Store.collecting()
        let collector = try collector(store, stream)
        #expect(await code { try await collector.collectPending() } == .formatTooNew)
        #expect(try await store.measures().count == 2)
        #expect(collector.status.sequence == 2)
        try await store.close()
        try await device.close()
    }

    @Test func `a store without the types of a collector is refused`() async throws {
        let store = try Store.device()
        #expect(
            await code { _ = try self.collector(store, MemoryEvents()) } == .entityNotRegistered)
        try await store.close()
    }

    @Test(arguments: 0..<6)
    func `each event is collected once, whatever fails`(seed: UInt64) async throws {
        var generator = SplitMix(seed: seed)
        let stream = MemoryEvents(partSizeBytesMax: .random(in: 50...400, using: &generator))
        let store = try Store.collecting()
        let devices = try (0..<4).map { _ in try Store.device() }
        var counts = [0, 0, 0, 0]
        for _ in 0..<25 {
            let index = Int.random(in: 0..<4, using: &generator)
            let count = Int.random(in: 1...5, using: &generator)
            try devices[index].append("\(index)", counts[index]..<(counts[index] + count))
            counts[index] += count
            if Bool.random(using: &generator) {
                // A commit without events.
                try await devices[index].box(for: Note.self).put(Note("note"))
                try await devices[index].sync()
            }
            stream.fail(
                (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in
                    MemoryEvents.Fault.allCases.randomElement(using: &generator)
                })
            stream.beStale(.random(in: 0...1, using: &generator))
            try await send(
                devices[index], to: stream,
                sizeBytesMax: .random(in: 1...400, using: &generator))
            if Bool.random(using: &generator) {
                let start = try #require(devices[index].place(0))
                try await devices[index].consumer("event-shipper").reset(to: start)
            }
            guard Bool.random(using: &generator) else { continue }
            stream.failReads(.random(in: 0...2, using: &generator))
            let purges = Bool.random(using: &generator)
            let collector = try collector(store, stream) { $0.purgesCollected = purges }
            try await collector.collectPending()
            #expect(collector.status.missingMessageCount == 0)
        }
        stream.fail([])
        for device in devices { try await send(device, to: stream) }
        try await collector(store, stream).collectPending()
        let found = try await store.measures()
        for index in 0..<4 {
            #expect(
                found.filter { $0.device == "\(index)" }.map(\.number)
                    == Array(0..<counts[index]))
            let source = try EventInbox(store).source(devices[index].identity)
            #expect(source?.eventCount ?? 0 == counts[index])
            #expect(source?.gapCount ?? 0 == 0)
        }
        #expect(found.count == counts.reduce(0, +))
        for device in devices { try await device.close() }
        try await store.close()
    }
}

/// Random numbers that follow from a seed.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
