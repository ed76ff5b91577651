package import DaybookBytes

/// Reads one JSON text from front to back. The caller knows the expected structure, so no tree is
/// built and no extra memory is used.
///
/// Members are read in the order in which ``JSONText`` writes them. Anything else is
/// `.dumpInvalid`, with the column of the text in `details`. No input traps.
package struct JSONReader: ~Escapable {
    private let bytes: Span<UInt8>
    private var offset = 0
    private var needsComma = false

    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// An error at the current position.
    package func problem(_ what: String) -> DaybookError {
        DaybookError(.dumpInvalid, what, details: ["column": String(offset + 1)])
    }

    package mutating func beginObject() throws(DaybookError) {
        try take(0x7B, "an object is expected here")
        needsComma = false
    }

    package mutating func endObject() throws(DaybookError) {
        try take(0x7D, "the object is expected to end here")
        needsComma = true
    }

    package mutating func beginArray() throws(DaybookError) {
        try take(0x5B, "an array is expected here")
        needsComma = false
    }

    /// Whether another element follows; otherwise, skips the end of the array.
    package mutating func nextElement() throws(DaybookError) -> Bool {
        skipSpace()
        if peek == 0x5D {
            offset += 1
            needsComma = true
            return false
        }
        try separate()
        return true
    }

    /// Skips the name of a required member.
    package mutating func member(_ name: String) throws(DaybookError) {
        guard try hasMember(name) else {
            skipSpace()
            if needsComma, peek == 0x2C { offset += 1 }
            throw problem("the member \"\(name)\" is expected here")
        }
    }

    /// Whether the next member has this name.
    package mutating func isAt(_ name: String) throws(DaybookError) -> Bool {
        let (start, comma) = (offset, needsComma)
        defer { (offset, needsComma) = (start, comma) }
        return try hasMember(name)
    }

    /// Skips the name of the next member if it matches.
    package mutating func hasMember(_ name: String) throws(DaybookError) -> Bool {
        let (start, comma) = (offset, needsComma)
        if let found = try nextName(), found.utf8.elementsEqual(name.utf8) { return true }
        (offset, needsComma) = (start, comma)
        return false
    }

    /// Reads the name of the next member; nil at the end of the object.
    package mutating func nextName() throws(DaybookError) -> String? {
        skipSpace()
        if peek == 0x7D { return nil }
        try separate()
        let name = try string()
        try take(0x3A, "':' is expected here")
        needsComma = false
        return name
    }

    /// Skips a null; false without effect for any other value.
    package mutating func null() -> Bool {
        skipSpace()
        return word("null")
    }

    package mutating func bool() throws(DaybookError) -> Bool {
        skipSpace()
        if word("true") { return true }
        if word("false") { return false }
        throw problem("true or false is expected here")
    }

    /// Reads an integer that fits the type, without a fraction or an exponent.
    package mutating func integer<Number: FixedWidthInteger>(
        _ type: Number.Type = Number.self
    ) throws(DaybookError) -> Number {
        let start = offset
        let text = try number()
        guard let value = Number(text) else {
            offset = start
            throw problem("a whole number of \(Number.bitWidth) bits is expected here")
        }
        return value
    }

    /// Reads a number with all its digits.
    package mutating func number() throws(DaybookError) -> String {
        skipSpace()
        let start = offset
        while let byte = peek, Self.isPartOfNumber(byte) { offset += 1 }
        let text = String(decoding: bytes.extracting(start..<offset).array, as: UTF8.self)
        // Swift's parsers accept more, such as a plus sign.
        guard let first = text.utf8.first, first == 0x2D || Self.isDigit(first) else {
            offset = start
            throw problem("a number is expected here")
        }
        needsComma = true
        return text
    }

    /// Whether a string is next.
    package mutating func isAtString() -> Bool {
        skipSpace()
        return peek == 0x22
    }

    /// Whether a number is next.
    package mutating func isAtNumber() -> Bool {
        skipSpace()
        return peek.map { $0 == 0x2D || Self.isDigit($0) } ?? false
    }

    /// Whether an array is next.
    package mutating func isAtArray() -> Bool {
        skipSpace()
        return peek == 0x5B
    }

    /// Whether a word that begins as `true` or `false` is next.
    package mutating func isAtWord() -> Bool {
        skipSpace()
        return peek == 0x74 || peek == 0x66
    }

    /// Whether an object is next.
    package mutating func isAtObject() -> Bool {
        skipSpace()
        return peek == 0x7B
    }

    package mutating func string() throws(DaybookError) -> String {
        var writer = ByteWriter(capacity: 32)
        try text(into: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Appends the well-formed UTF-8 of a string.
    package mutating func text(into writer: inout ByteWriter) throws(DaybookError) {
        try take(0x22, "a text is expected here")
        let begin = writer.count
        var start = offset
        while true {
            guard let byte = peek else { throw problem("the text does not end") }
            guard byte >= 0x20 else { throw problem("a string contains a control character") }
            guard byte == 0x22 || byte == 0x5C else {
                offset += 1
                continue
            }
            writer.append(bytes.extracting(start..<offset))
            offset += 1
            if byte == 0x22 { break }
            try escape(into: &writer)
            start = offset
        }
        let written = writer.span.extracting(begin..<writer.count)
        guard written.isWellFormedUTF8 else {
            throw problem("the string is not well-formed UTF-8")
        }
        needsComma = true
    }

    /// Checks that only white space follows.
    package mutating func end() throws(DaybookError) {
        skipSpace()
        guard offset == bytes.count else { throw problem("text follows the object") }
    }
}

extension JSONReader {
    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            offset += 1
        }
    }

    private mutating func separate() throws(DaybookError) {
        if needsComma { try take(0x2C, "',' is expected here") }
        needsComma = false
    }

    private mutating func take(_ byte: UInt8, _ problem: String) throws(DaybookError) {
        skipSpace()
        guard peek == byte else { throw self.problem(problem) }
        offset += 1
    }

    private mutating func word(_ word: StaticString) -> Bool {
        let text = word.description.utf8
        guard bytes.count - offset >= text.count else { return false }
        for (index, byte) in text.enumerated() where bytes[offset + index] != byte { return false }
        offset += text.count
        needsComma = true
        return true
    }

    private mutating func escape(into writer: inout ByteWriter) throws(DaybookError) {
        guard let byte = peek else { throw problem("the text does not end") }
        offset += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: writer.uint8(byte)
        case 0x62: writer.uint8(0x08)
        case 0x66: writer.uint8(0x0C)
        case 0x6E: writer.uint8(0x0A)
        case 0x72: writer.uint8(0x0D)
        case 0x74: writer.uint8(0x09)
        case 0x75: try unicode(into: &writer)
        default:
            offset -= 1
            throw problem("the character after a '\\' is not an escape")
        }
    }

    /// A character above U+FFFF is written as two escapes.
    private mutating func unicode(into writer: inout ByteWriter) throws(DaybookError) {
        var value = try hexadecimal()
        if value & 0xFC00 == 0xD800 {
            guard peek == 0x5C else { throw problem("a string contains half of a surrogate pair") }
            offset += 1
            guard peek == 0x75 else { throw problem("a string contains half of a surrogate pair") }
            offset += 1
            let low = try hexadecimal()
            guard low & 0xFC00 == 0xDC00 else {
                throw problem("a string contains half of a surrogate pair")
            }
            value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw problem("a string contains half of a surrogate pair")
        }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { writer.uint8(byte) }
    }

    private mutating func hexadecimal() throws(DaybookError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek.flatMap(HexadecimalDigit.value) else {
                throw problem("four hexadecimal digits are expected here")
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Digits, signs, the point and the exponent.
    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        isDigit(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }
}

/// A hexadecimal digit, upper-case or lower-case.
enum HexadecimalDigit {
    static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}

extension DaybookError.Code {
    /// The text is not a dump, or the dump is damaged.
    package static let dumpInvalid = DaybookError.Code(rawValue: "dumpInvalid")
}
