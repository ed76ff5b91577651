/// Measures and prints durations.
enum Timing {
    /// Runs `body` and returns its result and duration.
    static func measure<Result>(_ body: () throws -> Result) rethrows -> (Result, Duration) {
        let clock = ContinuousClock()
        let start = clock.now
        let result = try body()
        return (result, clock.now - start)
    }

    /// Formats a duration in a suitable unit.
    static func text(_ duration: Duration) -> String {
        let microseconds = duration / .microseconds(1)
        return switch microseconds {
        case ..<1000: "\(Int(microseconds)) µs"
        case ..<1_000_000: "\(tenths(microseconds / 1000)) ms"
        default: "\(tenths(microseconds / 1_000_000)) s"
        }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
