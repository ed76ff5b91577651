package import DaybookBytes

extension JSONText {
    /// A row as an object, its fields in the order of the layout: what a tool needs that has never
    /// seen the program.
    ///
    /// Bytes become base64, dates RFC 3339, a field without a value null. Throws `.corruption` when
    /// the bytes are no row of the layout or a text is ill-formed; the text is then of no use.
    package mutating func row(
        _ bytes: Span<UInt8>, _ layout: borrowing RowLayout
    ) throws(DaybookError) {
        let view = try RowView(bytes, layout)
        beginObject()
        for (index, field) in layout.layout.fields.enumerated() {
            name(field.name)
            try value(view, index, field.type)
        }
        endObject()
    }

    /// One field of a row.
    private mutating func value(
        _ row: borrowing RowView, _ index: Int, _ type: FieldType
    ) throws(DaybookError) {
        guard !row.isNull(index) else { return null() }
        switch type {
        case .bool: bool(row.bool(index))
        case .int8: integer(row.int8(index))
        case .int16: integer(row.int16(index))
        case .int32: integer(row.int32(index))
        case .int64: integer(row.int64(index))
        case .uint8: integer(row.uint8(index))
        case .uint16: integer(row.uint16(index))
        case .uint32: integer(row.uint32(index))
        case .uint64: integer(row.uint64(index))
        case .float: float(row.float(index))
        case .double: double(row.double(index))
        case .date: date(milliseconds: row.date(index))
        case .string: string(try row.text(index))
        case .bytes: base64(try row.bytes(index))
        }
    }
}
