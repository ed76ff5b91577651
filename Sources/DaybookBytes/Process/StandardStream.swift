#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The standard output and standard error of a command.
package enum StandardStream: Sendable {
    case output, error

    private var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }

    /// Whether the stream is a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The width of the terminal in columns; nil if the stream is no terminal or the width is
    /// unknown.
    package var columnCount: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        // SAFETY: the kernel writes a `winsize` for this request, and `size` is one.
        let answer = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        return answer == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    /// Whether the other end of the pipe, or the terminal, was closed. Costs a system call and
    /// never waits.
    package var isClosed: Bool {
        var request = pollfd(fd: descriptor, events: 0, revents: 0)
        // SAFETY: one request is passed, with a count of 1.
        let answer = unsafe poll(&request, 1, 0)
        return answer > 0 && Int32(request.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
    }

    /// Occupies the descriptors of streams that were closed when the process started, so that no
    /// file of a store gets one of them and receives the output of a stream. Writing to such a
    /// stream still fails.
    package static func keepFromFiles() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 {
            // This descriptor is the lowest free one, because all lower ones are taken. It is
            // opened for the unused direction, so that reads and writes fail.
            let flags = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            // SAFETY: a String passed as a C string is zero-terminated and valid for the call.
            _ = unsafe open("/dev/null", flags)
        }
    }

    /// Writes all bytes. Short writes are continued and interrupted ones repeated.
    ///
    /// Throws `.outputClosed` if the reader closed the stream (needs
    /// ``ProcessSignals/ignoreBrokenPipes()``), else the error of the operating system.
    package func write(_ bytes: Span<UInt8>) throws(DaybookError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written..<bytes.count)
            // SAFETY: the kernel reads at most `count` bytes of the span.
            let answer = unsafe rest.withUnsafeBytes { unsafe writeOnce($0) }
            if answer > 0 { written += answer }
            let number = Int32(-min(answer, 0))
            guard number != 0, number != EINTR else { continue }
            if number == EPIPE {
                throw DaybookError(.outputClosed, "Nobody reads the output any more.")
            }
            throw .operatingSystem(errno: number, operation: "write", path: "the output")
        }
    }

    private func writeOnce(_ bytes: UnsafeRawBufferPointer) -> Int {
        // SAFETY: the buffer is passed with its length.
        let answer = unsafe systemWrite(descriptor, bytes.baseAddress, bytes.count)
        return answer < 0 ? -Int(errno) : answer
    }
}

// Gives access to the C function, which the method above shadows.
private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    // SAFETY: the caller passes a buffer with its length.
    unsafe write(descriptor, start, count)
}

extension DaybookError.Code {
    /// The reader of a command's output closed it.
    package static let outputClosed = DaybookError.Code(rawValue: "outputClosed")
}
