import Foundation

/// Accumulates the wall time and the CPU time of the measured parts.
struct Stopwatch {
    private(set) var wallSeconds = 0.0
    /// The user and system time of the whole process, including background threads.
    private(set) var cpuSeconds = 0.0

    mutating func time<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let cpu = Self.cpu
        let wall = Self.wall
        defer {
            wallSeconds += Self.wall - wall
            cpuSeconds += Self.cpu - cpu
        }
        return try CountedPart.run(body)
    }

    private static var wall: Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
    }

    private static var cpu: Double {
        var now = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
    }
}
