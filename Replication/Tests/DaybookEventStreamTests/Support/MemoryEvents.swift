import Daybook
import DaybookEvents
@testable import DaybookEventStream
import DaybookNATS
import Synchronization

/// An event stream in memory whose answers can be lost, wrong or old, as those of a cluster can.
final class MemoryEvents: EventTransport {
    /// The treatment of one append.
    enum Fault: Sendable, CaseIterable {
        /// The request does not arrive.
        case lostRequest
        /// The parts are stored, and the answer does not arrive.
        case lostAnswer
        /// The parts are stored, and a server that no longer leads refuses them.
        case falseRefusal
        /// The parts arrive after the next append.
        case lateRequest
    }

    private struct State {
        var creationTime = "2026-01-01T00:00:00Z"
        var last: UInt64 = 0
        var messages: [EventMessage] = []
        var ends: [UInt64: EventBatchEnd] = [:]
        var faults: [Fault] = []
        var late: [(parts: [[UInt8]], store: String, end: EventBatchEnd, last: UInt64)] = []
        var staleEnds = 0
        var readFailures = 0
        var isReachable = true
        var accepts = true
        var purges: [UInt64] = []
        var appendCount = 0
    }

    let name = "EVENTS"
    let partSizeBytesMax: Int
    private let state = Mutex(State())

    init(partSizeBytesMax: Int = 1 << 20) { self.partSizeBytesMax = partSizeBytesMax }

    var messages: [EventMessage] { state.withLock { $0.messages } }
    var purges: [UInt64] { state.withLock { $0.purges } }
    var appendCount: Int { state.withLock { $0.appendCount } }

    /// The treatments of the next appends, in order.
    func fail(_ faults: [Fault]) { state.withLock { $0.faults += faults } }
    /// The number of next reads of an end that find the one before the last message.
    func beStale(_ count: Int) { state.withLock { $0.staleEnds = count } }
    /// The number of next reads of a collector that fail.
    func failReads(_ count: Int) { state.withLock { $0.readFailures = count } }
    func setReachable(_ isReachable: Bool) { state.withLock { $0.isReachable = isReachable } }
    /// Whether the servers accept messages of any length.
    func setAccepting(_ accepts: Bool) { state.withLock { $0.accepts = accepts } }

    /// Replaces the stream by an empty one.
    func recreate() {
        state.withLock { state in
            state.creationTime = "2026-02-02T00:00:00Z"
            (state.messages, state.last) = ([], 0)
        }
    }

    /// Removes a message.
    func remove(at sequence: UInt64) {
        state.withLock { $0.messages.removeAll { $0.sequence == sequence } }
    }

    /// Loses the messages after a sequence, as servers that lose their power can.
    func cut(after sequence: UInt64) {
        state.withLock { state in
            state.messages.removeAll { $0.sequence > sequence }
            state.last = sequence
        }
    }

    /// Adds a message of any program.
    func add(_ bytes: [UInt8], from store: String, part: Int = 1, of count: Int = 1) {
        state.withLock { state in
            state.last += 1
            state.messages.append(
                EventMessage(
                    sequence: state.last, store: store, part: part, partCount: count,
                    bytes: bytes))
        }
    }

    func append(
        _ parts: [[UInt8]], of store: String, end: EventBatchEnd, after last: UInt64
    ) async throws(NATSError) -> UInt64 {
        try state.withLock { state throws(NATSError) in
            state.appendCount += 1
            guard state.isReachable else { throw Self.error(.noResponders) }
            guard state.accepts else { throw Self.error(.messageTooLarge) }
            let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
            defer {
                for late in state.late {
                    _ = try? Self.store(late.parts, late.store, late.end, late.last, &state)
                }
                state.late = []
                if fault == .lateRequest { state.late = [(parts, store, end, last)] }
            }
            switch fault {
            case nil: return try Self.store(parts, store, end, last, &state)
            case .lostRequest, .lateRequest: throw Self.error(.timeout)
            case .lostAnswer:
                _ = try Self.store(parts, store, end, last, &state)
                throw Self.error(.connectionLost)
            case .falseRefusal:
                _ = try Self.store(parts, store, end, last, &state)
                throw Self.error(.wrongLastSequence)
            }
        }
    }

    private static func store(
        _ parts: [[UInt8]], _ store: String, _ end: EventBatchEnd, _ last: UInt64,
        _ state: inout State
    ) throws(NATSError) -> UInt64 {
        guard last == (state.messages.last { $0.store == store }?.sequence ?? 0) else {
            throw error(.wrongLastSequence)
        }
        for (index, part) in parts.enumerated() {
            state.last += 1
            state.messages.append(
                EventMessage(
                    sequence: state.last, store: store, part: index + 1, partCount: parts.count,
                    bytes: part))
        }
        state.ends[state.last] = end
        return state.last
    }

    func last(of store: String) async throws(NATSError) -> LastEventMessage? {
        try state.withLock { state throws(NATSError) in
            guard state.isReachable else { throw Self.error(.noResponders) }
            let own = state.messages.filter { $0.store == store }.map(\.sequence)
            let isStale = state.staleEnds > 0
            if isStale { state.staleEnds -= 1 }
            let found = isStale ? own.dropLast().last : own.last
            return found.map { LastEventMessage(sequence: $0, end: state.ends[$0]) }
        }
    }

    func state() async throws(NATSError) -> EventStreamState {
        try state.withLock { state throws(NATSError) in
            guard state.isReachable else { throw Self.error(.noResponders) }
            return EventStreamState(
                creationTime: state.creationTime,
                firstSequence: state.messages.first?.sequence ?? state.last + 1,
                lastSequence: state.last)
        }
    }

    func reader(after sequence: UInt64) async throws(NATSError) -> any EventReader {
        MemoryReader(self, sequence)
    }

    func purge(through sequence: UInt64) async throws(NATSError) {
        state.withLock { state in
            state.messages.removeAll { $0.sequence <= sequence }
            state.purges.append(sequence)
        }
    }

    /// Some messages after a sequence. Few at once, so that tests also read within batches.
    fileprivate func read(after sequence: UInt64) throws(NATSError) -> [EventMessage] {
        try state.withLock { state throws(NATSError) in
            guard state.isReachable else { throw Self.error(.noResponders) }
            if state.readFailures > 0 {
                state.readFailures -= 1
                throw Self.error(.consumerNotFound)
            }
            return Array(state.messages.drop { $0.sequence <= sequence }.prefix(2))
        }
    }

    private static func error(_ code: NATSError.Code) -> NATSError {
        NATSError(code, "The test makes the stream fail.")
    }
}

private final class MemoryReader: EventReader {
    private let stream: MemoryEvents
    private let sequence: Mutex<UInt64>

    init(_ stream: MemoryEvents, _ sequence: UInt64) {
        self.stream = stream
        self.sequence = Mutex(sequence)
    }

    func next() async throws(NATSError) -> [EventMessage] {
        let messages = try sequence.withLock { sequence throws(NATSError) in
            let messages = try stream.read(after: sequence)
            sequence = messages.last?.sequence ?? sequence
            return messages
        }
        if messages.isEmpty { try? await Task.sleep(for: .milliseconds(5)) }
        return messages
    }

    func close() async {}
}
