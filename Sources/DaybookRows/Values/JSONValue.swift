package import DaybookBytes
package import DaybookRecords
import DaybookQuery

/// Reads and writes JSON of any structure as values.
package enum JSONValue {
    /// The maximum nesting depth of objects and arrays.
    static let depthMax = 64

    /// Reads the next value. A number with a fraction or an exponent, or one that exceeds 128 bits,
    /// is ``RowValue/decimal(_:)`` with its digits. Throws `.dumpInvalid` with the column.
    package static func read(
        _ json: inout JSONReader, depth: Int = 0
    ) throws(DaybookError) -> RowValue {
        guard depth <= depthMax else {
            throw json.problem("the JSON is nested deeper than \(depthMax) levels")
        }
        if json.null() { return .null }
        if json.isAtString() { return .text(try json.string()) }
        if json.isAtWord() { return .bool(try json.bool()) }
        if json.isAtArray() {
            var elements: [RowValue] = []
            try json.beginArray()
            while try json.nextElement() {
                elements.append(try read(&json, depth: depth + 1))
            }
            return .list(elements)
        }
        if json.isAtObject() {
            var members: [String: RowValue] = [:]
            try json.beginObject()
            while let name = try json.nextName() {
                let value = try read(&json, depth: depth + 1)
                guard members.updateValue(value, forKey: name) == nil else {
                    throw json.problem("the object has two members of the name \"\(name)\"")
                }
            }
            try json.endObject()
            return .map(members)
        }
        let digits = try json.number()
        if let number = Int128(digits) { return .integer(number) }
        guard digits.withUTF8Span({ DecimalText($0) }) != nil else {
            throw json.problem("'\(digits.prefix(50))' is not a number")
        }
        return .decimal(digits)
    }

    /// Reads a whole text. Throws `.dumpInvalid` with the column.
    package static func read(_ text: String) throws(DaybookError) -> RowValue {
        try text.withUTF8Span { (utf8) throws(DaybookError) in try read(utf8) }
    }

    /// Reads a whole text in UTF-8. Throws `.dumpInvalid` with the column.
    package static func read(_ utf8: Span<UInt8>) throws(DaybookError) -> RowValue {
        var json = JSONReader(utf8)
        let value = try read(&json)
        try json.end()
        return value
    }

    /// Throws `.invalidValue` if a text is not JSON.
    static func check(_ text: String, of name: String) throws(DaybookError) {
        do throws(DaybookError) {
            _ = try read(text)
        } catch {
            throw DaybookError(
                .invalidValue,
                "'\(name)' stores JSON, and '\(text.prefix(50))' is not JSON: \(error.message).",
                details: ["property": name])
        }
    }

    /// Writes a value. `shape` is its type, if it is known. Dates, bytes and numbers are written as
    /// `daybook query` writes them; the members of maps are sorted by their bytes. Leaves out the
    /// rest of a list or map once the text has more than `bytesMax` bytes.
    package static func write(
        _ value: RowValue, _ shape: ValueShape?, bytesMax: Int = .max, to text: inout JSONText
    ) {
        switch value {
        case .null: text.null()
        case .bool(let value): text.bool(value)
        case .integer(let number): text.integer(number)
        case .number(let number):
            shape?.type == .float ? text.float(Float(number)) : text.double(number)
        case .decimal(let digits): text.string(digits)
        case .text(let string): text.string(string)
        case .bytes(let bytes): text.base64(bytes.span)
        case .uuid(let bytes): text.string((try? UUIDText.text(bytes.span)) ?? "")
        case .date(let nanoseconds): text.moment(nanoseconds, of: shape?.type)
        case .list(let elements):
            writeList(elements, bytesMax, to: &text) {
                write($0, shape?.element, bytesMax: bytesMax, to: &$1)
            }
        case .map(let members):
            writeMap(members, bytesMax, to: &text) {
                write($0, shape?.element, bytesMax: bytesMax, to: &$1)
            }
        }
    }

    /// The text of a value that ``read(_:)-(String)`` returned. A decimal is a number in it.
    package static func text(ofRead value: RowValue) -> String {
        var text = JSONText()
        writeRead(value, to: &text)
        return text.text
    }

    private static func writeRead(_ value: RowValue, to text: inout JSONText) {
        switch value {
        case .decimal(let digits): text.number(digits)
        case .list(let elements): writeList(elements, .max, to: &text) { writeRead($0, to: &$1) }
        case .map(let members): writeMap(members, .max, to: &text) { writeRead($0, to: &$1) }
        default: write(value, nil, to: &text)
        }
    }

    private static func writeList(
        _ elements: [RowValue], _ bytesMax: Int, to text: inout JSONText,
        _ write: (RowValue, inout JSONText) -> Void
    ) {
        text.beginArray()
        for element in elements where text.utf8.count <= bytesMax { write(element, &text) }
        text.endArray()
    }

    private static func writeMap(
        _ members: [String: RowValue], _ bytesMax: Int, to text: inout JSONText,
        _ write: (RowValue, inout JSONText) -> Void
    ) {
        text.beginObject()
        for (name, value) in members.sorted(by: {
            $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
        }) where text.utf8.count <= bytesMax {
            text.name(name)
            write(value, &text)
        }
        text.endObject()
    }
}
