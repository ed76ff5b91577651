public import NIOCore

/// A message of a subscription or the reply to a request.
public struct NATSMessage: Sendable {
    /// The subject to which the message was published.
    public var subject: String
    /// The subject for replies; nil if the publisher expects none.
    public var replyTo: String?
    /// The headers.
    public var headers: NATSHeaders
    /// The content. It may share memory with other messages, so copy it to keep it for long.
    public var payload: ByteBuffer

    init(_ message: NATSInboundMessage) {
        subject = message.subject
        replyTo = message.replyTo
        headers = message.headers
        payload = message.payload
    }
}
