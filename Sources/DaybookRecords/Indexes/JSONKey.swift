package import DaybookBytes

/// JSON values as bytes that sort like the values.
///
/// A key begins with the kind of the value, see ``Kind``. Equal values have equal keys: white
/// space, escapes, the order of members and the notation of numbers do not matter. No key is a
/// prefix of another one.
///
/// JSON has no dates, bytes and identifiers. An object with a single member, whose name is that of
/// a ``TypedMember``, is a value of that type.
package enum JSONKey {
    /// The kinds of values, in their order. The kind 0 ends arrays and objects.
    enum Kind: UInt8 {
        case end, null, no, yes, number, string, bytes, date, objectID, uuid, array, object
        /// A text that is not JSON, or that is nested deeper than ``JSONKey/depthMax``.
        case unreadable
    }

    /// The maximum nesting depth of arrays and objects. The stacks of some threads are small.
    package static let depthMax = 128

    /// Appends the key of a JSON text. An empty text is a value that was never set, and has the key
    /// of null.
    package static func append(_ text: Span<UInt8>, to writer: inout ByteWriter) {
        guard text.count > 0 else { return writer.append(.null) }
        let start = writer.count
        do {
            var json = JSONReader(text)
            try append(&json, to: &writer, depth: 0)
            try json.end()
        } catch {
            writer.truncate(to: start)
            writer.append(.unreadable)
            writer.append(escaping: text)
        }
    }

    /// Appends the key of the next value. Throws `.dumpInvalid` if the text is not JSON.
    private static func append(
        _ json: inout JSONReader, to writer: inout ByteWriter, depth: Int
    ) throws(DaybookError) {
        guard depth <= depthMax else { throw json.problem("the value is nested too deeply") }
        if json.null() {
            writer.append(.null)
        } else if json.isAtWord() {
            writer.append(try json.bool() ? .yes : .no)
        } else if json.isAtString() {
            writer.append(.string)
            let text = try json.text()
            writer.append(escaping: text.span)
        } else if json.isAtArray() {
            writer.append(.array)
            try json.beginArray()
            while try json.nextElement() { try append(&json, to: &writer, depth: depth + 1) }
            writer.append(.end)
        } else if json.isAtObject() {
            try appendObject(&json, to: &writer, depth: depth)
        } else {
            writer.append(.number)
            try json.appendNumber(to: &writer)
        }
    }

    private static func appendObject(
        _ json: inout JSONReader, to writer: inout ByteWriter, depth: Int
    ) throws(DaybookError) {
        let start = json
        let count = writer.count
        try json.beginObject()
        if let name = try json.nextName(), let member = TypedMember(rawValue: name),
            try member.append(&json, to: &writer), try json.nextName() == nil
        {
            return try json.endObject()
        }
        json = start
        writer.truncate(to: count)
        writer.append(.object)
        var members: [(name: [UInt8], value: [UInt8])] = []
        try json.beginObject()
        while let name = try json.nextName() {
            var value = ByteWriter(capacity: 32)
            try append(&json, to: &value, depth: depth + 1)
            members.append((Array(name.utf8), value.bytes))
        }
        try json.endObject()
        members.sort { $0.name.lexicographicallyPrecedes($1.name) }
        for member in members {
            // A name begins with the kind of a string, because 0 ends the object.
            writer.append(.string)
            writer.append(escaping: member.name.span)
            writer.append(member.value.span)
        }
        writer.append(.end)
    }
}

/// The names of the members that give JSON values a type: `{"$date":0.5}`.
///
/// A number that JSON cannot represent is a string of hexadecimal digits: the bits of an infinity
/// or of a NaN.
private enum TypedMember: String {
    /// A 32-bit floating-point number.
    case float = "$float"
    /// A 64-bit floating-point number. Finite ones are plain numbers.
    case double = "$double"
    /// A decimal number, as a string: its digits, or `NaN`.
    case decimal = "$decimal128"
    /// A date: seconds since 2001.
    case date = "$date"
    /// Bytes in base64.
    case data = "$data"
    /// The 24 hexadecimal digits of an object id.
    case objectID = "$objectId"
    /// A UUID as text.
    case uuid = "$uuid"

    private var kind: JSONKey.Kind {
        switch self {
        case .float, .double, .decimal: .number
        case .date: .date
        case .data: .bytes
        case .objectID: .objectID
        case .uuid: .uuid
        }
    }

    /// Appends the key of the value. Returns false if the value has another type, and the written
    /// bytes have to be discarded.
    func append(
        _ json: inout JSONReader, to writer: inout ByteWriter
    ) throws(DaybookError) -> Bool {
        writer.append(kind)
        guard json.isAtString() else {
            guard self == .float || self == .date, json.isAtNumber() else { return false }
            try json.appendNumber(to: &writer)
            return true
        }
        let text = try json.text()
        switch self {
        case .float, .double, .date:
            guard let bits = UInt64(String(decoding: text, as: UTF8.self), radix: 16) else {
                return false
            }
            let number =
                self == .float
                ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
                : Double(bitPattern: bits)
            guard !number.isFinite else { return false }
            writer.append(number.isNaN ? .notANumber : number < 0 ? .negativeInfinity : .infinity)
        case .decimal:
            if text.elementsEqual("NaN".utf8) {
                writer.append(.notANumber)
            } else {
                guard let number = DecimalText(text.span) else { return false }
                writer.append(number)
            }
        case .data:
            var bytes = ByteWriter(capacity: text.count)
            guard Base64.decode(text.span, to: &bytes) else { return false }
            writer.append(escaping: bytes.bytes.span)
        case .objectID, .uuid: writer.append(escaping: text.span)
        }
        return true
    }
}

extension JSONReader {
    /// Reads a string as its UTF-8.
    fileprivate mutating func text() throws(DaybookError) -> [UInt8] {
        var writer = ByteWriter(capacity: 32)
        try text(into: &writer)
        return writer.bytes
    }

    /// Reads a number and appends its key.
    fileprivate mutating func appendNumber(to writer: inout ByteWriter) throws(DaybookError) {
        let text = Array(try number().utf8)
        guard let number = DecimalText(text.span) else {
            throw problem("a number is expected here")
        }
        writer.append(number)
    }
}

extension ByteWriter {
    fileprivate mutating func append(_ kind: JSONKey.Kind) { uint8(kind.rawValue) }
}
