package import DaybookBytes

/// Returns the layout of a row inside a row, by its number.
package typealias LayoutLookUp = (UInt32) throws(DaybookError) -> RowLayout

extension JSONText {
    /// Writes a row as an object with its fields in the order of the layout, for tools that do not
    /// know the program.
    ///
    /// Bytes become base64, dates RFC 3339, decimals and JSON strings, and missing values null.
    /// Relations are omitted, because their links are separate records. Throws `.corruption` if the
    /// bytes do not match the layout or a text is ill-formed, and errors of `layouts`; the text is
    /// then useless.
    package mutating func row(
        _ bytes: Span<UInt8>, _ layout: borrowing RowLayout, layouts: LayoutLookUp
    ) throws(DaybookError) {
        try row(bytes, layout, layouts, depth: 0)
    }

    /// Writes a single value. Throws like ``row(_:_:layouts:)``.
    package mutating func value(
        _ bytes: Span<UInt8>, _ type: FieldType, layouts: LayoutLookUp
    ) throws(DaybookError) {
        try value(bytes, type, layouts, depth: 0)
    }

    private mutating func row(
        _ bytes: Span<UInt8>, _ layout: borrowing RowLayout, _ layouts: LayoutLookUp, depth: Int
    ) throws(DaybookError) {
        guard depth <= RecordFormat.shapeDepthMax * 4 else { throw Self.tooDeep }
        let view = try RowView(bytes, layout)
        beginObject()
        for (index, field) in layout.layout.fields.enumerated() where !field.type.isRelation {
            name(field.name)
            if view.isNull(index) {
                null()
            } else {
                try value(try view.value(index), field.type, layouts, depth: depth)
            }
        }
        endObject()
    }

    /// Writes a value of a field or of a collection.
    private mutating func value(
        _ bytes: Span<UInt8>, _ type: FieldType, _ layouts: LayoutLookUp, depth: Int
    ) throws(DaybookError) {
        var reader = ByteReader(bytes)
        switch type {
        case .bool: bool(try reader.uint8() != 0)
        case .int8: integer(Int8(bitPattern: try reader.uint8()))
        case .int16: integer(Int16(bitPattern: try reader.uint16()))
        case .int32: integer(Int32(bitPattern: try reader.uint32()))
        case .int64: integer(Int64(bitPattern: try reader.uint64()))
        case .uint8: integer(try reader.uint8())
        case .uint16: integer(try reader.uint16())
        case .uint32: integer(try reader.uint32())
        case .uint64: integer(try reader.uint64())
        case .float: float(Float(bitPattern: try reader.uint32()))
        case .double: double(Double(bitPattern: try reader.uint64()))
        case .date: date(milliseconds: Int64(bitPattern: try reader.uint64()))
        case .dateNano: date(nanoseconds: Int64(bitPattern: try reader.uint64()))
        case .string, .decimal, .json: string(try String(checkingUTF8: bytes))
        case .bytes: base64(bytes)
        case .uuid: string(try UUIDText.text(bytes))
        case .list, .set: try list(bytes, layouts, depth: depth + 1)
        case .map: try map(bytes, layouts, depth: depth + 1)
        // Always null in a row.
        case .toOne, .toMany, .objects: null()
        case .embedded:
            let value = try EmbeddedValue(bytes)
            try row(
                bytes.extracting(value.row), try layouts(value.layout), layouts, depth: depth + 1)
        }
    }

    private mutating func list(
        _ bytes: Span<UInt8>, _ layouts: LayoutLookUp, depth: Int
    ) throws(DaybookError) {
        guard depth <= RecordFormat.shapeDepthMax * 4 else { throw Self.tooDeep }
        var list = try ValueList(bytes, isMap: false)
        beginArray()
        while let element = try list.next(in: bytes) {
            try self.element(element, of: bytes, list.elementType, layouts, depth: depth)
        }
        endArray()
    }

    private mutating func map(
        _ bytes: Span<UInt8>, _ layouts: LayoutLookUp, depth: Int
    ) throws(DaybookError) {
        guard depth <= RecordFormat.shapeDepthMax * 4 else { throw Self.tooDeep }
        var map = try ValueList(bytes, isMap: true)
        beginObject()
        while let element = try map.next(in: bytes) {
            name(try String(checkingUTF8: bytes.extracting(try map.nextKey(in: bytes))))
            try self.element(element, of: bytes, map.elementType, layouts, depth: depth)
        }
        endObject()
    }

    private mutating func element(
        _ element: ValueList.Element, of bytes: Span<UInt8>, _ type: FieldType,
        _ layouts: LayoutLookUp, depth: Int
    ) throws(DaybookError) {
        switch element {
        case .null: null()
        case .value(let range):
            try value(bytes.extracting(range), type, layouts, depth: depth)
        }
    }

    /// Only forged bytes are this deep: generated code nests values as deep as their types.
    private static var tooDeep: DaybookError {
        DaybookError(.corruption, "A row is damaged: its values are nested too deep.")
    }
}
