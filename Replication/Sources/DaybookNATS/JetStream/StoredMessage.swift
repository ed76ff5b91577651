public import NIOCore

/// A message in a stream.
public struct StoredMessage: Sendable, Equatable {
    /// The subject to which it was published.
    public var subject: String
    /// The sequence.
    public var sequence: UInt64
    /// The time at which the stream stored the message, since 1970.
    public var timeNanoseconds: Int64
    /// The headers as published.
    public var headers: NATSHeaders
    /// The content. It may share memory with other messages, so copy it to keep it for long.
    public var payload: ByteBuffer
}

extension StoredMessage {
    /// The sequences that a message may have: a reader calculates with the ones before and after.
    private static let sequences = 1..<UInt64.max

    /// Whether the answer to a Direct Get is a message, whatever status its publisher gave it.
    static func isDirect(_ message: NATSInboundMessage) -> Bool {
        message.headers["Nats-Sequence"] != nil && message.headers["Nats-Subject"] != nil
    }

    /// Reads the answer of a Direct Get, which has the place of the message in its headers.
    ///
    /// The server appends its headers. A publisher may have used the same names, so only the last
    /// field of each counts.
    init(direct message: NATSInboundMessage) throws(NATSError) {
        var headers = message.headers
        _ = headers.removeLast("Nats-Num-Pending")
        _ = headers.removeLast("Nats-Last-Sequence")
        _ = headers.removeLast("Nats-Stream")
        guard let subject = headers.removeLast("Nats-Subject"),
            let sequence = headers.removeLast("Nats-Sequence").flatMap({ UInt64($0) }),
            let time = headers.removeLast("Nats-Time-Stamp").flatMap(ServerTime.nanoseconds),
            Self.sequences.contains(sequence)
        else {
            throw .malformed("A stored message has no subject, sequence or time in its headers.")
        }
        self.init(
            subject: subject, sequence: sequence, timeNanoseconds: time, headers: headers,
            payload: message.payload)
    }

    /// Whether an answer to a pull is a message, whatever status its publisher gave it.
    static func isPulled(_ message: NATSInboundMessage) -> Bool {
        message.replyTo?.hasPrefix("$JS.ACK.") ?? false
    }

    /// Reads a message of a consumer, which has the place of the message in its reply subject:
    /// `$JS.ACK.stream.consumer.delivered.sequence.consumerSequence.time.pending`, with a domain
    /// and an account before the stream in newer servers.
    init(pulled message: NATSInboundMessage) throws(NATSError) {
        let tokens = message.replyTo?.split(separator: ".") ?? []
        let first = tokens.count >= 11 ? 4 : 2
        guard Self.isPulled(message), tokens.count == 9 || tokens.count >= 11,
            let sequence = UInt64(tokens[first + 3]), let time = Int64(tokens[first + 5]),
            Self.sequences.contains(sequence)
        else { throw .malformed("A message of a consumer has no place in its reply subject.") }
        self.init(
            subject: message.subject, sequence: sequence, timeNanoseconds: time,
            headers: message.headers, payload: message.payload)
    }
}
