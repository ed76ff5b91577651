extension NATSError {
    /// The error for the text of an `-ERR` line.
    static func server(_ text: String) -> NATSError {
        let lower = text.lowercased()
        if lower.hasPrefix("authorization violation") || lower.hasPrefix("authentication")
            || lower.hasPrefix("user authentication") || lower.hasPrefix("account authentication")
        {
            return NATSError(
                .authenticationFailed,
                "The server refused the authentication (\"\(text)\"). Check the user, token or key"
                    + " in the options, and the accounts of the server.")
        }
        if lower.hasPrefix("permissions violation") {
            return NATSError(
                .permissionDenied,
                "The server denied a subject (\"\(text)\"). Extend the permissions of the user.")
        }
        if lower.hasPrefix("maximum payload") {
            return NATSError(
                .messageTooLarge,
                "The server refused a message (\"\(text)\"). Send less, or raise max_payload.")
        }
        if lower.hasPrefix("maximum subscriptions") {
            return NATSError(
                .tooManySubscriptions,
                "The server refused a subscription (\"\(text)\"). End others, or raise"
                    + " max_subscriptions.")
        }
        return NATSError(
            .serverError, "The server reported \"\(text)\". Its log has the details.")
    }

    /// The error for an error of JetStream's answer to `subject`.
    static func jetStream(_ error: JetStreamFailure, subject: String) -> NATSError {
        let description = error.description ?? "no description"
        let (code, remedy): (Code, String) =
            switch error.errorCode {
            case 10071, 10164:
                (.wrongLastSequence, "Read the stream from there before the next append.")
            case 10158: (.duplicateInProcess, "Try again with the same content id.")
            case 10059: (.streamNotFound, "Check the name, the account and the domain.")
            case 10037: (.messageNotFound, "Check the sequence against the state of the stream.")
            case 10014: (.consumerNotFound, "Create the consumer again.")
            case 10008, 10009: (.unavailable, "Try again.")
            case 10057: (.refused, "The configuration of the stream forbids the operation.")
            default: (.refused, "Correct the request or the configuration of the server.")
            }
        return NATSError(
            code, "JetStream refused \(subject): \(description). \(remedy)",
            serverCode: error.errorCode)
    }

    /// The error of a call on a connection that the caller closed.
    static let closedByCaller = NATSError(
        .closed, "The connection is closed. Connect again for further calls.")

    /// The error of a call in a task that was cancelled.
    static let cancelledTask = NATSError(
        .cancelled, "The task was cancelled. If it sent a message, the outcome is unknown.")

    /// The error of a call whose answer is late.
    static func timeout(_ subject: String, _ limit: Duration) -> NATSError {
        NATSError(
            .timeout,
            "No answer to \(subject) within \(limit). The outcome is unknown: read the state before"
                + " the next attempt, or raise the timeout.")
    }

    /// The error of calls whose connection ended.
    static func connectionLost(_ cause: NATSError) -> NATSError {
        NATSError(
            .connectionLost,
            "The connection ended before the answer, so the outcome is unknown. Read the state"
                + " before the next attempt.", cause: cause)
    }

    /// The error of a call whose session ended just before.
    static let endedSession = NATSError.connectionLost(
        NATSError(
            .connectionFailed, "The server closed the connection. Check the log of the server."))

    /// The error of bytes that are not NATS.
    static func malformed(_ problem: String) -> NATSError {
        NATSError(
            .malformedInput,
            "\(problem) Check that the address is the client port of a NATS server.")
    }
}
