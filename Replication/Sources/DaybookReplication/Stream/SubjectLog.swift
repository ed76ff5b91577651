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

    var frameSizeBytesMax: Int { FrameLimits.frameSizeBytesMax(jetStream) }

    func append(
        _ frames: [EncodedFrame], after last: UInt64
    ) async throws(NATSError) -> UInt64? {
        let stored: PublishReceipt
        if frames.count == 1 {
            stored = try await jetStream.publish(
                frames[0].bytes, to: subject, expectedStream: stream,
                expectedLastSubjectSequence: last, contentId: frames[0].hash.text)
        } else {
            stored = try await jetStream.publishBatch(
                frames.map { BatchMessage($0.bytes, to: subject) }, expectedStream: stream,
                expectedLastSubjectSequence: last)
        }
        return stored.sequence >= last + UInt64(frames.count) ? stored.sequence : nil
    }

    func messages(
        after sequence: UInt64, sizeBytesMax: Int
    ) async throws(NATSError) -> [StreamMessage] {
        let stored = try await jetStream.messages(
            in: stream, from: sequence + 1, maxCount: FrameLimits.messageCountMax,
            maxBytes: sizeBytesMax, on: subject
        ).messages
        var messages = stored.map(Self.message)
        guard messages.contains(where: { $0.predecessor == nil }) else { return messages }
        guard try await isComplete(messages, after: sequence) else { return messages }
        var predecessor = sequence
        for index in messages.indices {
            messages[index].predecessor = messages[index].predecessor ?? predecessor
            predecessor = messages[index].sequence
        }
        return messages
    }

    /// Whether no message between those of a read was purged. Only the messages before a sequence
    /// can be purged, so there is none if the message before them still exists.
    private func isComplete(
        _ messages: [StreamMessage], after sequence: UInt64
    ) async throws(NATSError) -> Bool {
        guard let first = messages.first else { return true }
        let anchor = sequence > 0 ? sequence : first.sequence
        return try await jetStream.message(in: stream, at: anchor)?.subject == subject
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
        guard let first = try await message(from: 1),
            let last = try await jetStream.lastMessage(in: stream, on: subject)
        else { return StreamBounds(after: 0, last: 0) }
        return StreamBounds(
            after: first.predecessor ?? 0, last: max(last.sequence, first.sequence))
    }

    func watch(_ signal: Signal) -> Task<Void, Never> { jetStream.watch(subject, signal) }

    /// The message, with its predecessor if a writer of logs appended it: the expectation, or the
    /// message before it in its batch.
    private static func message(_ stored: StoredMessage) -> StreamMessage {
        var message = StreamMessage(
            sequence: stored.sequence, predecessor: nil, bytes: stored.payload)
        if let expected = stored.headers[Self.expectationHeader] {
            message.predecessor = UInt64(expected)
        } else if let place = stored.headers["Nats-Batch-Sequence"], place != "1" {
            message.predecessor = stored.sequence - 1
        }
        return message
    }

    private static let expectationHeader = "Nats-Expected-Last-Subject-Sequence"
}
