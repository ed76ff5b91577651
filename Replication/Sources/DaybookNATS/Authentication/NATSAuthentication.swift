/// How a client proves its identity to a server.
public enum NATSAuthentication: Sendable {
    /// No proof. Such a server must be reachable by trusted programs only.
    case none
    /// A token that all clients share.
    case token(String)
    /// A user and a password. Use TLS, because the client sends both as they are.
    case userAndPassword(user: String, password: String)
    /// The seed of an Ed25519 key, a text that begins with `SU`. The client signs a random text of
    /// the server, so the seed never leaves the process.
    case nkey(seed: String)
}

extension NATSAuthentication: CustomStringConvertible {
    /// The kind, without the secret.
    public var description: String {
        switch self {
        case .none: "none"
        case .token: "token"
        case .userAndPassword(let user, _): "user \(user)"
        case .nkey: "nkey"
        }
    }
}

extension NATSAuthentication: CustomDebugStringConvertible {
    /// The kind, without the secret.
    public var debugDescription: String { description }
}
