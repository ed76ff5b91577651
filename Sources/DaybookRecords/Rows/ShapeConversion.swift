package import DaybookBytes

/// A lossless conversion of stored values between shapes, without a program's migration: see
/// ``ValueShape/conversion(to:)``.
package enum ShapeConversion: Sendable, Equatable {
    /// The bytes stay the same.
    case none
    /// A fixed-width number is converted to another type.
    case number(from: FieldType, to: FieldType)
    /// Each element of a list, set or map is converted.
    indirect case elements(of: FieldType, ShapeConversion)
}

extension ValueShape {
    /// The conversion from this shape to `other`; nil if it requires a migration.
    ///
    /// Integers can be widened (unsigned ones also to signed ones), `float` becomes `double`,
    /// `date` becomes `dateNano` (clamped to its range, 1677 to 2262), a to-one relation becomes
    /// to-many, and collections are converted element by element. Optionality does not matter. For
    /// embedded values, this does not check that both entity names mean the same entity.
    package func conversion(to other: ValueShape) -> ShapeConversion? {
        if let element, let wanted = other.element {
            guard type == other.type, let inner = element.conversion(to: wanted) else { return nil }
            return inner == .none ? ShapeConversion.none : .elements(of: type, inner)
        }
        if type == other.type || type.isRelation && other.type.serves(type) {
            return ShapeConversion.none
        }
        return type.widens(to: other.type) ? .number(from: type, to: other.type) : nil
    }
}

extension FieldType {
    /// Whether the other type can represent every value.
    fileprivate func widens(to other: FieldType) -> Bool {
        switch (self, other) {
        case (.float, .double), (.date, .dateNano): true
        default:
            if let bits = integerBits, let wanted = other.integerBits {
                wanted.count > bits.count && (wanted.isSigned || !bits.isSigned)
            } else {
                false
            }
        }
    }

    fileprivate var integerBits: (count: Int, isSigned: Bool)? {
        switch self {
        case .int8: (8, true)
        case .int16: (16, true)
        case .int32: (32, true)
        case .int64: (64, true)
        case .uint8: (8, false)
        case .uint16: (16, false)
        case .uint32: (32, false)
        case .uint64: (64, false)
        default: nil
        }
    }
}

extension ShapeConversion {
    /// Converts a value and appends it. Throws `.corruption` for invalid bytes.
    package func append(_ value: Span<UInt8>, to writer: inout ByteWriter) throws(DaybookError) {
        switch self {
        case .none: writer.append(value)
        case .number(let from, let to): try Self.number(value, from, to, &writer)
        case .elements(let collection, let inner):
            try Self.elements(value, collection, inner, &writer)
        }
    }

    private static func number(
        _ value: Span<UInt8>, _ from: FieldType, _ to: FieldType, _ writer: inout ByteWriter
    ) throws(DaybookError) {
        var reader = ByteReader(value)
        let bits: UInt64
        switch from {
        case .int8: bits = UInt64(bitPattern: Int64(Int8(bitPattern: try reader.uint8())))
        case .int16: bits = UInt64(bitPattern: Int64(Int16(bitPattern: try reader.uint16())))
        case .int32: bits = UInt64(bitPattern: Int64(Int32(bitPattern: try reader.uint32())))
        case .uint8: bits = UInt64(try reader.uint8())
        case .uint16: bits = UInt64(try reader.uint16())
        case .uint32: bits = UInt64(try reader.uint32())
        case .float: bits = Double(Float(bitPattern: try reader.uint32())).bitPattern
        case .date: bits = nanoseconds(Int64(bitPattern: try reader.uint64()))
        default: bits = try reader.uint64()
        }
        switch to.fixedWidthBytes {
        case 2: writer.uint16(UInt16(truncatingIfNeeded: bits))
        case 4: writer.uint32(UInt32(truncatingIfNeeded: bits))
        default: writer.uint64(bits)
        }
    }

    private static func nanoseconds(_ milliseconds: Int64) -> UInt64 {
        let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        guard overflow else { return UInt64(bitPattern: product) }
        return UInt64(bitPattern: milliseconds < 0 ? .min : .max)
    }

    private static func elements(
        _ value: Span<UInt8>, _ collection: FieldType, _ inner: ShapeConversion,
        _ writer: inout ByteWriter
    ) throws(DaybookError) {
        let isMap = collection == .map
        var list = try ValueList(value, isMap: isMap)
        guard list.count > 0 || inner.isOf(list.elementType) else {
            // An empty collection does not contain its element type.
            let empty = ValueListWriter(
                of: inner.result, isOptional: list.isOptional, count: 0)
            return writer.append(empty.span)
        }
        guard inner.isOf(list.elementType) else {
            throw DaybookError(
                .corruption,
                "A collection is damaged: its elements are of the type \(list.elementType.name)."
                    + " Restore the store from a backup.")
        }
        var keys: [String] = []
        if isMap {
            for _ in 0..<list.count {
                keys.append(
                    try String(checkingUTF8: value.extracting(try list.nextKey(in: value))))
            }
        }
        guard collection != .set else { return try set(value, &list, inner, &writer) }
        var result = ValueListWriter(
            of: inner.result, isOptional: list.isOptional, count: list.count, keys: keys)
        // The buffer is reused for each element.
        var converted = ByteWriter(capacity: 16)
        while let element = try list.next(in: value) {
            converted.removeAll()
            var isNull = true
            if case .value(let range) = element {
                isNull = false
                try inner.append(value.extracting(range), to: &converted)
            }
            result.append(converted.span, isNull: isNull)
        }
        writer.append(result.span)
    }

    /// Converts the elements of a set. All elements must be converted before the first is written.
    private static func set(
        _ value: Span<UInt8>, _ list: inout ValueList, _ inner: ShapeConversion,
        _ writer: inout ByteWriter
    ) throws(DaybookError) {
        var elements: [[UInt8]?] = []
        while let element = try list.next(in: value) {
            switch element {
            case .null: elements.append(nil)
            case .value(let range):
                var converted = ByteWriter(capacity: range.count + 16)
                try inner.append(value.extracting(range), to: &converted)
                elements.append(converted.bytes)
            }
        }
        elements = inOrder(elements)
        var result = ValueListWriter(
            of: inner.result, isOptional: list.isOptional, count: elements.count)
        for element in elements {
            let bytes = element ?? []
            result.append(bytes.span, isNull: element == nil)
        }
        writer.append(result.span)
    }

    /// The elements of a set are sorted by their bytes and distinct.
    private static func inOrder(_ elements: [[UInt8]?]) -> [[UInt8]?] {
        let sorted = elements.sorted { first, second in
            guard let first, let second else { return first == nil && second != nil }
            return first.lexicographicallyPrecedes(second)
        }
        var unique: [[UInt8]?] = []
        for element in sorted {
            if let last = unique.last, last == element { continue }
            unique.append(element)
        }
        return unique
    }

    /// Whether it converts values of that type.
    private func isOf(_ type: FieldType) -> Bool {
        switch self {
        case .none: true
        case .number(let from, _): from == type
        case .elements(let collection, _): collection == type
        }
    }

    /// The target type.
    private var result: FieldType {
        switch self {
        case .none: .bytes
        case .number(_, let to): to
        case .elements(let collection, _): collection
        }
    }
}
