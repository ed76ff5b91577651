import DaybookBytes
import DaybookRecords

/// An array of bytes is stored as bytes, every other array as a list.
extension Array: PropertyValue where Element: PropertyValue {
    public static var propertyType: PropertyType {
        if Element.self == UInt8.self { return .bytes }
        return .list(of: Element.propertyType, isOptional: Element.isOptionalProperty)
    }
    public static var mayHoldUnknownValues: Bool { Element.mayHoldUnknownValues }
    public static func read(_ value: borrowing ValueReader) throws -> [Element] {
        if Element.self == UInt8.self, let bytes = value.bytes.array as? [Element] { return bytes }
        return try value.elements()
    }
    public func write(to value: inout ValueWriter) throws {
        if Element.self == UInt8.self, let bytes = self as? [UInt8] {
            return value.bytes.append(bytes.span)
        }
        try value.append(self, count: count)
    }
}

/// Stored in the order of the elements' bytes, so equal sets have equal bytes.
extension Set: PropertyValue where Element: PropertyValue {
    public static var propertyType: PropertyType {
        .set(of: Element.propertyType, isOptional: Element.isOptionalProperty)
    }
    public static var mayHoldUnknownValues: Bool { Element.mayHoldUnknownValues }
    public static func read(_ value: borrowing ValueReader) throws -> Set<Element> {
        Set(try value.elements(Element.self))
    }
    public func write(to value: inout ValueWriter) throws {
        try value.append(sorted: self, count: count)
    }
}

/// Stored in the order of the keys' bytes.
extension Dictionary: PropertyValue where Key == String, Value: PropertyValue {
    public static var propertyType: PropertyType {
        .map(to: Value.propertyType, isOptional: Value.isOptionalProperty)
    }
    public static var mayHoldUnknownValues: Bool { Value.mayHoldUnknownValues }
    public static func read(_ value: borrowing ValueReader) throws -> [String: Value] {
        try value.members()
    }
    public func write(to value: inout ValueWriter) throws {
        let sorted = sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        try value.append(sorted.map(\.value), count: count, keys: sorted.map(\.key))
    }
}

extension ValueReader {
    /// Returns the elements of a list or set; empty if there is no value. Throws `.schemaMismatch`
    /// if it contains values of another type, `.corruption` for damaged bytes.
    func elements<Element: PropertyValue>(
        _ type: Element.Type = Element.self
    ) throws -> [Element] {
        guard !isNull else { return [] }
        var list = try ValueList(bytes, isMap: false)
        try Self.check(list, Element.self)
        var elements: [Element] = []
        elements.reserveCapacity(list.count)
        while let element = try list.next(in: bytes) {
            elements.append(try read(element, as: Element.self))
        }
        return elements
    }

    /// Returns the pairs of a map; empty if there is no value. Throws as ``elements(_:)``.
    func members<Element: PropertyValue>(
        _ type: Element.Type = Element.self
    ) throws -> [String: Element] {
        guard !isNull else { return [:] }
        var map = try ValueList(bytes, isMap: true)
        try Self.check(map, Element.self)
        var members: [String: Element] = [:]
        members.reserveCapacity(map.count)
        while let element = try map.next(in: bytes) {
            let key = try String(checkingUTF8: bytes.extracting(try map.nextKey(in: bytes)))
            members[key] = try read(element, as: Element.self)
        }
        return members
    }

    private func read<Element: PropertyValue>(
        _ element: ValueList.Element, as type: Element.Type
    ) throws -> Element {
        switch element {
        case .null: try Element.read(ValueReader(Span(), isNull: true, types: types))
        case .value(let range):
            try Element.read(ValueReader(bytes.extracting(range), types: types))
        }
    }

    private static func check<Element: PropertyValue>(
        _ list: ValueList, _ type: Element.Type
    ) throws(DaybookError) {
        guard list.count > 0, list.elementType != Element.propertyType.field else { return }
        throw DaybookError(
            .schemaMismatch,
            "A collection has elements of type \(list.elementType.name) and is read as \(type)."
                + " Declare the stored type, or give the new property a new name.",
            details: ["stored": list.elementType.name, "declared": "\(type)"])
    }
}

extension ValueWriter {
    /// Writes a string.
    package mutating func append(text: String) {
        text.withUTF8Span { bytes.append($0) }
    }

    /// Writes elements in their order, with the keys of a map.
    mutating func append<Element: PropertyValue>(
        _ elements: some Sequence<Element>, count: Int, keys: [String] = []
    ) throws {
        var list = ValueListWriter(
            of: Element.propertyType.field, isOptional: Element.isOptionalProperty, count: count,
            keys: keys)
        var element = ValueWriter(types)
        for value in elements {
            element.removeAll()
            try value.write(to: &element)
            list.append(element.bytes.span, isNull: element.isNull)
        }
        bytes.append(list.span)
    }

    /// Writes elements in the order of their bytes, nil first.
    mutating func append<Element: PropertyValue>(
        sorted elements: some Sequence<Element>, count: Int
    ) throws {
        var encoded: [(bytes: [UInt8], isNull: Bool)] = []
        encoded.reserveCapacity(count)
        var element = ValueWriter(types)
        for value in elements {
            element.removeAll()
            try value.write(to: &element)
            encoded.append((element.bytes.bytes, element.isNull))
        }
        encoded.sort { one, other in
            if one.isNull != other.isNull { return one.isNull }
            return one.bytes.lexicographicallyPrecedes(other.bytes)
        }
        var list = ValueListWriter(
            of: Element.propertyType.field, isOptional: Element.isOptionalProperty, count: count)
        for element in encoded { list.append(element.bytes.span, isNull: element.isNull) }
        bytes.append(list.span)
    }
}
