public import Daybook

// The collections are stored like arrays, sets and dictionaries, and support the same conditions.

extension List: PropertyValue where Element: PropertyValue {
    public static var propertyType: PropertyType { [Element].propertyType }
    public static var mayHoldUnknownValues: Bool { Element.mayHoldUnknownValues }
    public static func read(_ value: borrowing ValueReader) throws -> List {
        List(try [Element].read(value))
    }
    public func write(to value: inout ValueWriter) throws { try elements.write(to: &value) }
}

extension MutableSet: PropertyValue where Element: PropertyValue {
    public static var propertyType: PropertyType { Set<Element>.propertyType }
    public static var mayHoldUnknownValues: Bool { Element.mayHoldUnknownValues }
    public static func read(_ value: borrowing ValueReader) throws -> MutableSet {
        MutableSet(try Set<Element>.read(value))
    }
    public func write(to value: inout ValueWriter) throws { try elements.write(to: &value) }
}

extension Map: PropertyValue where Key == String, Value: PropertyValue {
    public static var propertyType: PropertyType { [String: Value].propertyType }
    public static var mayHoldUnknownValues: Bool { Value.mayHoldUnknownValues }
    public static func read(_ value: borrowing ValueReader) throws -> Map {
        Map(try [String: Value].read(value))
    }
    public func write(to value: inout ValueWriter) throws {
        try MapKey.check(own.keys, of: nil)
        try own.write(to: &value)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.writeMap(own, at: index) { try MapKey.check(own.keys, of: $0) }
    }
}

extension List: CollectionValue where Element: PropertyValue {
    /// The type of the elements.
    public typealias Member = Element
}
extension MutableSet: CollectionValue where Element: PropertyValue {
    /// The type of the elements.
    public typealias Member = Element
}
extension Map: CollectionValue, MapValue where Key == String, Value: PropertyValue {
    /// The type of the values.
    public typealias Member = Value
}
