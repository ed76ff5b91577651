/// The format of a text with rows.
public enum ExchangeFormat: String, Sendable, Hashable, CaseIterable {
    /// Comma-separated values as in RFC 4180, in UTF-8, with the names in the first record.
    ///
    /// Null is an empty field, and an empty string is `""`. Collections, embedded values and
    /// to-many relations are JSON in a field. Bytes are base64, and dates RFC 3339.
    case csv
    /// One JSON object per line.
    case jsonLines = "jsonl"
}
