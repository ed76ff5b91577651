package import DaybookBytes

/// The keys of a relation with keys (``FieldType/keyedObjects``), which are the positions of its
/// links.
///
/// The position of a key is its UTF-8 and then a byte 1, so that the empty key and a key that ends
/// with a zero are valid positions: see ``ListPosition``.
package enum LinkKey {
    /// The length of the longest key, in bytes of UTF-8.
    package static let lengthBytesMax = RecordFormat.positionLengthBytesMax - 1

    private static let end: UInt8 = 1

    /// The position of a key; nil if the key is too long.
    package static func position(of key: String) -> [UInt8]? {
        key.utf8.count <= lengthBytesMax ? Array(key.utf8) + [end] : nil
    }

    /// The position of a key. Throws `.invalidValue` for a key that is too long. The message names
    /// the property.
    package static func requirePosition(
        of key: String, in property: String
    ) throws(DaybookError) -> [UInt8] {
        if let position = position(of: key) { return position }
        throw DaybookError(
            .invalidValue,
            "Property '\(property)' has a key of \(key.utf8.count) bytes, '\(key.prefix(50))…'. A"
                + " key of a map of objects has at most \(lengthBytesMax) bytes in UTF-8.",
            details: ["property": property, "key": String(key.prefix(50))])
    }

    /// The key at a position; nil if the position is not that of a key.
    package static func key(of position: [UInt8]) -> String? {
        guard position.last == end, position.count <= RecordFormat.positionLengthBytesMax else {
            return nil
        }
        return String(validating: position.dropLast(), as: UTF8.self)
    }
}
