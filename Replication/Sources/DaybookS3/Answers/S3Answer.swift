internal import NIOHTTP1

/// The complete answer to a request.
struct S3Answer: Sendable {
    /// The status.
    let status: Int
    /// The headers.
    let headers: HTTPHeaders
    /// The body; that of a failure may be missing.
    let body: [UInt8]
    /// The failure that the answer describes; nil for a success.
    let failure: S3Failure?

    /// Creates an answer. `mayFailLate` is for requests whose success may contain an error.
    init(status: Int, headers: HTTPHeaders, body: [UInt8], mayFailLate: Bool) {
        self.status = status
        self.headers = headers
        self.body = body
        if (200..<300).contains(status) {
            failure = mayFailLate ? S3Failure(late: body, status: status) : nil
        } else {
            failure = S3Failure(
                status: status, body: body, region: headers.first(name: "x-amz-bucket-region"))
        }
    }

    /// The wait before the next attempt that the server asks for, if it is a count of seconds.
    var retryAfter: Duration? {
        guard let text = headers.first(name: "retry-after"), let seconds = Int32(text),
            seconds >= 0
        else { return nil }
        return .seconds(Int64(seconds))
    }
}
