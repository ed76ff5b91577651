/// The failure of an attempt without a complete answer. The request is tried again.
struct TransportFailure: Error {
    /// The underlying error.
    let cause: any Error
}

/// A failure that no other library reports.
enum TransportProblem: Error, CustomStringConvertible {
    /// The attempt took longer than its limit.
    case timeout
    /// The body has not the announced length, or no announced length or end.
    case shortBody
    /// The answer has another part of the object than the request asked for.
    case otherRange
    /// The answer has a status that is not one of this request.
    case otherStatus

    /// The problem, for people.
    var description: String {
        switch self {
        case .timeout: "the attempt exceeded its time limit"
        case .shortBody: "the answer ended before its announced length, or has none"
        case .otherRange: "the answer has another range than the requested one"
        case .otherStatus: "the answer has an unexpected status"
        }
    }
}
