/// The headers of a message: names and values in the order of their insertion.
///
/// Names keep their case. Lookups ignore case in ASCII, because servers do not agree on it. A name
/// may occur more than once. All operations cost time proportional to the count of headers.
public struct NATSHeaders: Sendable, Hashable {
    private var fields: [Field] = []

    private struct Field: Sendable, Hashable {
        var name: String
        var value: String
    }

    /// The status code of the first line, such as 503; nil for a usual message.
    public internal(set) var status: Int?
    /// The text after the status code, such as `No Messages`; nil without one.
    public internal(set) var statusText: String?

    /// Creates headers without a field.
    public init() {}

    /// Whether there is no field and no status.
    public var isEmpty: Bool { fields.isEmpty && status == nil }

    /// The count of fields.
    public var count: Int { fields.count }

    /// The fields in order.
    public var all: [(name: String, value: String)] { fields.map { ($0.name, $0.value) } }

    /// Returns the first value of a name; nil if there is none.
    public subscript(_ name: String) -> String? {
        fields.first { Self.isEqual($0.name, name) }?.value
    }

    /// Returns all values of a name in order; empty if there is none.
    public func values(of name: String) -> [String] {
        fields.filter { Self.isEqual($0.name, name) }.map(\.value)
    }

    /// Appends a field after the others of the same name.
    ///
    /// Throws `.invalidHeader` for an empty name, a name with a colon, a space or a control
    /// character, a value with CR, LF or NUL, and a value that begins or ends with a space or a
    /// tab.
    public mutating func append(_ name: String, _ value: String) throws(NATSError) {
        try Self.check(name, value)
        fields.append(Field(name: name, value: value))
    }

    /// Replaces all fields of a name by one at the end. Throws as `append`.
    public mutating func set(_ name: String, _ value: String) throws(NATSError) {
        try Self.check(name, value)
        remove(name)
        fields.append(Field(name: name, value: value))
    }

    /// Removes all fields of a name. It is not an error if there is none.
    public mutating func remove(_ name: String) {
        fields.removeAll { Self.isEqual($0.name, name) }
    }

    /// Removes the last field of a name and returns its value; nil if there is none.
    mutating func removeLast(_ name: String) -> String? {
        guard let index = fields.lastIndex(where: { Self.isEqual($0.name, name) }) else {
            return nil
        }
        return fields.remove(at: index).value
    }

    /// Appends a field that the parser checked.
    mutating func appendParsed(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    private static func check(_ name: String, _ value: String) throws(NATSError) {
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }) else {
            throw NATSError(
                .invalidHeader,
                "The header name \"\(name)\" is not valid. Use printable ASCII without a colon.")
        }
        let isTrimmed = [value.utf8.first, value.utf8.last].allSatisfy { $0 != 0x20 && $0 != 9 }
        guard isTrimmed, value.utf8.allSatisfy({ $0 != 0x0D && $0 != 0x0A && $0 != 0 }) else {
            throw NATSError(
                .invalidHeader,
                "The value of the header \(name) has a line break, a NUL, or a space at an end."
                    + " Encode the value.")
        }
    }

    private static func isEqual(_ one: String, _ two: String) -> Bool {
        one == two || one.utf8.elementsEqual(two.utf8) { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension NATSHeaders: CustomStringConvertible {
    /// The status and the fields, separated by commas.
    public var description: String {
        var parts = fields.map { "\($0.name): \($0.value)" }
        if let status { parts.insert("\(status) \(statusText ?? "")", at: 0) }
        return parts.joined(separator: ", ")
    }
}
