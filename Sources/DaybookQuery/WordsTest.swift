import DaybookBytes
import DaybookIndex

/// Whether a text has all words.
final class WordsTest: RowTest {
    private let reader: RowReader
    private let place: FieldPlace?
    private let words: [(bytes: [UInt8], isPrefix: Bool)]

    /// - Parameter place: where the text stands, if it is a field of the row itself.
    init(_ reader: RowReader, _ place: FieldPlace?, _ words: [QueryWord]) {
        self.reader = reader
        self.place = place
        self.words = words.map { (Array($0.text.utf8), $0.isPrefix) }
    }

    override var cost: Int { 2_000 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        if let place, place.stored == .string {
            return row.isNull(place.field) ? false : hasAll(try row.variable(place.place))
        }
        guard let text = try reader.value(row, id).asText else { return false }
        return hasAll(text.utf8.span)
    }

    private func hasAll(_ text: Span<UInt8>) -> Bool {
        var missing = words
        TextWords.forEach(in: text) { word in
            missing.removeAll { wanted in
                wanted.isPrefix ? word.has(wanted.bytes, at: 0) : word.isEqual(to: wanted.bytes)
            }
            return !missing.isEmpty
        }
        return missing.isEmpty
    }
}
