import DaybookBytes

/// Kept as an array is.
extension List: PropertyValue where Element: PropertyValue {
    public static var propertyType: PropertyType { [Element].propertyType }
    public static var mayHoldUnknownValues: Bool { Element.mayHoldUnknownValues }
    public static func read(_ value: borrowing ValueReader) throws -> List {
        List(try [Element].read(value))
    }
    public func write(to value: inout ValueWriter) throws { try elements.write(to: &value) }
}

/// Kept as a set is.
extension MutableSet: PropertyValue where Element: PropertyValue {
    public static var propertyType: PropertyType { Set<Element>.propertyType }
    public static var mayHoldUnknownValues: Bool { Element.mayHoldUnknownValues }
    public static func read(_ value: borrowing ValueReader) throws -> MutableSet {
        MutableSet(try Set<Element>.read(value))
    }
    public func write(to value: inout ValueWriter) throws { try elements.write(to: &value) }
}

/// Kept as a dictionary is.
extension Map: PropertyValue where Key == String, Value: PropertyValue {
    public static var propertyType: PropertyType { [String: Value].propertyType }
    public static var mayHoldUnknownValues: Bool { Value.mayHoldUnknownValues }
    public static func read(_ value: borrowing ValueReader) throws -> Map {
        Map(try [String: Value].read(value))
    }
    public func write(to value: inout ValueWriter) throws {
        try MapKey.check(members.keys, of: nil)
        try members.write(to: &value)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .map)
        try MapKey.check(members.keys, of: row.name(of: index))
        try row.writeValue(members, at: index)
    }
}
