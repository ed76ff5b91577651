import DaybookBytes
import DaybookRecords

extension RowValue {
    /// The value as text, as a field of a CSV file has it and `RowBox.value(of:fromText:)` reads
    /// it: dates in RFC 3339 and UTC, bytes in Base64, lists and maps as JSON. Empty for null.
    public var text: String { text(of: nil) }

    /// The first bytes of ``text`` in UTF-8, and whether the text is longer. It is cut between
    /// characters of Unicode. Cost: that of the returned text, even for a long list.
    public func text(bytesMax: Int) -> (text: String, isCut: Bool) {
        let whole = text(of: nil, bytesMax: bytesMax)
        guard whole.utf8.count > bytesMax else { return (whole, false) }
        var end = whole.utf8.index(whole.startIndex, offsetBy: max(0, bytesMax))
        while end.samePosition(in: whole.unicodeScalars) == nil {
            end = whole.utf8.index(before: end)
        }
        return (String(whole[..<end]), true)
    }

    /// The text of a value of a type, or more than `bytesMax` bytes of it.
    func text(of shape: ValueShape?, bytesMax: Int = .max) -> String {
        var value = self
        switch self {
        case .null: return ""
        case .text(let text), .decimal(let text): return text
        // The text is longer than the bytes.
        case .bytes(let bytes) where bytes.count > bytesMax:
            value = .bytes(Array(bytes.prefix(bytesMax + 1)))
        default: break
        }
        var json = JSONText()
        JSONValue.write(value, shape, bytesMax: bytesMax, to: &json)
        let text = json.text
        // The strings of dates, UUIDs, bytes and numbers contain no escaped characters.
        return text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : text
    }
}
