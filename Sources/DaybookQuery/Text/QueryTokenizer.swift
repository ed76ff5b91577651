import DaybookBytes

/// Splits a query into tokens. Each step consumes a character or ends, so it terminates.
struct QueryTokenizer {
    private static let signs = QuerySign.allCases.map { sign in
        (sign: sign, scalars: Array(sign.rawValue.unicodeScalars))
    }

    private let source: QueryTextSource
    private var place = 0

    /// The tokens of a query; the last is the end. An argument replaces each question mark. Throws
    /// `.invalidArgument` for an unexpected character, for a malformed literal, and for another
    /// number of arguments.
    static func tokens(
        of source: QueryTextSource, _ values: [QueryValue]
    ) throws(DaybookError) -> [QueryToken] {
        var tokenizer = QueryTokenizer(source: source)
        var arguments = QueryArguments(values)
        var tokens: [QueryToken] = []
        repeat {
            if let range = tokenizer.takeQuestionMark() {
                tokens += try arguments.tokens(at: range, of: source)
            } else {
                tokens.append(try tokenizer.next())
            }
        } while tokens.last?.kind != .end
        try arguments.requireEnd()
        return tokens
    }

    private mutating func takeQuestionMark() -> Range<Int>? {
        while let scalar = scalar(), scalar.properties.isWhitespace { place += 1 }
        guard scalar() == "?" else { return nil }
        place += 1
        return (place - 1)..<place
    }

    private init(source: QueryTextSource) { self.source = source }

    private func scalar(_ distance: Int = 0) -> Unicode.Scalar? {
        place + distance < source.scalars.count ? source.scalars[place + distance] : nil
    }

    private mutating func next() throws(DaybookError) -> QueryToken {
        while let scalar = scalar(), scalar.properties.isWhitespace { place += 1 }
        let start = place
        guard let first = scalar() else { return QueryToken(kind: .end, range: start..<start) }
        let kind: QueryToken.Kind
        if first.isDigit {
            kind = .number(try number())
        } else if first == "\"" || first == "'" {
            kind = .text(try text())
        } else if first == "x" || first == "X", scalar(1) == "\"" || scalar(1) == "'" {
            place += 1
            kind = .bytes(try bytes(from: start))
        } else if first.beginsName {
            kind = .word(word())
        } else if first == "`" {
            kind = .quotedName(try quotedName())
        } else if first == "@" {
            kind = .moment(try moment())
        } else {
            kind = .sign(try sign())
        }
        return QueryToken(kind: kind, range: start..<place)
    }

    private func problem(_ message: String, from start: Int) -> DaybookError {
        source.problem(message, at: start..<max(place, start + 1))
    }

    private mutating func sign() throws(DaybookError) -> QuerySign {
        let found = Self.signs.first { sign in
            sign.scalars.indices.allSatisfy { scalar($0) == sign.scalars[$0] }
        }
        guard let found else {
            let start = place
            place += 1
            let shown = QueryTextSource.shown(source.scalars[start..<place])
            throw problem(
                "'\(shown)' has no meaning here; put strings in quotation marks, and names that are"
                    + " not plain words in backquotes.", from: start)
        }
        place += found.scalars.count
        return found.sign
    }

    private mutating func word() -> String {
        var word = String.UnicodeScalarView()
        while let scalar = scalar(), scalar.continuesName {
            word.append(scalar)
            place += 1
        }
        return String(word)
    }

    /// Reads up to the closing backquote; two backquotes stand for one.
    private mutating func quotedName() throws(DaybookError) -> String {
        let start = place
        var name = String.UnicodeScalarView()
        place += 1
        while let scalar = scalar(), scalar != "\n" {
            place += 1
            if scalar == "`" {
                guard self.scalar() == "`" else {
                    if name.isEmpty { throw problem("A name is empty; write one.", from: start) }
                    return String(name)
                }
                place += 1
            }
            name.append(scalar)
        }
        throw problem("A name in backquotes does not end; close it with `.", from: start)
    }

    private mutating func digits() -> String {
        var digits = ""
        while let scalar = scalar() {
            // Underscores are allowed between digits only.
            let isDivider = scalar == "_" && !digits.isEmpty && self.scalar(1)?.isDigit == true
            guard scalar.isDigit || isDivider else { break }
            if !isDivider { digits.unicodeScalars.append(scalar) }
            place += 1
        }
        return digits
    }

