package import DaybookBytes
package import DaybookRecords

extension JSONText {
    /// Writes a value as JSON, in the form that ``row(_:_:layouts:)`` uses for properties. The type
    /// of a computed value may be nil.
    ///
    /// Throws `.corruption` if a stored value is not of its type.
    package mutating func value(
        _ value: QueryValue, of type: FieldType?, layouts: LayoutLookUp
    ) throws(DaybookError) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .integer(let number): integer(number)
        case .number(let number): type == .float ? float(Float(number)) : double(number)
        case .moment(let nanoseconds): moment(nanoseconds, of: type)
        case .text(let text): string(text)
        case .bytes(let bytes): base64(bytes.span)
        case .uuid(let bytes): string(try UUIDText.text(bytes.span))
        case .decimal(let digits): string(digits)
        case .json(let value): try self.value(value.text.span, .json, layouts: layouts)
        case .stored(let bytes):
            guard let type, type != .bytes else { return base64(bytes.span) }
            try self.value(bytes.span, type, layouts: layouts)
        }
    }

    /// Writes a date as a property of a type: RFC 3339, or `{"ms":n}` or `{"ns":n}` for a date
    /// outside its range.
    package mutating func moment(_ nanoseconds: Int128, of type: FieldType?) {
        let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        if type != .dateNano, rest == 0, let milliseconds = Int64(exactly: milliseconds) {
            return date(milliseconds: milliseconds)
        }
        if let nanoseconds = Int64(exactly: nanoseconds) {
            return date(nanoseconds: nanoseconds)
        }
        beginObject()
        name("ns")
        integer(nanoseconds)
        endObject()
    }
}
