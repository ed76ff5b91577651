public import Daybook

/// Stored as JSON: see ``AnyRealmValueText``.
extension AnyRealmValue: PropertyValue {
    public static var propertyType: PropertyType { .json }
    public static func read(_ value: borrowing ValueReader) throws -> AnyRealmValue {
        guard !value.isNull else { return .none }
        let text = try value.text()
        // A property that the stored version of the object does not have.
        guard !text.isEmpty else { return .none }
        var reader = AnyRealmValueReader(text)
        return try reader.readAll()
    }
    public func write(to value: inout ValueWriter) throws {
        var text = ""
        try AnyRealmValueText.append(self, to: &text, depth: 0)
        value.append(text: text)
    }
}

/// Ordered by kind, and then by value: no value, Boolean values, numbers of all types, strings,
/// bytes, dates, object ids, UUIDs, lists, dictionaries.
///
/// Numbers of different types are compared by the decimal digits that they are written with:
/// `.int(1)` and `.double(1)` are equal in conditions, in orders and in unique indexes.
extension AnyRealmValue: OrderedValue {}
