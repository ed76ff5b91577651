internal import Synchronization

/// The end of the time of an attempt. It moves with each received byte, but no further than the
/// limit of an attempt without bytes, so that a server that stops ends it after that.
final class AttemptDeadline: Sendable {
    private let end: Mutex<ContinuousClock.Instant>
    private let timeout: Duration
    private let rateBytesPerSecond: Int

    /// Creates a deadline for an attempt that begins now and sends a count of bytes.
    init(_ options: S3Options, sentBytes: Int) {
        rateBytesPerSecond = options.transferRateBytesPerSecondMin
        timeout = options.timeout
        end = Mutex(.now + timeout + Self.time(bytes: sentBytes, rateBytesPerSecond))
    }

    /// Adds the time of received bytes.
    func receive(bytes: Int) {
        let time = Self.time(bytes: bytes, rateBytesPerSecond)
        let latest = ContinuousClock.now + timeout
        end.withLock { $0 = max($0, min($0 + time, latest)) }
    }

    private static func time(bytes: Int, _ rateBytesPerSecond: Int) -> Duration {
        .seconds(Double(bytes) / Double(rateBytesPerSecond))
    }

    /// Returns after the end. Throws `CancellationError` if the task is cancelled before.
    func wait() async throws {
        while true {
            let end = end.withLock { $0 }
            guard end > .now else { return }
            try await Task.sleep(until: end, clock: .continuous)
        }
    }
}
