import DaybookBytes
import DaybookRecords

/// Splits a text that arrives in pieces into lines. Memory: one line and one piece.
struct LineReader {
    private let read: () throws(DaybookError) -> [UInt8]
    private let lengthBytesMax: Int
    private var buffer: [UInt8] = []
    /// The offset of the next line in the buffer, and the end of the part without a line feed.
    private var start = 0
    private var searched = 0
    private var isAtEnd = false
    /// The number of the line that ``next()`` returned last, from 1.
    private(set) var lineNumber = 0

    /// - Parameter read: returns the next piece; an empty piece at the end.
    init(lengthBytesMax: Int, _ read: @escaping () throws(DaybookError) -> [UInt8]) {
        self.read = read
        self.lengthBytesMax = lengthBytesMax
    }

    /// The next line without its line feed; nil after the last line. Throws `.dumpInvalid` for a
    /// line that is too long, and the errors of reading.
    mutating func next() throws(DaybookError) -> [UInt8]? {
        while true {
            while searched < buffer.count, buffer[searched] != 0x0A { searched += 1 }
            guard searched - start <= lengthBytesMax else {
                lineNumber += 1
                throw located(
                    DaybookError(.dumpInvalid, "the line is longer than \(lengthBytesMax) bytes"))
            }
            if searched < buffer.count { return take(through: searched + 1) }
            if isAtEnd { return start < buffer.count ? take(through: searched) : nil }
            buffer.removeFirst(start)
            searched -= start
            start = 0
            let piece = try read()
            isAtEnd = piece.isEmpty
            buffer += piece
        }
    }

    private mutating func take(through end: Int) -> [UInt8] {
        let line = Array(buffer[start..<searched])
        start = end
        searched = end
        lineNumber += 1
        return line
    }
}

extension LineReader {
    /// Runs `body`, which reads the last line, and adds the line to its errors.
    func locate<Result>(
        _ body: () throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        do throws(DaybookError) {
            return try body()
        } catch  where Self.codes.contains(error.code) {
            throw located(error)
        }
    }

    /// The errors that the text causes. Other errors do not depend on the line.
    private static let codes: Set<DaybookError.Code> = [
        .dumpInvalid, .formatTooNew, .corruption, .invalidValue, .schemaMismatch,
    ]

    private func located(_ error: DaybookError) -> DaybookError {
        var details = error.details
        details["line"] = String(lineNumber)
        let column = details["column"].map { ", column \($0)" } ?? ""
        let isSentence = error.message.hasSuffix(".")
        let message = error.message + (isSentence ? "" : ".")
        return DaybookError(
            error.code == .formatTooNew ? .formatTooNew : .dumpInvalid,
            "Line \(lineNumber)\(column): \(message) Nothing was loaded.",
            cause: error.cause, details: details)
    }
}
