package import DaybookBytes

/// Rows as JSON that gives back the same values, for dumps. What ``row(_:_:layouts:)`` writes is
/// for people and programs that look: there dates are texts.
///
/// Numbers are written in full, dates as they are stored (milliseconds, nanoseconds), bytes as
/// base64, a NaN with bits of its own as `{"bits":n}`, an embedded value as
/// `{"layout":n,"row":{…}}`. A collection whose elements are not of the type that the layout says
/// is its bytes in base64.
extension JSONText {
    /// Writes a row. Throws `.corruption` when the bytes are no row of the layout or a text is
    /// ill-formed, and what `layouts` throws; the text is then of no use.
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

/// How deep a row may be nested that is written or read exactly.
enum ExactRow {
    static let depthMax = RecordFormat.shapeDepthMax * 4

    /// Only forged bytes and forged texts come to more.
    static func check(_ depth: Int) throws(DaybookError) {
        guard depth <= depthMax else {
            throw DaybookError(.corruption, "A row is damaged: its values are nested too deep.")
        }
    }
}

extension BinaryFloatingPoint {
    /// Whether ``JSONText`` has a text for it that gives the same bits again.
    fileprivate var isExactInJSON: Bool {
        !isNaN
            || sign == .plus && significandBitPattern == Self.nan.significandBitPattern
    }
}
