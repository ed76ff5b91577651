/// The state of a connection.
public enum NATSConnectionState: Sendable {
    /// The connection uses a server.
    case connected(NATSAddress)
    /// The server was lost, and the connection tries the next ones.
    case reconnecting(because: NATSError)
    /// The caller closed the connection. No other state follows.
    case closed
}
