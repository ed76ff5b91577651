internal import Synchronization

/// The end of the time of an attempt, which moves with each transferred byte.
final class AttemptDeadline: Sendable {
    private let end: Mutex<ContinuousClock.Instant>
    private let rateBytesPerSecond: Int

    /// Creates a deadline for an attempt that begins now and sends a count of bytes.
    init(_ options: S3Options, sentBytes: Int) {
        rateBytesPerSecond = options.transferRateBytesPerSecondMin
        end = Mutex(.now + options.timeout)
        extend(bytes: sentBytes)
    }

    /// Adds the time of transferred bytes.
    func extend(bytes: Int) {
        let time = Duration.seconds(Double(bytes) / Double(rateBytesPerSecond))
        end.withLock { $0 += time }
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
