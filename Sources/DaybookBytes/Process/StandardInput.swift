#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The standard input of a command.
package enum StandardInput {
    /// The interval at which a waiting read polls `isCancelled`, in milliseconds.
    private static let waitMilliseconds: Int32 = 50

    /// Reads up to `count` bytes. Returns no bytes at the end of the input, or if `isCancelled`
    /// returns true while the read waits.
    ///
    /// Throws errors of the operating system.
    package static func read(
        upTo count: Int, isCancelled: () -> Bool
    ) throws(DaybookError) -> [UInt8] {
        while !isCancelled() {
            guard try isReady() else { continue }
            var failure: Int32 = 0
            // SAFETY: the buffer has room for `count` bytes, the kernel writes at most that many,
            // and its result is the number of initialized bytes.
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, count)) {
                buffer, initialized in
                let answer = unsafe systemRead(buffer.baseAddress, buffer.count)
                if answer < 0 { failure = errno }
                initialized = max(0, answer)
            }
            if failure == 0 { return bytes }
            guard failure == EINTR || failure == EAGAIN else {
                throw .operatingSystem(errno: failure, operation: "read", path: "the input")
            }
        }
        return []
    }

    /// Whether a read would return at once, with bytes, the end of the input or an error.
    private static func isReady() throws(DaybookError) -> Bool {
        var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // SAFETY: one request is passed, with a count of 1.
        let answer = unsafe poll(&request, 1, waitMilliseconds)
        guard answer < 0, errno != EINTR else { return answer > 0 }
        throw .operatingSystem(errno: errno, operation: "poll", path: "the input")
    }
}

// Gives access to the C function, which the method above shadows.
private func systemRead(_ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    // SAFETY: the caller passes a buffer with its length.
    unsafe read(STDIN_FILENO, start, count)
}
