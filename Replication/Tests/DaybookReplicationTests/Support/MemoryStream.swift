import DaybookNATS
@testable import DaybookReplication
import NIOCore
import Synchronization

/// A stream in memory whose answers can be lost, wrong or old, as those of a cluster can.
final class MemoryStream: FrameStream {
    /// The treatment of one append.
    enum Fault: Sendable {
        /// The request does not arrive.
        case lostRequest
        /// The frames are stored, and the answer does not arrive.
        case lostAnswer
        /// The frames are stored, and a server that no longer leads refuses them.
        case falseRefusal
        /// The frames arrive after the next append.
        case lateRequest
    }

    private struct State {
        var first: UInt64 = 1
        var messages: [ByteBuffer] = []
        var faults: [Fault] = []
        var staleReadCount = 0
        var freshReadCount = 0
        var isReachable = true
        var late: [(frames: [EncodedFrame], last: UInt64)] = []
        var signals: [Signal] = []
        var appendCount = 0
    }

    let name: String
    let frameSizeBytesMax: Int
    private let state = Mutex(State())

    init(name: String = "LOG", frameSizeBytesMax: Int = 1 << 20) {
        self.name = name
        self.frameSizeBytesMax = frameSizeBytesMax
    }

    /// The messages from the first one on.
    var messages: [ByteBuffer] { state.withLock { $0.messages } }

    /// The number of appends that were tried.
    var appendCount: Int { state.withLock { $0.appendCount } }

    /// The treatments of the next appends, in order.
    func fail(_ faults: Fault...) { state.withLock { $0.faults += faults } }

    /// The number of next reads that find nothing, after some reads that find all messages.
    func beStale(readCount: Int, after freshReadCount: Int = 0) {
        state.withLock { ($0.staleReadCount, $0.freshReadCount) = (readCount, freshReadCount) }
    }

    /// Whether servers answer.
    func setReachable(_ isReachable: Bool) {
        state.withLock { $0.isReachable = isReachable }
        notify()
    }

    /// Adds a message of a foreign program.
    func add(_ message: ByteBuffer) {
        state.withLock { $0.messages.append(message) }
        notify()
    }

    /// Removes messages at the beginning.
    func purge(below sequence: UInt64) {
        state.withLock { state in
            state.messages.removeFirst(Int(sequence - state.first))
            state.first = sequence
        }
    }

    func append(
        _ frames: [EncodedFrame], after last: UInt64
    ) async throws(NATSError) -> UInt64 {
        defer { notify() }
        return try state.withLock { state throws(NATSError) in
            state.appendCount += 1
            guard state.isReachable else { throw Self.error(.noResponders) }
            let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
            defer {
                for late in state.late { _ = try? Self.store(late.frames, late.last, &state) }
                state.late = []
                if fault == .lateRequest { state.late = [(frames, last)] }
            }
            switch fault {
            case nil: return try Self.store(frames, last, &state)
            case .lostRequest, .lateRequest: throw Self.error(.timeout)
            case .lostAnswer:
                _ = try Self.store(frames, last, &state)
                throw Self.error(.connectionLost)
            case .falseRefusal:
                _ = try Self.store(frames, last, &state)
                throw Self.error(.wrongLastSequence)
            }
        }
    }

    func messages(
        from sequence: UInt64, sizeBytesMax: Int
    ) async throws(NATSError) -> [StreamMessage] {
        try state.withLock { state throws(NATSError) in
            guard state.isReachable else { throw Self.error(.noResponders) }
            if state.freshReadCount > 0 {
                state.freshReadCount -= 1
            } else if state.staleReadCount > 0 {
                state.staleReadCount -= 1
                return []
            }
            let start = max(sequence, state.first)
            guard start < state.first + UInt64(state.messages.count) else { return [] }
            var sizeBytes = 0
            var found: [StreamMessage] = []
            for message in state.messages[Int(start - state.first)...] {
                sizeBytes += message.readableBytes
                if !found.isEmpty, sizeBytes > sizeBytesMax { break }
                found.append(
                    StreamMessage(sequence: start + UInt64(found.count), bytes: message))
            }
            return found
        }
    }

    func bounds() async throws(NATSError) -> (first: UInt64, last: UInt64) {
        try state.withLock { state throws(NATSError) in
            guard state.isReachable else { throw Self.error(.noResponders) }
            return (state.first, state.first + UInt64(state.messages.count) - 1)
        }
    }

    func watch(_ signal: Signal) -> Task<Void, Never> {
        state.withLock { $0.signals.append(signal) }
        return Task {}
    }

    private func notify() {
        for signal in state.withLock({ $0.signals }) { signal.set() }
    }

    private static func store(
        _ frames: [EncodedFrame], _ last: UInt64, _ state: inout State
    ) throws(NATSError) -> UInt64 {
        guard state.first + UInt64(state.messages.count) - 1 == last else {
            throw error(.wrongLastSequence)
        }
        state.messages += frames.map(\.bytes)
        return last + UInt64(frames.count)
    }

    private static func error(_ code: NATSError.Code) -> NATSError {
        NATSError(code, "A fault of the test.")
    }
}
