import DaybookBytes
import DaybookRecords

/// Whether a string contains all words.
final class WordsPredicate: RowPredicate {
    private let reader: OperandReader
    private let place: FieldPlace?
    private let search: WordSearch

    /// - Parameter place: the place of the string, if it is a field of the row itself.
    init(_ reader: OperandReader, _ place: FieldPlace?, _ words: [QueryWord]) {
        self.reader = reader
        self.place = place
        search = WordSearch(words)
    }

    override var cost: Int { 2_000 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        if let place, place.stored == .string {
            return row.isNull(place.field)
                ? false : search.areAll(in: try row.variable(place.place))
        }
        guard let text = try reader.value(row, id).asText else { return false }
        return search.areAll(in: text.utf8.span)
    }
}
