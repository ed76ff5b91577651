package import DaybookBytes
package import DaybookEngine
package import DaybookRecords
package import DaybookQuery

/// Decodes stored bytes as values without types.
package struct RowValueDecoder: Sendable {
    /// Only forged bytes are nested deeper.
    private static let depthMax = 4 * RecordFormat.shapeDepthMax

    let schemas: SchemaTable

    package init(_ schemas: SchemaTable) { self.schemas = schemas }

    /// Decodes a value of a property. Throws `.corruption` for damaged bytes.
    package func value(
        _ bytes: Span<UInt8>, _ shape: ValueShape
    ) throws(DaybookError) -> RowValue {
        try value(bytes, shape, depth: 0)
    }

    /// Converts the result of a query. Throws `.corruption` for damaged bytes.
    package func value(
        _ value: QueryValue, _ type: FieldType?
    ) throws(DaybookError) -> RowValue {
        switch value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .number(let value): return .number(value)
        case .moment(let nanoseconds): return .date(nanoseconds: nanoseconds)
        case .text(let text): return .text(text)
        case .bytes(let bytes): return .bytes(bytes)
        case .uuid(let bytes): return .uuid(bytes)
        case .decimal(let digits): return .decimal(digits)
        case .json(let value): return .text(try String(checkingUTF8: value.text.span))
        case .stored(let bytes):
            guard let type, type != .bytes, !bytes.isEmpty else { return .bytes(bytes) }
            return try self.value(bytes.span, ValueShape(type))
        }
    }

    /// Decodes the properties of a row, in the order of its layout, without relations.
    package func values(
        _ row: Span<UInt8>, _ layout: RowLayout, depth: Int = 0
    ) throws(DaybookError) -> [RowValue] {
        let view = try RowView(row, layout)
        var values: [RowValue] = []
        for (index, field) in layout.layout.fields.enumerated() where !field.type.isRelation {
            values.append(
                view.isNull(index)
                    ? .null : try value(try view.value(index), field.shape, depth: depth))
        }
        return values
    }

    private func value(
        _ bytes: Span<UInt8>, _ shape: ValueShape, depth: Int
    ) throws(DaybookError) -> RowValue {
        var reader = ByteReader(bytes)
        switch shape.type {
        case .bool: return .bool(try reader.uint8() != 0)
        case .int8: return .integer(Int128(Int8(bitPattern: try reader.uint8())))
        case .int16: return .integer(Int128(Int16(bitPattern: try reader.uint16())))
        case .int32: return .integer(Int128(Int32(bitPattern: try reader.uint32())))
        case .int64: return .integer(Int128(Int64(bitPattern: try reader.uint64())))
        case .uint8: return .integer(Int128(try reader.uint8()))
        case .uint16: return .integer(Int128(try reader.uint16()))
        case .uint32: return .integer(Int128(try reader.uint32()))
        case .uint64: return .integer(Int128(try reader.uint64()))
        case .float: return .number(Double(Float(bitPattern: try reader.uint32())))
        case .double: return .number(Double(bitPattern: try reader.uint64()))
        case .date:
            let milliseconds = Int64(bitPattern: try reader.uint64())
            return .date(nanoseconds: Int128(milliseconds) * 1_000_000)
        case .dateNano:
            return .date(nanoseconds: Int128(Int64(bitPattern: try reader.uint64())))
        case .string, .json: return .text(try String(checkingUTF8: bytes))
        case .decimal: return .decimal(try String(checkingUTF8: bytes))
        case .bytes: return .bytes(bytes.array)
        case .uuid: return .uuid(bytes.array)
        case .list, .set, .map: return try collection(bytes, shape, depth: depth + 1)
        case .embedded: return try embedded(bytes, depth: depth + 1)
        case .toOne, .toMany, .objects, .keyedObjects: return .null
        }
    }

    private func collection(
        _ bytes: Span<UInt8>, _ shape: ValueShape, depth: Int
    ) throws(DaybookError) -> RowValue {
        try Self.check(depth)
        let isMap = shape.type == .map
        var list = try ValueList(bytes, isMap: isMap)
        let element = ValueShape(list.elementType)
        var elements: [RowValue] = []
        var members: [String: RowValue] = [:]
        while let found = try list.next(in: bytes) {
            var decoded = RowValue.null
            if case .value(let range) = found {
                decoded = try value(bytes.extracting(range), element, depth: depth)
            }
            if isMap {
                let key = try list.nextKey(in: bytes)
                members[try String(checkingUTF8: bytes.extracting(key))] = decoded
            } else {
                elements.append(decoded)
            }
        }
        return isMap ? .map(members) : .list(elements)
    }

    private func embedded(_ bytes: Span<UInt8>, depth: Int) throws(DaybookError) -> RowValue {
        try Self.check(depth)
        let embedded = try EmbeddedValue(bytes)
        let old = try schemas.rowLayout(embedded.layout)
        guard let newest = schemas.schema.currentLayout(ofEntity: old.layout.entityID) else {
            return .null
        }
        let layout = try schemas.rowLayout(newest.layoutID)
        let row = try RowTranslation(from: old, to: layout).translate(
            bytes.extracting(embedded.row))
        let values = try values(row.span, layout, depth: depth)
        let names = layout.layout.fields.filter { !$0.type.isRelation }.map(\.name)
        return .map(Dictionary(zip(names, values)) { first, _ in first })
    }

    private static func check(_ depth: Int) throws(DaybookError) {
        guard depth <= depthMax else {
            throw DaybookError(
                .corruption,
                "A row is damaged: its values are nested too deep. Run 'daybook verify' on the"
                    + " store.")
        }
    }
}
