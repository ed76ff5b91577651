/// The limits of the lengths that a server may send.
enum WireLimits {
    /// The length of a control line, without INFO.
    static let controlLineBytesMax = 4 << 10
    /// The length of an INFO line, which has the addresses of all servers of a cluster.
    static let infoLineBytesMax = 64 << 10
    /// The length of a block of headers. The server adds some to stored messages.
    static let headersBytesMax = 128 << 10
    /// The length of a payload, whatever `max_payload` the server has: a stream may contain
    /// messages from before a reconfiguration.
    static let payloadBytesMax = 64 << 20
}
