#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The time of day. It may jump in both directions, so it cannot order events.
package enum WallClock {
    /// Microseconds since 1970-01-01T00:00:00Z, without leap seconds.
    package static func microsecondsSinceEpoch() -> Int64 {
        var time = timespec()
        // SAFETY: the kernel fills exactly this structure.
        let status = unsafe clock_gettime(CLOCK_REALTIME, &time)
        precondition(status == 0, "the system has no clock")
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
