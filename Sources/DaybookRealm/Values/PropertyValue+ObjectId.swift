public import Daybook

/// Stored as the hexadecimal digits, so that the output of tools shows the same string as Swift.
extension ObjectId: PropertyValue {
    public static var propertyType: PropertyType { .string }
    public static func read(_ value: borrowing ValueReader) throws -> ObjectId {
        let text = try value.text()
        guard !text.isEmpty else { return .zero }
        guard let id = ObjectId(text) else {
            throw DaybookError(
                .invalidValue,
                "'\(text.prefix(50))' is not an ObjectId. Read the property as a String.",
                details: ["value": String(text.prefix(50))])
        }
        return id
    }
    public func write(to value: inout ValueWriter) { value.append(text: description) }
}

/// Conditions compare ids in the order of their bytes.
extension ObjectId: OrderedValue {}
