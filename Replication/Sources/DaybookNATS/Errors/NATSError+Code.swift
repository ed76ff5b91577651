extension NATSError {
    /// The kinds of failures. A later version may add some.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code, for logs.
        public let rawValue: String

        /// Creates a code with a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An argument is not valid: an address, a subject, a seed, a name or a number.
        public static let invalidArgument = Code(rawValue: "invalidArgument")
        /// A header is not valid, or is one that this client refuses to send.
        public static let invalidHeader = Code(rawValue: "invalidHeader")
        /// A message is larger than the server, the request or the buffer permits.
        public static let messageTooLarge = Code(rawValue: "messageTooLarge")

        /// No server accepted a TCP connection within the time limit.
        public static let connectionFailed = Code(rawValue: "connectionFailed")
        /// The TLS handshake failed, for example because of an unknown certificate authority.
        public static let tlsFailed = Code(rawValue: "tlsFailed")
        /// The server refused the user, token or key.
        public static let authenticationFailed = Code(rawValue: "authenticationFailed")
        /// The user may not publish or subscribe to the subject.
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// The server permits no more subscriptions of this client.
        public static let tooManySubscriptions = Code(rawValue: "tooManySubscriptions")
        /// The server sent an error that has no other code.
        public static let serverError = Code(rawValue: "serverError")
        /// The server sent bytes that are not NATS, or a JSON document of another form.
        public static let malformedInput = Code(rawValue: "malformedInput")

        /// There is no connection at the moment. The client sent nothing.
        public static let notConnected = Code(rawValue: "notConnected")
        /// Too many bytes wait for the network. The client sent nothing.
        public static let sendBufferFull = Code(rawValue: "sendBufferFull")
        /// The connection ended before the answer. The outcome is unknown.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The caller closed the connection.
        public static let closed = Code(rawValue: "closed")
        /// The answer did not arrive within the time limit. The outcome is unknown.
        public static let timeout = Code(rawValue: "timeout")
        /// The task of the caller was cancelled. The outcome is unknown.
        public static let cancelled = Code(rawValue: "cancelled")
        /// No subscriber, stream or consumer receives the subject, or the stream has no leader.
        public static let noResponders = Code(rawValue: "noResponders")
        /// The subscriber did not read fast enough, so its buffer became full.
        public static let slowConsumer = Code(rawValue: "slowConsumer")

        /// The expected last sequence is not the last sequence of the stream (10071, 10164).
        public static let wrongLastSequence = Code(rawValue: "wrongLastSequence")
        /// A message with the same content id is not decided yet (10158). Try again with the same
        /// id.
        public static let duplicateInProcess = Code(rawValue: "duplicateInProcess")
        /// The stream does not exist (10059).
        public static let streamNotFound = Code(rawValue: "streamNotFound")
        /// The message does not exist (10037).
        public static let messageNotFound = Code(rawValue: "messageNotFound")
        /// The consumer does not exist (10014), or the server deleted it.
        public static let consumerNotFound = Code(rawValue: "consumerNotFound")
        /// JetStream has no leader at the moment (10008, 10009). Try again.
        public static let unavailable = Code(rawValue: "unavailable")
        /// JetStream refused the request for another reason. The server's code says which.
        public static let refused = Code(rawValue: "refused")
    }
}
