import Crypto
import DaybookEvents
import DaybookNATS
import NIOCore

/// The events of many stores in a stream.
struct JetStreamEvents: EventTransport {
    let jetStream: JetStream
    let name: String

    /// The header of a part: its number and the number of parts.
    private static let partHeader = "Daybook-Part"
    /// The header of the last part: the end of the batch.
    private static let endHeader = "Daybook-End"
    private static let payloadSizeBytesMax = 1 << 20
    /// The part of the maximum length of a message that its headers may need.
    private static let headersSizeBytesMax = 4096

    static func subject(of store: String, in stream: String) -> String {
        "daybook.events.\(stream).\(store)"
    }

    var partSizeBytesMax: Int {
        let serverMax = jetStream.connection.serverInfo.payloadSizeBytesMax
        return max(
            Self.headersSizeBytesMax,
            min(Self.payloadSizeBytesMax, serverMax) - Self.headersSizeBytesMax)
    }

    func append(
        _ parts: [[UInt8]], of store: String, end: EventBatchEnd, after last: UInt64
    ) async throws(NATSError) -> UInt64 {
        let subject = Self.subject(of: store, in: name)
        var headers = NATSHeaders()
        try headers.set(Self.endHeader, end.description)
        guard parts.count > 1 else {
            let bytes = parts.first ?? []
            return try await jetStream.publish(
                ByteBuffer(bytes: bytes), to: subject, headers: headers, expectedStream: name,
                expectedLastSubjectSequence: last, contentId: Self.contentId(bytes)
            ).sequence
        }
        var messages: [BatchMessage] = []
        for (index, part) in parts.enumerated() {
            try headers.set(Self.partHeader, "\(index + 1)/\(parts.count)")
            messages.append(
                BatchMessage(ByteBuffer(bytes: part), to: subject, headers: headers))
        }
        return try await jetStream.publishBatch(
            messages, expectedStream: name, expectedLastSubjectSequence: last
        ).sequence
    }

    /// The stream stores a repeated message once.
    private static func contentId(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    func last(of store: String) async throws(NATSError) -> LastEventMessage? {
        let subject = Self.subject(of: store, in: name)
        guard let stored = try await jetStream.lastMessage(in: name, on: subject) else {
            return nil
        }
        return LastEventMessage(
            sequence: stored.sequence,
            end: stored.headers[Self.endHeader].flatMap { EventBatchEnd($0) })
    }

    func state() async throws(NATSError) -> EventStreamState {
        let info = try await jetStream.stream(named: name)
        return EventStreamState(
            creationTime: info.creationTime, firstSequence: info.state.firstSequence,
            lastSequence: info.state.lastSequence)
    }

    func reader(after sequence: UInt64) async throws(NATSError) -> any EventReader {
        PulledEvents(
            events: self,
            // A message that is longer than a pull would stop all reads.
            sizeBytesMax: max(
                PulledEvents.sizeBytesMax,
                2 * jetStream.connection.serverInfo.payloadSizeBytesMax),
            consumer: try await jetStream.pullConsumer(of: name, from: sequence + 1))
    }

    func purge(through sequence: UInt64) async throws(NATSError) {
        try await jetStream.purge(stream: name, below: sequence + 1)
    }

    fileprivate func message(_ stored: StoredMessage) -> EventMessage {
        let prefix = Self.subject(of: "", in: name)
        let store = stored.subject.hasPrefix(prefix) ? stored.subject.dropFirst(prefix.count) : ""
        var message = EventMessage(
            sequence: stored.sequence, store: String(store),
            bytes: Array(stored.payload.readableBytesView))
        let numbers = stored.headers[Self.partHeader]?.split(separator: "/").map { Int($0) }
        if let numbers, numbers.count == 2, let part = numbers[0], let count = numbers[1] {
            (message.part, message.partCount) = (part, count)
        }
        return message
    }
}

/// A reader that waits at the server for later messages.
private struct PulledEvents: EventReader {
    let events: JetStreamEvents
    let sizeBytesMax: Int
    let consumer: PullConsumer

    private static let messageCountMax = 512
    static let sizeBytesMax = 8 << 20
    /// Events that arrive slowly are collected so often.
    private static let timeout = Duration.milliseconds(500)

    func next() async throws(NATSError) -> [EventMessage] {
        try await consumer.next(
            count: Self.messageCountMax, maxBytes: sizeBytesMax, timeout: Self.timeout
        ).map(events.message)
    }

    func close() async {
        // The server removes a consumer that is not used.
        try? await consumer.delete()
    }
}
