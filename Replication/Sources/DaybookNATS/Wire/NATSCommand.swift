internal import NIOCore

/// The commands that a client sends, as bytes.
enum NATSCommand {
    static let ping = "PING\r\n"
    static let pong = "PONG\r\n"

    static func connect(_ json: String) -> String { "CONNECT \(json)\r\n" }

    static func subscribe(_ subject: String, queue: String?, id: UInt64) -> String {
        "SUB \(subject) \(queue.map { $0 + " " } ?? "")\(id)\r\n"
    }

    static func unsubscribe(_ id: UInt64) -> String { "UNSUB \(id)\r\n" }

    /// Returns the control line and the headers of a message.
    ///
    /// Throws `.messageTooLarge` for more headers than ``WireLimits/headersBytesMax``, and
    /// `.invalidHeader` for the header that ``checkHeaders(_:)`` refuses.
    static func publishHead(
        _ subject: String, replyTo: String?, headers: NATSHeaders, payloadSizeBytes: Int
    ) throws(NATSError) -> ByteBuffer {
        let reply = replyTo.map { $0 + " " } ?? ""
        if headers.count == 0 {
            return ByteBuffer(string: "PUB \(subject) \(reply)\(payloadSizeBytes)\r\n")
        }
        try checkHeaders(headers)
        var block = ByteBuffer()
        headers.write(to: &block)
        let size = block.readableBytes
        guard size <= WireLimits.headersBytesMax else {
            throw NATSError(
                .messageTooLarge,
                "The headers of a message to \(subject) have \(size) bytes, but the limit is"
                    + " \(WireLimits.headersBytesMax) bytes. Move data to the payload.")
        }
        var head = ByteBuffer(
            string: "HPUB \(subject) \(reply)\(size) \(size + payloadSizeBytes)\r\n")
        head.writeBuffer(&block)
        return head
    }

    /// Throws `.invalidHeader` for `Nats-Expected-Last-Msg-Id`.
    ///
    /// This client never sends that header. Servers 2.14.0 to 2.15.1 find a mismatch only when the
    /// replicas apply the entry, and treat it as a failed write: one such message stops a
    /// replicated stream permanently, even across restarts. `Nats-Expected-Last-Sequence` does the
    /// same without that risk.
    private static func checkHeaders(_ headers: NATSHeaders) throws(NATSError) {
        guard headers["Nats-Expected-Last-Msg-Id"] == nil else {
            throw NATSError(
                .invalidHeader,
                "The header Nats-Expected-Last-Msg-Id can stop a replicated stream permanently."
                    + " Expect the last sequence instead.")
        }
    }
}
