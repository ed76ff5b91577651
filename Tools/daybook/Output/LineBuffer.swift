import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Lines on their way to standard output: a system call for many of them.
struct LineBuffer {
    private static let fullBytes = 64 << 10

    var text = JSONText()

    var isEmpty: Bool { text.utf8.isEmpty }
    var isFull: Bool { text.utf8.count >= Self.fullBytes }

    /// Hands over the whole lines, once: where that fails they are not tried again. What stands
    /// behind the last of them broke off in an error, and is forgotten.
    mutating func flush() throws(DaybookError) {
        defer { text.removeAll() }
        try writeWholeLines()
    }

    private func writeWholeLines() throws(DaybookError) {
        let count = wholeLinesByteCount
        guard count > 0 else { return }
        try StandardStream.output.write(text.utf8.extracting(0..<count))
    }

    /// How many bytes reach up to the end of the last whole line.
    var wholeLinesByteCount: Int {
        let bytes = text.utf8
        var count = bytes.count
        while count > 0, bytes[count - 1] != UInt8(ascii: "\n") { count -= 1 }
        return count
    }
}
