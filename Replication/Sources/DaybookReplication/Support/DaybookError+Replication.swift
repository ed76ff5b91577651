public import Daybook

extension DaybookError.Code {
    /// Another replica took over the replicated log. The commit is not in it.
    public static let fenced = DaybookError.Code(rawValue: "fenced")
    /// The replicated log did not confirm a commit in time. The commit is in the local log, and a
    /// later attempt may add it to the replicated log, unless another replica takes over.
    public static let replicationTimedOut = DaybookError.Code(rawValue: "replicationTimedOut")
    /// The stream of a log does not exist, or has no frame yet.
    public static let streamNotFound = DaybookError.Code(rawValue: "streamNotFound")
    /// The stream no longer contains frames that this replica needs.
    public static let streamTruncated = DaybookError.Code(rawValue: "streamTruncated")
    /// The stream is not the one that this replica followed, or is that of another store.
    public static let streamReplaced = DaybookError.Code(rawValue: "streamReplaced")
}

extension DaybookError {
    static func fenced(term: UInt64, stream: String) -> DaybookError {
        DaybookError(
            .fenced,
            "Another replica took over the log in the stream \(stream) with term \(term). This"
                + " replica writes no more: close it, and open it as a follower.",
            details: ["term": String(term), "stream": stream])
    }

    static func timedOut(_ limit: Duration, stream: String, _ cause: (any Error)?) -> DaybookError {
        DaybookError(
            .replicationTimedOut,
            "The stream \(stream) did not confirm a commit within \(limit). It is unknown whether"
                + " the commit survives. The attempts continue: check the servers.",
            cause: cause, details: ["stream": stream])
    }

    static func notFound(stream: String) -> DaybookError {
        DaybookError(
            .streamNotFound,
            "The stream \(stream) has no frames of a log. Open a writer first.",
            details: ["stream": stream])
    }

    /// The stream does not have the messages between one that the replica has read and a later one.
    static func truncated(
        stream: String, from first: UInt64, after last: UInt64
    ) -> DaybookError {
        DaybookError(
            .streamTruncated,
            "The stream \(stream) begins with message \(first), but this replica needs the"
                + " messages after \(last). Open it with the archive of the log, or replace its"
                + " directory by a copy of a newer replica.",
            details: ["stream": stream, "first": String(first), "after": String(last)])
    }

    static func replaced(stream: String, _ reason: String) -> DaybookError {
        DaybookError(
            .streamReplaced,
            "The stream \(stream) is not the log of this replica: \(reason). Check the name of the"
                + " stream and the directory. Nothing was changed.", details: ["stream": stream])
    }
}
