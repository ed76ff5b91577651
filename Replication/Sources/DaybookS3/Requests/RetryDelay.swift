/// The waits between the attempts of one request.
struct RetryDelay {
    private let options: S3Options
    private var next: Duration

    /// Creates the waits, which begin with the shortest one.
    init(_ options: S3Options) {
        self.options = options
        next = options.retryDelay.lowerBound
    }

    /// Returns the next wait, which is at least the bounded wait that the server asked for.
    mutating func take(serverWait: Duration?) -> Duration {
        let wait = next * Double.random(in: 0.5...1)
        next = min(next * 2, options.retryDelay.upperBound)
        return max(wait, min(serverWait ?? .zero, options.retryAfterMax))
    }
}
