import DaybookNATS

/// The limits of the frames of a log on NATS servers.
enum FrameLimits {
    /// The part of the maximum length of a message that its headers may need.
    private static let headersSizeBytesMax = 4096
    /// A longer frame makes the servers slow.
    private static let payloadSizeBytesMax = 1 << 20
    /// The maximum number of messages of one read.
    static let messageCountMax = 1024

    /// The maximum length of a frame.
    static func frameSizeBytesMax(_ jetStream: JetStream) -> Int {
        let serverMax = jetStream.connection.serverInfo.payloadSizeBytesMax
        return max(
            ReplicationFrame.headerLength + 1,
            min(payloadSizeBytesMax, serverMax) - headersSizeBytesMax)
    }
}
