import Daybook
import DaybookEvents
@testable import DaybookEventStream
import ReplicationTestSupport
import Testing

@Suite struct EventAssemblerTests {
    /// The parts of a batch.
    private func parts() throws -> [EventMessage] {
        let store = try Store.device()
        try store.append("a", 0..<3)
        let batch = try EventOutbox(store, of: [Measure.self]).next(after: .start)
        let half = batch.bytes.count / 2
        let halves = [batch.bytes[..<half], batch.bytes[half...]]
        return halves.enumerated().map { index, bytes in
            EventMessage(
                sequence: UInt64(index + 5), store: batch.store, part: index + 1, partCount: 2,
                bytes: Array(bytes))
        }
    }

    /// The kinds of the steps of some messages.
    private func steps(_ messages: [EventMessage]) throws -> [String] {
        var assembler = EventAssembler(after: 4)
        return try messages.map { message in
            switch try assembler.add(message) {
            case .batch(let batch): "batch of \(batch.eventCount), place \(assembler.place)"
            case .incomplete: "incomplete, place \(assembler.place)"
            case .foreign: "foreign, place \(assembler.place)"
            }
        }
    }

    @Test func `consecutive parts of a store are a batch, and nothing else is`() throws {
        let parts = try parts()
        #expect(try steps(parts) == ["incomplete, place 4", "batch of 3, place 6"])
        var late = parts[1]
        late.sequence = 7
        #expect(try steps([parts[0], late]) == ["incomplete, place 4", "foreign, place 7"])
        var other = parts[1]
        other.store = "b"
        #expect(try steps([parts[0], other]) == ["incomplete, place 4", "foreign, place 6"])
        var longer = parts[1]
        longer.partCount = 3
        #expect(try steps([parts[0], longer]) == ["incomplete, place 4", "foreign, place 6"])
        #expect(try steps([parts[1], parts[0]]) == ["foreign, place 6", "incomplete, place 6"])
        var negative = parts[0]
        (negative.part, negative.partCount) = (-1, -1)
        #expect(try steps([negative] + parts)[0] == "foreign, place 5")
    }

    @Test func `parts that are longer than any batch are not kept`() throws {
        let part = EventMessage(
            sequence: 5, store: "a", part: 1, partCount: 9,
            bytes: [UInt8](repeating: 0, count: 9 << 20))
        var second = part
        (second.sequence, second.part) = (6, 2)
        #expect(try steps([part, second]) == ["incomplete, place 4", "foreign, place 6"])
    }
}
