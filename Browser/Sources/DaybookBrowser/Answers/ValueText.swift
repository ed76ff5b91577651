import Daybook
import Foundation

/// Builds the text of a value, and stops at a number of bytes.
struct ValueText {
    private(set) var text = ""
    /// Whether the value is longer than ``text``.
    private(set) var isCut = false
    private var bytesLeft: Int

    init(bytesMax: Int) { bytesLeft = bytesMax }

    /// Appends a text, or its first characters.
    mutating func append(_ more: String) {
        guard !isCut else { return }
        let count = more.utf8.count
        guard count > bytesLeft else {
            text += more
            bytesLeft -= count
            return
        }
        isCut = true
        // A cut within a character leaves a part of it, which is no text.
        var end = more.utf8.index(more.startIndex, offsetBy: bytesLeft)
        while end > more.startIndex, end.samePosition(in: more.unicodeScalars) == nil {
            end = more.utf8.index(before: end)
        }
        text += more[..<end]
        bytesLeft = 0
    }

    /// Appends bytes as hexadecimal digits.
    mutating func append(hexadecimal bytes: [UInt8]) {
        let shown = bytes.prefix(bytesLeft / 2)
        for byte in shown { append(String(format: "%02x", byte)) }
        if shown.count < bytes.count { isCut = true }
    }

    /// Appends a value as JSON, in the form that a CSV import reads.
    mutating func appendJSON(_ value: RowValue) {
        guard !isCut else { return }
        switch value {
        case .null: append("null")
        case .bool, .integer: append(value.scalarText)
        case .number(let number):
            number.isFinite ? append(value.scalarText) : appendString(value.scalarText)
        case .text(let text): appendString(text)
        case .bytes(let bytes):
            let shown = Data(bytes.prefix(bytesLeft))
            append("\"\(shown.base64EncodedString())\"")
            if shown.count < bytes.count { isCut = true }
        case .decimal, .uuid, .date: appendString(value.scalarText)
        case .list(let elements):
            append("[")
            for (index, element) in elements.enumerated() {
                if isCut { return }
                if index > 0 { append(",") }
                appendJSON(element)
            }
            append("]")
        case .map(let members):
            append("{")
            for (index, key) in members.keys.sorted().enumerated() {
                if isCut { return }
                if index > 0 { append(",") }
                appendString(key)
                append(":")
                appendJSON(members[key] ?? .null)
            }
            append("}")
        }
    }

    private mutating func appendString(_ string: String) {
        // Only as much as fits is escaped.
        let shown =
            bytesLeft < string.utf8.count
            ? String(string.unicodeScalars.prefix(bytesLeft + 1)) : string
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let quoted = try? encoder.encode(shown) else { return append("\"\"") }
        append(String(decoding: quoted, as: UTF8.self))
    }
}
