/// The progress of a long request: `GET /api/verification`, `/api/measurement` and `/api/export`.
/// The answer is a line of JSON for each progress, `{"progress": …}`, and a last one, which is
/// `{"result": …}` or `{"problem": …}`. The work ends early if the page closes the connection.
struct WorkProgress: Codable, Sendable, Equatable {
    /// The completed part, 0 to 1; nil if nobody knows how much is left.
    var fraction: Double?
    /// The bytes of the log, or the rows, that are done.
    var done: Int
    /// The time since the begin of the work.
    var seconds: Double
}
