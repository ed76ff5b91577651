/// A value as the page shows it. The text is cut off after some thousand characters, so that a page
/// of objects is small whatever a store contains.
struct ShownValue: Codable, Sendable, Equatable {
    /// `null`, `bool`, `integer`, `number`, `decimal`, `text`, `bytes`, `uuid`, `date`, `list` or
    /// `map`; `link` for the target of a relation in a table, as `Entity:id`.
    var kind: String
    /// The value as a field of a CSV file has it: dates in RFC 3339 and UTC, lists and maps as
    /// JSON. Bytes as hexadecimal digits. Empty for null.
    var text: String
    /// The length of the whole value if `text` is cut off: bytes for bytes and strings, elements
    /// for lists and maps.
    var length: Int?
    /// The media type of bytes that are an image the page can show: `image/png`, `image/jpeg`,
    /// `image/gif` or `image/webp`.
    var image: String?
}
