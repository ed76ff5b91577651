import DaybookBytes

/// Writes compact JSON texts in UTF-8. Commas are written automatically; the caller names members
/// and closes objects and arrays.
package struct JSONText: Sendable {
    private var writer = ByteWriter(capacity: 1_024)
    private var needsComma = false

    package init() {}

    /// The written UTF-8, without a copy.
    package var utf8: Span<UInt8> {
        @_lifetime(borrow self) get { writer.span }
    }

    /// The written text.
    package var text: String { String(decoding: writer.bytes, as: UTF8.self) }

    /// Discards the text and keeps the allocation.
    package mutating func removeAll() {
        writer.removeAll()
        needsComma = false
    }

    /// Writes a line that is not JSON.
    package mutating func plain(_ line: String) {
        append(line)
        newLine()
    }

    /// Ends a line, to separate the texts of JSON lines.
    package mutating func newLine() {
        writer.uint8(0x0A)
        needsComma = false
    }

    package mutating func beginObject() { begin(0x7B) }
    package mutating func endObject() { end(0x7D) }
    package mutating func beginArray() { begin(0x5B) }
    package mutating func endArray() { end(0x5D) }

    /// Writes the name of the next member.
    package mutating func name(_ name: String) {
        separate()
        quote(name)
        writer.uint8(0x3A)
        needsComma = false
    }

    package mutating func null() { raw("null") }
    package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
    /// Writes an integer in full. Readers with doubles only may round it from 2⁵³ on.
    package mutating func integer(_ value: some BinaryInteger) { raw(String(value)) }

    /// Writes the shortest decimal that restores the number. JSON has no NaN and no infinities, so
    /// they are the strings "NaN", "Infinity" and "-Infinity".
    package mutating func double(_ value: Double) {
        value.isFinite ? raw(value.description) : notFinite(value)
    }

    /// Like ``double(_:)``, with the digits that a float needs.
    package mutating func float(_ value: Float) {
        value.isFinite ? raw(value.description) : notFinite(Double(value))
    }

    /// Writes the digits of a number that ``JSONReader/number()`` has read.
    package mutating func number(_ digits: String) { raw(digits) }

    package mutating func string(_ value: String) {
        separate()
        quote(value)
    }

    /// Writes bytes as base64 in a string.
    package mutating func base64(_ bytes: Span<UInt8>) {
        separate()
        writer.uint8(0x22)
        Base64.append(bytes, to: &writer)
        writer.uint8(0x22)
    }

    /// Writes a date as RFC 3339 in UTC with milliseconds. Dates outside the years 0001 … 9999 are
    /// `{"ms":n}`.
    package mutating func date(milliseconds: Int64) {
        if let date = CalendarDate(millisecondsSince1970: milliseconds) {
            string(date.rfc3339)
        } else {
            beginObject()
            name("ms")
            integer(milliseconds)
            endObject()
        }
    }

    /// Writes a date as RFC 3339 in UTC with nanoseconds; 64 bits range from 1677 to 2262.
    package mutating func date(nanoseconds: Int64) {
        let perMillisecond: Int64 = 1_000_000
        var (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: perMillisecond)
        if rest < 0 { (whole, rest) = (whole - 1, rest + perMillisecond) }
        guard let date = CalendarDate(millisecondsSince1970: whole) else { return null() }
        let digits = String(rest)
        let padding = String(repeating: "0", count: 6 - digits.count)
        string(date.rfc3339.dropLast() + padding + digits + "Z")
    }

    private mutating func notFinite(_ value: Double) {
        string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        writer.uint8(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        writer.uint8(bracket)
        needsComma = true
    }

    private mutating func raw(_ text: String) {
        separate()
        append(text)
    }

    private mutating func append(_ text: String) {
        text.withUTF8Span { writer.append($0) }
    }

    private mutating func separate() {
        if needsComma { writer.uint8(0x2C) }
        needsComma = true
    }

    /// Quotes a text; copies parts without escapes as a whole.
    private mutating func quote(_ text: String) {
        text.withUTF8Span { quote(utf8: $0) }
    }

    private mutating func quote(utf8 bytes: Span<UInt8>) {
        writer.uint8(0x22)
        var start = 0
        for index in 0..<bytes.count {
            let byte = bytes[index]
            guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
            writer.append(bytes.extracting(start..<index))
            escape(byte)
            start = index + 1
        }
        writer.append(bytes.extracting(start..<bytes.count))
        writer.uint8(0x22)
    }

    private mutating func escape(_ byte: UInt8) {
        writer.uint8(0x5C)
        switch byte {
        case 0x22, 0x5C: writer.uint8(byte)
        case 0x08: writer.uint8(0x62)
        case 0x09: writer.uint8(0x74)
        case 0x0A: writer.uint8(0x6E)
        case 0x0C: writer.uint8(0x66)
        case 0x0D: writer.uint8(0x72)
        default:
            append(byte < 0x10 ? "u000" : "u00")
            append(String(byte, radix: 16))
        }
    }
}
