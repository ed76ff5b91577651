import DaybookBytes
import DaybookRecords

/// A JSON value and its place in the order of JSON values.
package struct OrderedJSON: Sendable, Hashable {
    /// The JSON as UTF-8, as it is stored. Empty if the value was never set.
    package let text: [UInt8]
    /// The bytes that sort like the values: see ``JSONKey``.
    package let key: [UInt8]

    package init(_ text: [UInt8]) {
        self.text = text
        var writer = ByteWriter(capacity: text.count + 16)
        JSONKey.append(text.span, to: &writer)
        key = writer.bytes
    }

    /// The JSON null.
    static let null = OrderedJSON(Array("null".utf8))

    /// The JSON of a constant of another kind; nil if there is none. Nil has none: it is the
    /// missing value of an optional property.
    init?(_ value: QueryValue) {
        var json = JSONText()
        switch value {
        case .bool(let value): json.bool(value)
        case .integer(let number): json.integer(number)
        case .number(let number) where number.isFinite: json.double(number)
        case .decimal(let digits):
            json.beginObject()
            json.name("$decimal128")
            json.string(digits)
            json.endObject()
        case .text(let text): json.string(text)
        default: return nil
        }
        self.init(json.utf8.array)
    }
}
