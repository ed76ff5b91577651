#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The two streams that a command writes to.
package enum StandardStream: Sendable {
    case output, error

    private var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }

    /// Whether a person is likely to read it as it comes.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// How many columns the terminal has that it goes to; nil where it is none, or does not say.
    package var columnCount: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        // SAFETY: the kernel writes a `winsize` for this request, and `size` is one.
        let answer = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        return answer == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    /// Whether nobody can read any more what is written: the other end of a pipe, or a terminal,
    /// was closed. Costs a system call, and never waits.
    package var isClosed: Bool {
        var request = pollfd(fd: descriptor, events: 0, revents: 0)
        // SAFETY: one request is handed in, and the count says so.
        let answer = unsafe poll(&request, 1, 0)
        return answer > 0 && Int32(request.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
    }

    /// Takes the descriptors of streams that were closed when the process began, so that no file
    /// of a store gets one of them and is written to as a stream. Writing to such a stream still
    /// fails.
    package static func keepFromFiles() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free descriptor is this one, for those below are taken. Of the two
            // directions it is opened for the one that nobody uses.
            let flags = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            // SAFETY: a String handed over as a C text ends with a zero byte, and lives that long.
            _ = unsafe open("/dev/null", flags)
        }
    }

    /// Writes all bytes; a short write is continued, an interrupted one repeated.
    ///
    /// Throws `.outputClosed` where nobody reads any more (needs
    /// ``ProcessSignals/ignoreBrokenPipes()``), else what the operating system says.
    package func write(_ bytes: Span<UInt8>) throws(DaybookError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written..<bytes.count)
            // SAFETY: the kernel reads at most `count` bytes of the span that is handed in.
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
        // SAFETY: the buffer tells its own length.
        let answer = unsafe systemWrite(descriptor, bytes.baseAddress, bytes.count)
        return answer < 0 ? -Int(errno) : answer
    }
}

// The method above hides the system's function of that name.
private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    // SAFETY: the caller hands in a buffer with its length.
    unsafe write(descriptor, start, count)
}

extension DaybookError.Code {
    /// Whoever read the output of a command has closed it.
    package static let outputClosed = DaybookError.Code(rawValue: "outputClosed")
}
