#if Macros
/// A token of an annotation in a comment.
struct CommentToken {
    enum Kind: Hashable {
        /// Letters, digits, underscores and, inside, hyphens.
        case word
        /// The text between quotation marks.
        case text
        /// A text without its end.
        case endlessText
        case number
        /// One of `= : , { } [ ]`.
        case mark
        /// A character that no annotation contains.
        case other
    }

    let kind: Kind
    /// The written token; for a text its content.
    let text: String
    /// Its range in the file, in bytes.
    let range: Range<Int>

    func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }

    /// The tokens in `line`, whose first byte is at `start` in the file.
    static func all(in line: some Collection<UInt8>, from start: Int) -> [CommentToken] {
        var scanner = CommentScanner(bytes: Array(line), start: start)
        var tokens: [CommentToken] = []
        while let token = scanner.next() { tokens.append(token) }
        return tokens
    }
}

/// Divides a line into tokens. Each call consumes at least one byte, so it ends for any input.
private struct CommentScanner {
    let bytes: [UInt8]
    let start: Int
    private var place = 0

    init(bytes: [UInt8], start: Int) {
        self.bytes = bytes
        self.start = start
    }

    mutating func next() -> CommentToken? {
        while place < bytes.count, bytes[place].isBlank { place += 1 }
        guard place < bytes.count else { return nil }
        let first = place
        let byte = bytes[place]
        place += 1
        if byte == UInt8(ascii: "\"") { return text(from: first) }
        if byte.isLetter {
            while place < bytes.count, bytes[place].isLetter || bytes[place].isNumeral {
                place += 1
            }
            return token(.word, from: first)
        }
        if byte.isDigit || byte == UInt8(ascii: "-") && place < bytes.count && bytes[place].isDigit
        {
            while place < bytes.count,
                bytes[place].isLetter || bytes[place].isNumeral || isDecimalPoint
            { place += 1 }
            return token(.number, from: first)
        }
        if "=:,{}[]".utf8.contains(byte) { return token(.mark, from: first) }
        // The bytes that continue a character belong to it.
        while place < bytes.count, bytes[place] & 0xC0 == 0x80 { place += 1 }
        return token(.other, from: first)
    }

    /// Whether the next byte is a point between two digits.
    private var isDecimalPoint: Bool {
        bytes[place] == UInt8(ascii: ".") && bytes[place - 1].isDigit
            && place + 1 < bytes.count && bytes[place + 1].isDigit
    }

    private func token(_ kind: CommentToken.Kind, from first: Int) -> CommentToken {
        token(kind, bytes[first..<place], from: first)
    }

    private func token(
        _ kind: CommentToken.Kind, _ text: ArraySlice<UInt8>, from first: Int
    ) -> CommentToken {
        CommentToken(
            kind: kind, text: String(decoding: text, as: UTF8.self),
            range: (start + first)..<(start + place))
    }

    /// A backslash escapes only a quotation mark or a backslash; any other backslash is literal, as
    /// in key paths.
    private mutating func text(from first: Int) -> CommentToken {
        var content: [UInt8] = []
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "\"") { return token(.text, content[...], from: first) }
            if byte == UInt8(ascii: "\\"), place < bytes.count,
                bytes[place] == byte || bytes[place] == UInt8(ascii: "\"")
            {
                content.append(bytes[place])
                place += 1
            } else {
                content.append(byte)
            }
        }
        return token(.endlessText, content[...], from: first)
    }
}

extension UInt8 {
    /// A space, a tab, or a remainder of a line end.
    var isBlank: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
    }

    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// A character that may follow in a word or number.
    fileprivate var isNumeral: Bool { isDigit || self == UInt8(ascii: "-") }

    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
            || self == UInt8(ascii: "_")
    }
}
#endif
