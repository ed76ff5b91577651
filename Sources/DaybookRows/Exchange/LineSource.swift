import DaybookBytes

/// Splits a text into lines. Memory: one line, at most `lengthBytesMax`.
struct LineSource {
    /// A line without its line feed.
    struct Line {
        let number: Int
        var bytes: [UInt8] = []
        /// Whether the line is longer than the maximum; its bytes are incomplete then.
        var isTooLong = false

        /// Whether there is nothing but white space.
        var isBlank: Bool {
            !isTooLong && bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        }
    }

    private(set) var source: ByteSource
    private let lengthBytesMax: Int
    private var lineCount = 0

    init(_ source: ByteSource, lengthBytesMax: Int) {
        self.source = source
        self.lengthBytesMax = lengthBytesMax
    }

    /// The next line; nil at the end of the text. Throws the errors of reading.
    mutating func next() throws(DaybookError) -> Line? {
        guard try source.peek() != nil else { return nil }
        lineCount += 1
        var line = Line(number: lineCount)
        while let byte = try source.next(), byte != 0x0A {
            if line.bytes.count < lengthBytesMax {
                line.bytes.append(byte)
            } else {
                line.isTooLong = true
            }
        }
        return line
    }
}
