public import Daybook

/// Stored as JSON: see ``AnyRealmValueText``.
extension AnyRealmValue: PropertyValue {
    public static var propertyType: PropertyType { .json }
    public static func read(_ value: borrowing ValueReader) throws -> AnyRealmValue {
        guard !value.isNull else { return .none }
        var reader = AnyRealmValueReader(try value.text())
        return try reader.readAll()
    }
    public func write(to value: inout ValueWriter) throws {
        var text = ""
        try AnyRealmValueText.append(self, to: &text, depth: 0)
        value.append(text: text)
    }
}