    private mutating func number() throws(DaybookError) -> String {
        let start = place
        var text = digits()
        if scalar() == ".", scalar(1)?.isDigit == true {
            place += 1
            text += "." + digits()
        }
        if scalar() == "e" || scalar() == "E" {
            let isSigned = scalar(1) == "-" || scalar(1) == "+"
            if scalar(isSigned ? 2 : 1)?.isDigit == true {
                text += scalar(1) == "-" ? "e-" : "e"
                place += isSigned ? 2 : 1
                text += digits()
            }
        }
        if let scalar = scalar(), scalar.continuesName {
            _ = word()
            throw problem(
                "A number ends in letters; put a space after it, or a string in quotation marks.",
                from: start)
        }
        return text
    }

    /// Reads `@2026-01-31` or `@2026-01-31T12:00:00Z`.
    private mutating func moment() throws(DaybookError) -> ClosedRange<Int128> {
        let start = place
        place += 1
        var text = ""
        while let scalar = scalar() {
            let isPoint = scalar == "." && self.scalar(1)?.isDigit == true
            guard scalar.isDigit || isPoint || "-:+TtZz".unicodeScalars.contains(scalar) else {
                break
            }
            text.unicodeScalars.append(scalar)
            place += 1
        }
        guard let moment = MomentReader.read(text) else {
            throw problem(
                "Not a date; write a day like @2026-01-31 or a time like"
                    + " @2026-01-31T12:00:00Z.", from: start)
        }
        return moment
    }
}

// Strings and bytes.
extension QueryTokenizer {
    private mutating func text() throws(DaybookError) -> String {
        let start = place
        let mark = scalar()
        place += 1
        var text = String.UnicodeScalarView()
        while let scalar = scalar(), scalar != "\n" {
            if scalar == "\\" {
                text.append(try escape())
                continue
            }
            place += 1
            if scalar == mark { return String(text) }
            text.append(scalar)
        }
        // The rest of the string does not show where it should have ended, so mark its start.
        place = start
        throw problem(
            "A string does not end on its line; close it with a quotation mark, and write \\n for a"
                + " newline.", from: start)
    }

    /// Reads an escape sequence.
    private mutating func escape() throws(DaybookError) -> Unicode.Scalar {
        let start = place
        let letter = scalar(1)
        place = min(place + 2, source.scalars.count)
        switch letter {
        case "\\", "\"", "'", "`": return letter ?? "\\"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "0": return "\0"
        case "u" where scalar() == "{":
            var digits = ""
            place += 1
            while let scalar = scalar(), scalar.isHexadecimal, digits.utf8.count < 8 {
                digits.unicodeScalars.append(scalar)
                place += 1
            }
            if scalar() == "}", let number = UInt32(digits, radix: 16),
                let scalar = Unicode.Scalar(number)
            {
                place += 1
                return scalar
            }
        default: break
        }
        throw problem(
            "Unknown escape; the escapes are \\\\, \\\", \\', \\n, \\r, \\t, \\0 and \\u{1F600}."
                + " Write \\\\ for a backslash.", from: start)
    }

    /// Reads two hexadecimal digits per byte, optionally with spaces.
    private mutating func bytes(from start: Int) throws(DaybookError) -> [UInt8] {
        let digits = try text().unicodeScalars.filter { $0 != " " }
        var bytes: [UInt8] = []
        guard digits.count.isMultiple(of: 2), digits.allSatisfy(\.isHexadecimal) else {
            throw problem(
                "Bytes are two hexadecimal digits each, like x\"00ff\".", from: start)
        }
        var high: UInt8?
        for digit in digits {
            let value = digit.hexadecimalValue
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }
}

extension Unicode.Scalar {
    /// Only `0` to `9`; digits of other scripts are not accepted.
    var isDigit: Bool { value >= 0x30 && value <= 0x39 }

    var isHexadecimal: Bool {
        isDigit || value >= 0x41 && value <= 0x46 || value >= 0x61 && value <= 0x66
    }

    /// The value of a hexadecimal digit.
    var hexadecimalValue: UInt8 {
        UInt8(truncatingIfNeeded: isDigit ? value - 0x30 : (value | 0x20) - 0x61 + 10)
    }

    /// Whether a name without backquotes may begin with it.
    var beginsName: Bool { self == "_" || properties.isXIDStart }
    var continuesName: Bool { beginsName || properties.isXIDContinue }
}
