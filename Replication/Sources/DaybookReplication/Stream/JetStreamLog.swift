import DaybookNATS
import NIOCore

/// The log of one store in a stream of its own. Its messages have consecutive sequences.
struct JetStreamLog: FrameStream {
    let jetStream: JetStream
    let name: String
    let subject: String

    var frameSizeBytesMax: Int { jetStream.frameSizeBytesMax }

    func append(
        _ frames: [EncodedFrame], after last: UInt64
    ) async throws(NATSError) -> UInt64? {
        let stored = try await jetStream.append(
            frames, to: subject, of: name, expectedLastSequence: last)
        return stored.sequence == last + UInt64(frames.count) ? stored.sequence : nil
    }

    func messages(
        after sequence: UInt64, sizeBytesMax: Int
    ) async throws(NATSError) -> [StreamMessage] {
        try await jetStream.messages(
            in: name, from: sequence + 1, maxCount: JetStream.frameCountMax,
            maxBytes: sizeBytesMax
        ).messages.map(Self.message)
    }

    func message(from sequence: UInt64) async throws(NATSError) -> StreamMessage? {
        try await jetStream.messages(
            in: name, from: sequence, maxCount: 1, maxBytes: 1
        ).messages.first.map(Self.message)
    }

    func message(upTo sequence: UInt64) async throws(NATSError) -> StreamMessage? {
        try await jetStream.message(in: name, at: sequence).map(Self.message)
    }

    func bounds() async throws(NATSError) -> StreamBounds {
        let state = try await jetStream.stream(named: name).state
        return StreamBounds(after: max(state.firstSequence, 1) - 1, last: state.lastSequence)
    }

    func watch(_ signal: Signal) -> Task<Void, Never> { jetStream.watch(subject, signal) }

    private static func message(_ stored: StoredMessage) -> StreamMessage {
        StreamMessage(
            sequence: stored.sequence, predecessor: stored.sequence - 1, bytes: stored.payload)
    }
}
