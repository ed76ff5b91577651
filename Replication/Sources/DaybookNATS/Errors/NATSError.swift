/// The error type of this module: what failed, and how to fix it.
///
/// Match on ``code`` and show ``message`` to people.
public struct NATSError: Error, Sendable {
    /// The kind of failure; stable across releases.
    public let code: Code
    /// A description of the failure and the remedy, for people. Contains no secrets.
    public let message: String
    /// JetStream's number of the error (`err_code`), such as 10071; nil if the error is not an
    /// answer of JetStream.
    public let serverCode: Int?
    /// The underlying error, if any.
    public let cause: (any Error)?

    /// Creates an error. `message` describes the failure and the remedy.
    public init(
        _ code: Code, _ message: String, serverCode: Int? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.serverCode = serverCode
        self.cause = cause
    }

    /// Whether the server may have accepted the message although the call failed.
    ///
    /// A publisher then reads the stream before it decides. A refusal is no proof either while two
    /// servers of a cluster believe that they lead: see ``JetStream``.
    public var isOutcomeUnknown: Bool {
        [.connectionLost, .timeout, .cancelled, .duplicateInProcess, .malformedInput].contains(code)
    }
}

extension NATSError: CustomStringConvertible {
    /// The code, JetStream's number, the message and, on a further line, the cause.
    public var description: String {
        var text = code.rawValue
        if let serverCode { text += " (\(serverCode))" }
        text += ": \(message)"
        if let cause { text += "\n  because \(cause)" }
        return text
    }
}
