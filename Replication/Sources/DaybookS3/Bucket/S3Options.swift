/// Options of a bucket. A value outside its range counts as the closest one inside.
public struct S3Options: Sendable {
    /// The limit of one attempt, from the connection to the begin of the answer. The default is 60
    /// seconds. The bytes of a request or answer add time to it; see
    /// ``transferRateBytesPerSecondMin``. A server that stops within an answer for longer than this
    /// limit ends the attempt.
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
    /// The length of the parts of a file, 5 MiB to 1 GiB. The default is 16 MiB. A shorter file is
    /// sent at once. Files of more than 10,000 parts get longer parts.
    public var partSizeBytes = 16 << 20
    /// The count of parts that are sent at the same time, 1 to 8. The default is 2. An upload needs
    /// the memory of this count of parts and one more.
    ///
    /// All buckets share 8 connections to a host. A part that waits for a connection loses the time
    /// of its attempt.
    public var partsInFlightMax = 2
    /// The limit of an object that is read without a range, or created of bytes: 0 to 2 GiB. The
    /// default is 1 GiB.
    public var answerSizeBytesMax = 1 << 30
    /// The limit of the removal of the parts of an upload that did not create an object.
    var abortTimeout: Duration = .seconds(10)
    /// The rest of that time after the task is cancelled.
    var cancelledAbortTimeout: Duration = .seconds(2)

    /// The limit of parts. A buffer of NIO has at most 4 GiB.
    static let partSizeBytesMax = 1 << 30

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
        options.partSizeBytes = min(max(partSizeBytesMin, partSizeBytes), Self.partSizeBytesMax)
        options.partsInFlightMax = min(max(1, partsInFlightMax), 8)
        options.answerSizeBytesMax = min(max(0, answerSizeBytesMax), 2 << 30)
        return options
    }
}
