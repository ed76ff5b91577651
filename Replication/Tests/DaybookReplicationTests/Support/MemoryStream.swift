import DaybookNATS
@testable import DaybookReplication
import NIOCore
import Synchronization

/// A stream in memory whose answers can be lost, wrong or old, as those of a cluster can. With
/// gaps, its sequences are those of one log among others.
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

    fileprivate struct State {
        /// The sequence of the last message that was purged.
        var after: UInt64 = 0
        var messages: [StreamMessage] = []
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
    /// The number of sequences between two messages that the log does not use.
    private let gap: UInt64
    private let state = Mutex(State())

    init(name: String = "LOG", frameSizeBytesMax: Int = 1 << 20, gap: UInt64 = 0) {
        self.name = name
        self.frameSizeBytesMax = frameSizeBytesMax
        self.gap = gap
    }

    /// The messages from the first one on.
    var messages: [ByteBuffer] { state.withLock { $0.messages.map(\.bytes) } }

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
        state.withLock { _ = $0.add([message], gap) }
        notify()
    }

    /// Removes messages at the beginning.
    func purge(below sequence: UInt64) {
        state.withLock { state in
            let removed = state.messages.prefix { $0.sequence < sequence }
            state.after = removed.last?.sequence ?? state.after
            state.messages.removeFirst(removed.count)
        }
    }

    func append(
        _ frames: [EncodedFrame], after last: UInt64
    ) async throws(NATSError) -> UInt64? {
        defer { notify() }
        return try state.withLock { state throws(NATSError) in
            state.appendCount += 1
            guard state.isReachable else { throw Self.error(.noResponders) }
            let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
            defer {
                for late in state.late { _ = try? store(late.frames, late.last, &state) }
                state.late = []
                if fault == .lateRequest { state.late = [(frames, last)] }
            }
            switch fault {
            case nil: return try store(frames, last, &state)
            case .lostRequest, .lateRequest: throw Self.error(.timeout)
            case .lostAnswer:
                _ = try store(frames, last, &state)
                throw Self.error(.connectionLost)
            case .falseRefusal:
                _ = try store(frames, last, &state)
                throw Self.error(.wrongLastSequence)
            }
        }
    }

    func messages(
        after sequence: UInt64, sizeBytesMax: Int
    ) async throws(NATSError) -> [StreamMessage] {
        try read { state in
            var sizeBytes = 0
            return Array(
                state.messages.drop { $0.sequence <= sequence }.prefix { message in
                    let isFirst = sizeBytes == 0
                    sizeBytes += message.bytes.readableBytes
                    return isFirst || sizeBytes <= sizeBytesMax
                })
        }
    }

    func message(from sequence: UInt64) async throws(NATSError) -> StreamMessage? {
        try read { state in
            state.messages.first { $0.sequence >= sequence }.map { [$0] } ?? []
        }.first
    }

    func message(upTo sequence: UInt64) async throws(NATSError) -> StreamMessage? {
        try read { state in
            state.messages.last { $0.sequence <= sequence }.map { [$0] } ?? []
        }.first
    }

    /// Reads messages, unless the answer is old.
    private func read(
        _ body: (State) -> [StreamMessage]
    ) throws(NATSError) -> [StreamMessage] {
        try state.withLock { state throws(NATSError) in
            guard state.isReachable else { throw Self.error(.noResponders) }
            if state.freshReadCount > 0 {
                state.freshReadCount -= 1
            } else if state.staleReadCount > 0 {
                state.staleReadCount -= 1
                return []
            }
            return body(state)
        }
    }

    func bounds() async throws(NATSError) -> StreamBounds {
        try state.withLock { state throws(NATSError) in
            guard state.isReachable else { throw Self.error(.noResponders) }
            return StreamBounds(after: state.after, last: state.last)
        }
    }

    func watch(_ signal: Signal) -> Task<Void, Never> {
        state.withLock { $0.signals.append(signal) }
        return Task {}
    }

    private func notify() {
        for signal in state.withLock({ $0.signals }) { signal.set() }
    }

    private func store(
        _ frames: [EncodedFrame], _ last: UInt64, _ state: inout State
    ) throws(NATSError) -> UInt64 {
        guard state.last == last else { throw Self.error(.wrongLastSequence) }
        return state.add(frames.map(\.bytes), gap)
    }

    private static func error(_ code: NATSError.Code) -> NATSError {
        NATSError(code, "A fault of the test.")
    }
}

extension MemoryStream.State {
    /// The sequence of the last message.
    fileprivate var last: UInt64 { messages.last?.sequence ?? after }

    /// Adds messages with consecutive sequences after a gap. Returns the last sequence.
    fileprivate mutating func add(_ new: [ByteBuffer], _ gap: UInt64) -> UInt64 {
        var next = last + gap + 1
        for bytes in new {
            messages.append(StreamMessage(sequence: next, predecessor: last, bytes: bytes))
            next += 1
        }
        return last
    }
}
