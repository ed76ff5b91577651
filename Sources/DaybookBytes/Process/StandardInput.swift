#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The stream that a command reads from.
package enum StandardInput {
    /// How long a wait lasts before it is asked whether to go on, in milliseconds.
    private static let waitMilliseconds: Int32 = 50

    /// The next bytes, up to `count`; none at the end of the input, or where `isCancelled` says so
    /// while nothing comes.
    ///
    /// Throws what the operating system says.
    package static func read(
        upTo count: Int, isCancelled: () -> Bool
    ) throws(DaybookError) -> [UInt8] {
        while !isCancelled() {
            guard try isReady() else { continue }
            var failure: Int32 = 0
            // SAFETY: the kernel writes at most `count` bytes, which the buffer has room for, and
            // so many are taken as initialized as it says.
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

    /// Whether a read would not wait: there are bytes, or an end, or an error to be told.
    private static func isReady() throws(DaybookError) -> Bool {
        var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // SAFETY: one request is handed in, and the count says so.
        let answer = unsafe poll(&request, 1, waitMilliseconds)
        guard answer < 0, errno != EINTR else { return answer > 0 }
        throw .operatingSystem(errno: errno, operation: "poll", path: "the input")
    }
}

// The method above hides the system's function of that name.
private func systemRead(_ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    // SAFETY: the caller hands in a buffer with its length.
    unsafe read(STDIN_FILENO, start, count)
}
