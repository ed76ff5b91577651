import DaybookNATS
import NIOCore

/// The log of one store on a subject of a stream with the logs of many stores. The sequences of its
/// messages have gaps.
///
/// A writer appends with the last sequence of its subject as the expectation, which the server
/// checks and stores with the message. So a message itself names its predecessor, and a reader
/// notices messages that were purged.
struct SubjectLog: FrameStream {
    let jetStream: JetStream
    let stream: String
    let subject: String

    /// The name in errors and places: that of the stream and that of the log.
    let name: String

    var frameSizeBytesMax: Int { jetStream.frameSizeBytesMax }

    func append(
        _ frames: [EncodedFrame], after last: UInt64
    ) async throws(NATSError) -> UInt64? {
        let stored = try await jetStream.append(
            frames, to: subject, of: stream, expectedLastSubjectSequence: last)
        return Self.isPlace(stored.sequence, of: frames.count, after: last) ? stored.sequence : nil
    }

    /// Whether a sequence can be that of the last of some messages after another one.
    static func isPlace(_ sequence: UInt64, of count: Int, after last: UInt64) -> Bool {
        sequence > last && sequence - last >= UInt64(count) && sequence < .max
    }

    func messages(
        after sequence: UInt64, sizeBytesMax: Int
    ) async throws(NATSError) -> [StreamMessage] {
        let stored = try await jetStream.messages(
            in: stream, from: sequence + 1, maxCount: JetStream.frameCountMax,
            maxBytes: sizeBytesMax, on: subject
        ).messages
        let messages = stored.map(Self.message)
        let places = [sequence] + messages.map(\.sequence)
        let gap = zip(messages, places).enumerated().first { $1.0.predecessor != $1.1 }
        guard let gap = gap?.offset else { return messages }
        // A foreign message names no predecessor, or a wrong one.
        switch try await isComplete(messages, after: sequence) {
        case true?:
            return zip(messages, places).map { message, predecessor in
                var message = message
                message.predecessor = predecessor
                return message
            }
        case false?: return messages
        case nil: return Array(messages[..<gap])
        }
    }

    /// Whether no message between those of a read was purged; nil if the server that answers does
    /// not know. Only the messages before a sequence can be purged, so there is none if the message
    /// before those of the read still exists.
    private func isComplete(
        _ messages: [StreamMessage], after sequence: UInt64
    ) async throws(NATSError) -> Bool? {
        let before = sequence > 0 ? sequence : messages[0].sequence
        return try await message(from: before).map { $0.sequence == before }
    }

    func message(from sequence: UInt64) async throws(NATSError) -> StreamMessage? {
        try await jetStream.messages(
            in: stream, from: sequence, maxCount: 1, maxBytes: 1, on: subject
        ).messages.first.map(Self.message)
    }

    func message(upTo sequence: UInt64) async throws(NATSError) -> StreamMessage? {
        try await jetStream.lastMessage(in: stream, on: subject, upTo: sequence).map(Self.message)
    }

    func bounds() async throws(NATSError) -> StreamBounds {
        // The first message first: a purge between the reads then leaves messages unread, but
        // never hides one.
        let first = try await message(from: 1)
        let last = try await jetStream.lastSequence(in: stream, on: subject)
        guard let first else { return StreamBounds(after: 0, last: last) }
        return StreamBounds(after: first.predecessor ?? 0, last: max(last, first.sequence))
    }

    func watch(_ signal: Signal) -> Task<Void, Never> { jetStream.watch(subject, signal) }

    /// The message, with its predecessor if a writer of logs appended it: the expectation, or the
    /// message before it in its batch.
    private static func message(_ stored: StoredMessage) -> StreamMessage {
        var predecessor: UInt64?
        if let expected = stored.headers["Nats-Expected-Last-Subject-Sequence"] {
            predecessor = UInt64(expected)
        } else if let place = stored.headers["Nats-Batch-Sequence"], place != "1" {
            predecessor = stored.sequence - 1
        }
        return StreamMessage(
            sequence: stored.sequence, predecessor: predecessor, bytes: stored.payload)
    }
}
