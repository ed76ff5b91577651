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
        try row(bytes, layout, layouts, isExact: false, depth: 0)
    }

    /// Writes a row without loss, for dumps. ``JSONReader`` reads it back. Throws like
    /// ``row(_:_:layouts:)``.
    ///
    /// Differs from ``row(_:_:layouts:)``: dates are numbers as stored (milliseconds, nanoseconds),
    /// a NaN with a payload is `{"bits":n}`, an embedded value is `{"layout":n,"row":{…}}`. A
    /// collection whose element type differs from the layout is written as its bytes in base64.
    package mutating func exactRow(
        _ bytes: Span<UInt8>, _ layout: borrowing RowLayout, layouts: LayoutLookUp
    ) throws(DaybookError) {
        try row(bytes, layout, layouts, isExact: true, depth: 0)
    }

    /// Writes a single value. Throws like ``row(_:_:layouts:)``.
    package mutating func value(
        _ bytes: Span<UInt8>, _ type: FieldType, layouts: LayoutLookUp
    ) throws(DaybookError) {
        try value(bytes, ValueShape(type), layouts, isExact: false, depth: 0)
    }

    private mutating func row(
        _ bytes: Span<UInt8>, _ layout: borrowing RowLayout, _ layouts: LayoutLookUp,
        isExact: Bool, depth: Int
    ) throws(DaybookError) {
        try RowDepth.check(depth)
        let view = try RowView(bytes, layout)
        beginObject()
        for (index, field) in layout.layout.fields.enumerated() where !field.type.isRelation {
            name(field.name)
            if view.isNull(index) {
                null()
            } else {
                try value(
                    try view.value(index), field.shape, layouts, isExact: isExact, depth: depth)
            }
        }
        endObject()
    }

    /// Writes a value of a field or of a collection.
    private mutating func value(
        _ bytes: Span<UInt8>, _ shape: ValueShape, _ layouts: LayoutLookUp, isExact: Bool,
        depth: Int
    ) throws(DaybookError) {
        var reader = ByteReader(bytes)
        switch shape.type {
        case .bool: bool(try reader.uint8() != 0)
        case .int8: integer(Int8(bitPattern: try reader.uint8()))
        case .int16: integer(Int16(bitPattern: try reader.uint16()))
        case .int32: integer(Int32(bitPattern: try reader.uint32()))
        case .int64: integer(Int64(bitPattern: try reader.uint64()))
        case .uint8: integer(try reader.uint8())
        case .uint16: integer(try reader.uint16())
        case .uint32: integer(try reader.uint32())
        case .uint64: integer(try reader.uint64())
        case .float:
            let value = Float(bitPattern: try reader.uint32())
            isExact && !value.isExactInJSON ? bits(value.bitPattern) : float(value)
        case .double:
            let value = Double(bitPattern: try reader.uint64())
            isExact && !value.isExactInJSON ? bits(value.bitPattern) : double(value)
        case .date:
            let value = Int64(bitPattern: try reader.uint64())
            isExact ? integer(value) : date(milliseconds: value)
        case .dateNano:
            let value = Int64(bitPattern: try reader.uint64())
            isExact ? integer(value) : date(nanoseconds: value)
        case .string, .decimal, .json: string(try String(checkingUTF8: bytes))
        case .bytes: base64(bytes)
        case .uuid: string(try UUIDText.text(bytes))
        case .list, .set, .map:
            try collection(bytes, shape, layouts, isExact: isExact, depth: depth + 1)
        // Always null in a row.
        case .toOne, .toMany, .objects, .keyedObjects: null()
        case .embedded: try embedded(bytes, layouts, isExact: isExact, depth: depth + 1)
        }
    }

    private mutating func bits(_ pattern: some BinaryInteger) {
        beginObject()
        name("bits")
        integer(pattern)
        endObject()
    }

    private mutating func embedded(
        _ bytes: Span<UInt8>, _ layouts: LayoutLookUp, isExact: Bool, depth: Int
    ) throws(DaybookError) {
        let value = try EmbeddedValue(bytes)
        if isExact {
            beginObject()
            name("layout")
            integer(value.layout)
            name("row")
        }
        try row(
            bytes.extracting(value.row), try layouts(value.layout), layouts, isExact: isExact,
            depth: depth)
        if isExact { endObject() }
    }

    private mutating func collection(
        _ bytes: Span<UInt8>, _ shape: ValueShape, _ layouts: LayoutLookUp, isExact: Bool,
        depth: Int
    ) throws(DaybookError) {
        try RowDepth.check(depth)
        let isMap = shape.type == .map
        var list = try ValueList(bytes, isMap: isMap)
        var element = ValueShape(list.elementType)
        if isExact {
            guard let declared = shape.element, list.elementType == declared.type,
                list.isOptional == declared.isOptional
            else { return base64(bytes) }
            element = declared
        }
        isMap ? beginObject() : beginArray()
        while let found = try list.next(in: bytes) {
            if isMap {
                name(try String(checkingUTF8: bytes.extracting(try list.nextKey(in: bytes))))
            }
            switch found {
            case .null: null()
            case .value(let range):
                try value(
                    bytes.extracting(range), element, layouts, isExact: isExact, depth: depth)
            }
        }
        isMap ? endObject() : endArray()
    }
}

/// The maximum nesting depth of a row that is written or read.
enum RowDepth {
    private static let depthMax = RecordFormat.shapeDepthMax * 4

    /// Only forged bytes are deeper: generated code nests values as deep as their types.
    static func check(_ depth: Int) throws(DaybookError) {
        guard depth <= depthMax else {
            throw DaybookError(.corruption, "A row is damaged: its values are nested too deep.")
        }
    }
}

extension BinaryFloatingPoint {
    /// Whether the JSON of this number restores the same bits.
    fileprivate var isExactInJSON: Bool {
        !isNaN
            || sign == .plus && significandBitPattern == Self.nan.significandBitPattern
    }
}
