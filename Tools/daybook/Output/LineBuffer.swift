import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Buffers lines for standard output, to write many lines with one system call.
struct LineBuffer {
    private static let fullBytes = 64 << 10

    var text = JSONText()

    var isEmpty: Bool { text.utf8.isEmpty }
    var isFull: Bool { text.utf8.count >= Self.fullBytes }

    /// Writes the complete lines and empties the buffer. Does not retry them if the write fails.
    /// Discards an incomplete last line, which an error interrupted.
    mutating func flush() throws(DaybookError) {
        defer { text.removeAll() }
        try writeWholeLines()
    }

    private func writeWholeLines() throws(DaybookError) {
        let count = wholeLinesByteCount
        guard count > 0 else { return }
        try StandardStream.output.write(text.utf8.extracting(0..<count))
    }

    /// The number of bytes up to the end of the last complete line.
    var wholeLinesByteCount: Int {
        let bytes = text.utf8
        var count = bytes.count
        while count > 0, bytes[count - 1] != UInt8(ascii: "\n") { count -= 1 }
        return count
    }
}
