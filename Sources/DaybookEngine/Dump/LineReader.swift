import DaybookBytes
import DaybookRecords

/// Cuts what comes in pieces into lines; memory: one line and one piece.
struct LineReader {
    private let read: () throws(DaybookError) -> [UInt8]
    private let lengthBytesMax: Int
    private var buffer: [UInt8] = []
    /// Where the next line begins in the buffer, and up to where it was searched for its end.
    private var start = 0
    private var searched = 0
    private var isAtEnd = false
    /// The number of the line that ``next()`` returned last, from 1.
    private(set) var lineNumber = 0

    /// - Parameter read: the next piece; an empty one is the end.
    init(lengthBytesMax: Int, _ read: @escaping () throws(DaybookError) -> [UInt8]) {
        self.read = read
        self.lengthBytesMax = lengthBytesMax
    }

    /// The next line without its end; nil after the last. Throws `.dumpInvalid` for one that is too
    /// long, and what reading throws.
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
    /// Runs what reads the last line, and says of its errors where they are.
    func locate<Result>(
        _ body: () throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        do throws(DaybookError) {
            return try body()
        } catch  where Self.codes.contains(error.code) {
            throw located(error)
        }
    }

    /// What a text is to blame for; all else comes from the machine.
    private static let codes: Set<DaybookError.Code> = [
        .dumpInvalid, .formatTooNew, .corruption, .invalidValue, .schemaMismatch,
    ]

    private func located(_ error: DaybookError) -> DaybookError {
        var details = error.details
        details["line"] = String(lineNumber)
        let column = details["column"].map { ", column \($0)" } ?? ""
        return DaybookError(
            error.code == .formatTooNew ? .formatTooNew : .dumpInvalid,
            "Line \(lineNumber)\(column): \(error.message). Nothing was loaded.",
            cause: error.cause, details: details)
    }
}
