import DaybookBytes
import DaybookRecords

/// A test of a decoded value.
final class ValueTest: RowPredicate {
    private let reader: OperandReader
    private let isMet: (QueryValue) -> Bool

    init(_ reader: OperandReader, _ isMet: @escaping (QueryValue) -> Bool) {
        self.reader = reader
        self.isMet = isMet
    }

    override var cost: Int { 100 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool { isMet(try reader.value(row, id)) }
}

/// A comparison of two decoded values.
final class CompareTest: RowPredicate {
    private let one: OperandReader
    private let comparison: ValueComparison
    private let other: OperandReader

    init(_ one: OperandReader, _ comparison: ValueComparison, _ other: OperandReader) {
        self.one = one
        self.comparison = comparison
        self.other = other
    }

    override var cost: Int { 150 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        comparison.isTrue(of: try one.value(row, id), try other.value(row, id))
    }
}

/// A test of a string with a pattern from the same row.
final class TextPairTest: RowPredicate {
    private let one: OperandReader
    private let test: TextTest
    private let pattern: OperandReader
    private let options: StringOptions

    init(_ one: OperandReader, _ test: TextTest, _ pattern: OperandReader, _ options: StringOptions)
    {
        self.one = one
        self.test = test
        self.pattern = pattern
        self.options = options
    }

    override var cost: Int { 500 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        guard let text = try one.value(row, id).folded(options).asText,
            let pattern = try pattern.value(row, id).asText
        else { return false }
        // Patterns in rows may also be too expensive to match.
        if test == .like { try LikePattern.checkLength(pattern) }
        return TextMatcher(test, pattern, options).isTrue(of: text.utf8.span)
    }
}
