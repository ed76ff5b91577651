package import DaybookBytes

/// Reads the output of ``JSONText/exactRow(_:_:layouts:)``.
extension JSONReader {
    /// Reads a row of a layout into the encoder. Throws `.dumpInvalid` unless it contains all
    /// properties in the order of the layout, each with a valid value.
    package mutating func exactRow(
        _ layout: borrowing RowLayout, into encoder: inout RowEncoder, layouts: LayoutLookUp
    ) throws(DaybookError) {
        try exactRow(layout, into: &encoder, layouts, depth: 0)
    }

    private mutating func exactRow(
        _ layout: borrowing RowLayout, into encoder: inout RowEncoder, _ layouts: LayoutLookUp,
        depth: Int
    ) throws(DaybookError) {
        try RowDepth.check(depth)
        encoder.begin(layout)
        var value = ByteWriter(capacity: 64)
        try beginObject()
        for (index, field) in layout.layout.fields.enumerated() where !field.type.isRelation {
            try member(field.name)
            if null() {
                guard field.isOptional else {
                    throw problem("\"\(field.name)\" cannot be null")
                }
                try encoder.setNull(index)
                continue
            }
            value.removeAll()
            try exactValue(field.shape, into: &value, layouts, depth: depth)
            try encoder.set(value: value.span, at: index)
        }
        try endObject()
        encoder.finish()
    }

    private mutating func exactValue(
        _ shape: ValueShape, into writer: inout ByteWriter, _ layouts: LayoutLookUp, depth: Int
    ) throws(DaybookError) {
        switch shape.type {
        case .bool: writer.uint8(try bool() ? 1 : 0)
        case .int8: writer.uint8(UInt8(bitPattern: try integer()))
        case .int16: writer.uint16(UInt16(bitPattern: try integer()))
        case .int32: writer.uint32(UInt32(bitPattern: try integer()))
        case .int64, .date, .dateNano: writer.uint64(UInt64(bitPattern: try integer()))
        case .uint8: writer.uint8(try integer())
        case .uint16: writer.uint16(try integer())
        case .uint32: writer.uint32(try integer())
        case .uint64: writer.uint64(try integer())
        case .float: writer.uint32(try float())
        case .double: writer.uint64(try double())
        case .string, .decimal, .json: try text(into: &writer)
        case .bytes: try base64(into: &writer)
        case .uuid:
            var text = ByteWriter(capacity: 40)
            try self.text(into: &text)
            guard UUIDText.decode(text.span, to: &writer) else {
                throw problem("a UUID is expected before this")
            }
        case .list, .set, .map:
            try collection(shape, into: &writer, layouts, depth: depth + 1)
        case .embedded: try embedded(into: &writer, layouts, depth: depth + 1)
        case .toOne, .toMany, .objects, .keyedObjects: throw problem("a relation has no value here")
        }
    }

    /// Appends the bytes of a base64 text.
    package mutating func base64(into writer: inout ByteWriter) throws(DaybookError) {
        var text = ByteWriter(capacity: 256)
        try self.text(into: &text)
        guard Base64.decode(text.span, to: &writer) else {
            throw problem("base64 is expected before this")
        }
    }

    private mutating func embedded(
        into writer: inout ByteWriter, _ layouts: LayoutLookUp, depth: Int
    ) throws(DaybookError) {
        try RowDepth.check(depth)
        try beginObject()
        try member("layout")
        let number: UInt32 = try integer()
        let layout = try layouts(number)
        guard layout.layout.kind == .embedded else {
            throw problem("layout \(number) is not one of embedded values")
        }
        try member("row")
        var encoder = RowEncoder(layout)
        try exactRow(layout, into: &encoder, layouts, depth: depth)
        try endObject()
        EmbeddedValue.write(encoder.row, layout: number, to: &writer)
    }

    private mutating func collection(
        _ shape: ValueShape, into writer: inout ByteWriter, _ layouts: LayoutLookUp, depth: Int
    ) throws(DaybookError) {
        try RowDepth.check(depth)
        let start = writer.count
        if isAtString() {
            try base64(into: &writer)
            // The bytes must be a valid collection: every collection that can be written can be
            // read.
            var check = JSONText()
            try check.value(
                writer.span.extracting(start..<writer.count), shape.type, layouts: layouts)
            return
        }
        let element = shape.element ?? ValueShape(.bytes)
        let isMap = shape.type == .map
        var elements = CollectionElements()
        isMap ? try beginObject() : try beginArray()
        while isMap ? try nextKey(into: &elements) : try nextElement() {
            if null() {
                guard element.isOptional else { throw problem("an element cannot be null") }
                elements.ranges.append(nil)
                continue
            }
            let begin = elements.bytes.count
            try exactValue(element, into: &elements.bytes, layouts, depth: depth)
            elements.ranges.append(begin..<elements.bytes.count)
        }
        if isMap { try endObject() }
        elements.write(of: element, to: &writer)
    }

    /// The keys of a map are sorted by their bytes.
    private mutating func nextKey(
        into elements: inout CollectionElements
    ) throws(DaybookError) -> Bool {
        guard let key = try nextName() else { return false }
        if let last = elements.keys.last, !last.utf8.lexicographicallyPrecedes(key.utf8) {
            throw problem("the key \"\(key)\" is not in the order of the keys' bytes")
        }
        elements.keys.append(key)
        return true
    }

    private mutating func double() throws(DaybookError) -> UInt64 {
        if isAtString() { return try notFinite().bitPattern }
        if isAtObject() { return try bits() }
        let text = try number()
        guard let value = Double(text), value.isFinite else {
            throw problem("the number before this is not a double")
        }
        return value.bitPattern
    }

    private mutating func float() throws(DaybookError) -> UInt32 {
        if isAtString() { return Float(try notFinite()).bitPattern }
        if isAtObject() { return try bits() }
        let text = try number()
        guard let value = Float(text), value.isFinite else {
            throw problem("the number before this is not a float")
        }
        return value.bitPattern
    }

    private mutating func notFinite() throws(DaybookError) -> Double {
        switch try string() {
        case "NaN": return .nan
        case "Infinity": return .infinity
        case "-Infinity": return -.infinity
        default: throw problem("a number is expected before this")
        }
    }

    private mutating func bits<Pattern: FixedWidthInteger>() throws(DaybookError) -> Pattern {
        try beginObject()
        try member("bits")
        let pattern: Pattern = try integer()
        try endObject()
        return pattern
    }
}

/// The elements of a collection, collected before their number is known.
private struct CollectionElements {
    var bytes = ByteWriter(capacity: 64)
    /// The range of each element; nil for null.
    var ranges: [Range<Int>?] = []
    var keys: [String] = []

    func write(of shape: ValueShape, to writer: inout ByteWriter) {
        var list = ValueListWriter(
            of: shape.type, isOptional: shape.isOptional, count: ranges.count, keys: keys)
        for range in ranges {
            if let range {
                list.append(bytes.span.extracting(range))
            } else {
                list.append(bytes.span.extracting(0..<0), isNull: true)
            }
        }
        writer.append(list.span)
    }
}
