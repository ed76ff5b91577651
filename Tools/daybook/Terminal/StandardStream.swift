import DaybookBytes

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The output streams of a command.
enum StandardStream: Sendable {
    case output, error

    private var descriptor: StandardDescriptor { self == .output ? .output : .error }

    /// Whether the stream is a terminal.
    var isTerminal: Bool { descriptor.isTerminal }

    /// The width of the terminal in columns; nil if the stream is no terminal or has no width.
    var columnCount: Int? {
        guard isTerminal else { return nil }
        let count = descriptor.columnCount
        return count > 0 ? count : nil
    }

    /// Whether the other end of the pipe, or the terminal, was closed. Cost: a system call that
    /// never waits.
    var isClosed: Bool { descriptor.isHungUp }

    /// Writes all bytes. A short write is continued, an interrupted one repeated.
    ///
    /// Throws `.outputClosed` if the other end was closed (requires
    /// ``ProcessSignals/ignoreBrokenPipes()``), else the error of the operating system.
    func write(_ bytes: Span<UInt8>) throws(DaybookError) {
        var written = 0
        while written < bytes.count {
            let answer = descriptor.write(bytes.extracting(written..<bytes.count))
            if answer > 0 { written += answer }
            let number = Int32(-min(answer, 0))
            guard number != 0, number != EINTR else { continue }
            if number == EPIPE {
                throw DaybookError(.outputClosed, "The reader of the output has closed it.")
            }
            throw .operatingSystem(errno: number, operation: "write", path: "the output")
        }
    }
}

extension DaybookError.Code {
    /// The reader of the output has closed it.
    static let outputClosed = DaybookError.Code(rawValue: "outputClosed")
}
