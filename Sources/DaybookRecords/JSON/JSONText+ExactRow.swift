package import DaybookBytes

/// Lossless JSON of rows, for dumps. ``row(_:_:layouts:)`` writes rows for people and other
/// programs instead, for example with dates as texts.
///
/// Numbers are written in full, dates as stored (milliseconds, nanoseconds), bytes as base64, a NaN
/// with a payload as `{"bits":n}`, an embedded value as `{"layout":n,"row":{…}}`. A collection
/// whose element type differs from the layout is written as its bytes in base64.
extension JSONText {
    /// Writes a row. Throws `.corruption` if the bytes do not match the layout or a text is
    /// ill-formed, and errors of `layouts`; the text is then useless.
    package mutating func exactRow(
        _ bytes: Span<UInt8>, _ layout: borrowing RowLayout, layouts: LayoutLookUp
    ) throws(DaybookError) {
        try exactRow(bytes, layout, layouts, depth: 0)
    }

    private mutating func exactRow(
        _ bytes: Span<UInt8>, _ layout: borrowing RowLayout, _ layouts: LayoutLookUp, depth: Int
    ) throws(DaybookError) {
        try ExactRow.check(depth)
        let view = try RowView(bytes, layout)
        beginObject()
        for (index, field) in layout.layout.fields.enumerated() where !field.type.isRelation {
            name(field.name)
            if view.isNull(index) {
                null()
            } else {
                try exactValue(try view.value(index), field.shape, layouts, depth: depth)
            }
        }
        endObject()
    }

    private mutating func exactValue(
        _ bytes: Span<UInt8>, _ shape: ValueShape, _ layouts: LayoutLookUp, depth: Int
    ) throws(DaybookError) {
        var reader = ByteReader(bytes)
        switch shape.type {
        case .date, .dateNano: integer(Int64(bitPattern: try reader.uint64()))
        case .float:
            let value = Float(bitPattern: try reader.uint32())
            value.isExactInJSON ? float(value) : bits(value.bitPattern)
        case .double:
            let value = Double(bitPattern: try reader.uint64())
            value.isExactInJSON ? double(value) : bits(value.bitPattern)
        case .list, .set:
            try exactCollection(bytes, shape, isMap: false, layouts, depth: depth + 1)
        case .map: try exactCollection(bytes, shape, isMap: true, layouts, depth: depth + 1)
        case .embedded:
            let value = try EmbeddedValue(bytes)
            beginObject()
            name("layout")
            integer(value.layout)
            name("row")
            try exactRow(
                bytes.extracting(value.row), try layouts(value.layout), layouts, depth: depth + 1)
            endObject()
        default: try value(bytes, shape.type, layouts: layouts)
        }
    }

    private mutating func bits(_ pattern: some BinaryInteger) {
        beginObject()
        name("bits")
        integer(pattern)
        endObject()
    }

    private mutating func exactCollection(
        _ bytes: Span<UInt8>, _ shape: ValueShape, isMap: Bool, _ layouts: LayoutLookUp, depth: Int
    ) throws(DaybookError) {
        try ExactRow.check(depth)
        var list = try ValueList(bytes, isMap: isMap)
        guard let element = shape.element, list.elementType == element.type,
            list.isOptional == element.isOptional
        else { return base64(bytes) }
        isMap ? beginObject() : beginArray()
        while let found = try list.next(in: bytes) {
            if isMap {
                name(try String(checkingUTF8: bytes.extracting(try list.nextKey(in: bytes))))
            }
            switch found {
            case .null: null()
            case .value(let range):
                try exactValue(bytes.extracting(range), element, layouts, depth: depth)
            }
        }
        isMap ? endObject() : endArray()
    }
}

/// The maximum nesting depth of a row that is written or read.
enum ExactRow {
    static let depthMax = RecordFormat.shapeDepthMax * 4

    /// Only forged input is deeper.
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
