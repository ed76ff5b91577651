public import AsyncHTTPClient

/// Options of a bucket. A value outside its range counts as the closest one inside.
public struct S3Options: Sendable {
    /// The limit of one attempt, from the connection to the begin of the answer. The default is 60
    /// seconds. The bytes of a request or answer add time to it; see
    /// ``transferRateBytesPerSecondMin``. A server that sends nothing for longer is given up.
    public var timeout: Duration = .seconds(60)
    /// The slowest acceptable transfer. The default is 128 KiB per second, so each 128 KiB that a
    /// request has, or that an answer delivered, adds one second to the limit of its attempt.
    public var transferRateBytesPerSecondMin = 128 << 10
    /// The count of attempts of one request, at least 1. The default is 5.
    public var attemptCountMax = 5
    /// The wait before another attempt. It begins at the lower bound, doubles up to the upper
    /// bound, and is then multiplied by a random factor of 0.5 to 1. The default is 100
    /// milliseconds to 5 seconds.
    public var retryDelay: ClosedRange<Duration> = .milliseconds(100) ... .seconds(5)
    /// The limit for a wait that the server asks for with `Retry-After`. The default is 30 seconds.
    public var retryAfterMax: Duration = .seconds(30)
    /// The length of the parts of a file, at least 5 MiB. The default is 16 MiB. A shorter file is
    /// sent at once. Files of more than 10,000 parts get longer parts.
    public var partSizeBytes = 16 << 20
    /// The count of parts that are sent at the same time, at least 1. The default is 2. An upload
    /// needs the memory of this count of parts and one more.
    public var partsInFlightMax = 2
    /// The limit of an object that is read without a range. The default is 1 GiB.
    public var answerSizeBytesMax = 1 << 30
    /// The client for HTTP; by default, one that all buckets share. Another one must not follow
    /// redirects or decompress answers, and must outlive the bucket.
    public var client: HTTPClient?

    /// Creates the default options.
    public init() {}

    /// Returns the options with values inside their ranges.
    func limited(partSizeBytesMin: Int) -> S3Options {
        var options = self
        options.timeout = max(.milliseconds(1), timeout)
        options.transferRateBytesPerSecondMin = max(1, transferRateBytesPerSecondMin)
        options.attemptCountMax = max(1, attemptCountMax)
        let shortest = max(.zero, retryDelay.lowerBound)
        options.retryDelay = shortest...max(shortest, retryDelay.upperBound)
        options.retryAfterMax = max(.zero, retryAfterMax)
        options.partSizeBytes = min(max(partSizeBytesMin, partSizeBytes), 5 << 30)
        options.partsInFlightMax = max(1, partsInFlightMax)
        options.answerSizeBytesMax = max(0, answerSizeBytesMax)
        return options
    }
}
