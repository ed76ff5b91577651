#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The descriptors of a process's input and output, with the system calls on them.
///
/// Each call returns what the kernel returns: a result from 0 up, or a negated error number. No
/// call repeats, continues or explains anything; its callers do.
package enum StandardDescriptor: Int32, CaseIterable, Sendable {
    case input = 0
    case output = 1
    case error = 2

    /// Whether the descriptor is a terminal.
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The width of the terminal in columns; 0 if the descriptor is no terminal or has no width.
    package var columnCount: Int {
        var size = winsize()
        // SAFETY: the kernel writes a `winsize` for this request, and `size` is one.
        let answer = unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size)
        return answer == 0 ? Int(size.ws_col) : 0
    }

    /// Whether the other end of a pipe or a terminal was closed. Never waits.
    package var isHungUp: Bool {
        var request = pollfd(fd: rawValue, events: 0, revents: 0)
        // SAFETY: one request is passed, and the count is 1.
        let answer = unsafe poll(&request, 1, 0)
        return answer > 0 && Int32(request.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
    }

    /// Waits until a read does not block. Returns 0 after the given time.
    package func waitUntilReadable(milliseconds: Int32) -> Int {
        var request = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        // SAFETY: one request is passed, and the count is 1.
        let answer = unsafe poll(&request, 1, milliseconds)
        return answer < 0 ? -Int(errno) : Int(answer)
    }

    /// Replaces `bytes` with the next bytes, up to `count`; none at the end of the input.
    package func read(upTo count: Int, into bytes: inout [UInt8]) -> Int {
        var result = 0
        // SAFETY: the kernel writes at most the capacity of the buffer, and the array takes as many
        // bytes as initialized as the kernel returns.
        bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, count)) {
            buffer, initialized in
            let answer = unsafe systemRead(rawValue, buffer.baseAddress, buffer.count)
            result = answer < 0 ? -Int(errno) : answer
            initialized = max(0, answer)
        }
        return result
    }

    /// Writes bytes; returns how many were written.
    package func write(_ bytes: Span<UInt8>) -> Int {
        // SAFETY: the kernel reads at most `count` bytes of the span.
        unsafe bytes.withUnsafeBytes { buffer in
            let answer = unsafe systemWrite(rawValue, buffer.baseAddress, buffer.count)
            return answer < 0 ? -Int(errno) : answer
        }
    }

    /// Opens `/dev/null` for each standard descriptor that was closed when the process began, so
    /// that no other file gets its number. Reading from or writing to such a stream still fails.
    package static func reserveClosed() {
        for descriptor in allCases where fcntl(descriptor.rawValue, F_GETFD) == -1 {
            // The lowest free descriptor is this one, because those below are open. The direction
            // is the one that no caller uses.
            let flags = descriptor == .input ? O_WRONLY : O_RDONLY
            // SAFETY: a String passed as a C string ends with a zero byte and outlives the call.
            _ = unsafe open("/dev/null", flags)
        }
    }
}

// The methods above hide the system's functions of these names.
private func systemRead(
    _ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
    // SAFETY: the caller passes a buffer with its length.
    unsafe read(descriptor, start, count)
}

private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    // SAFETY: the caller passes a buffer with its length.
    unsafe write(descriptor, start, count)
}
