internal import NIOCore

/// A frame that a server sent.
enum NATSFrame: Sendable, Equatable {
    /// The server's description. `trailingByteCount` is the count of bytes that arrived with it.
    /// It must be zero if a TLS handshake follows: these bytes are not authenticated.
    case info(NATSServerInfo, trailingByteCount: Int)
    case message(NATSInboundMessage)
    case ping
    case pong
    case ok
    /// The text between the quotes of `-ERR`.
    case error(String)
}

/// A message as it arrived, with the number of its subscription.
struct NATSInboundMessage: Sendable, Equatable {
    var subscriptionId: UInt64
    var subject: String
    var replyTo: String?
    var headers: NATSHeaders
    var payload: ByteBuffer

    /// The length of the headers and the payload.
    var lengthBytes: Int {
        headers.all.reduce(payload.readableBytes) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }

    /// The bytes that the message takes in a buffer, with a flat charge for its administration.
    var costBytes: Int {
        var cost = 256 + subject.utf8.count + (replyTo?.utf8.count ?? 0) + payload.readableBytes
        for (name, value) in headers.all { cost += 64 + name.utf8.count + value.utf8.count }
        return cost
    }
}
