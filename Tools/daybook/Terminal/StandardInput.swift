import DaybookBytes

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The input stream of a command.
enum StandardInput {
    /// The time between two calls of `isCancelled`, in milliseconds.
    private static let waitMilliseconds: Int32 = 50

    /// The next bytes, up to `count`; none at the end of the input, or if `isCancelled` returns
    /// true while no bytes arrive.
    ///
    /// Throws the error of the operating system.
    static func read(
        upTo count: Int, isCancelled: () -> Bool
    ) throws(DaybookError) -> [UInt8] {
        var bytes: [UInt8] = []
        while !isCancelled() {
            let ready = StandardDescriptor.input.waitUntilReadable(milliseconds: waitMilliseconds)
            if ready < 0 { try check(-ready, "poll", repeating: [EINTR]) }
            guard ready > 0 else { continue }
            let answer = StandardDescriptor.input.read(upTo: count, into: &bytes)
            if answer >= 0 { return bytes }
            try check(-answer, "read", repeating: [EINTR, EAGAIN])
        }
        return []
    }

    /// Throws for an error number after which the call must not be repeated.
    private static func check(
        _ number: Int, _ operation: String, repeating: [Int32]
    ) throws(DaybookError) {
        guard !repeating.contains(Int32(number)) else { return }
        throw .operatingSystem(errno: Int32(number), operation: operation, path: "the input")
    }
}
