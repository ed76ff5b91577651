import DaybookBytes

/// Kept as its digits, so that it reads as itself wherever the store is printed.
extension ObjectId: PropertyValue {
    public static var propertyType: PropertyType { .string }
    public static func read(_ value: borrowing ValueReader) throws -> ObjectId {
        let text = try value.text()
        guard !text.isEmpty else { return .zero }
        guard let id = ObjectId(text) else {
            throw DaybookError(
                .invalidValue,
                "'\(text.prefix(50))' is no ObjectId. Read the property as a String.",
                details: ["value": String(text.prefix(50))])
        }
        return id
    }
    public func write(to value: inout ValueWriter) { value.append(text: description) }
}
