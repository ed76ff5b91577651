import DaybookBytes
import DaybookEngine

/// Lines on their way to standard output: a system call for many of them.
struct LineBuffer {
    private static let fullBytes = 64 << 10

    var text = JSONText()

    var isEmpty: Bool { text.utf8.isEmpty }
    var isFull: Bool { text.utf8.count >= Self.fullBytes }

    mutating func flush() throws(DaybookError) {
        guard !isEmpty else { return }
        try StandardStream.output.write(text.utf8)
        text.removeAll()
    }
}
