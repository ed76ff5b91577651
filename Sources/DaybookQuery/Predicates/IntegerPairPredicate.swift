import DaybookBytes
import DaybookRecords

/// A comparison of two integers, or of two dates of the same unit, in one row.
final class IntegerPairPredicate: RowPredicate {
    private let one: FixedField
    private let oneKind: IntegerKind
    private let comparison: QueryComparison
    private let other: FixedField
    private let otherKind: IntegerKind
    /// The predicate to evaluate if one of them is null.
    private let general: RowPredicate

    /// Returns nil for other types, and for a `UInt64` with an integer of another type.
    init?(
        _ one: FieldPlace, _ comparison: QueryComparison, _ other: FieldPlace,
        _ general: RowPredicate
    ) {
        guard let oneKind = IntegerKind(one.stored), let otherKind = IntegerKind(other.stored),
            (oneKind == .uint64) == (otherKind == .uint64), Self.isAsStored(one),
            Self.isAsStored(other), ValueFamily(one.stored) == .number || one.stored == other.stored
        else { return nil }
        self.one = FixedField(one)
        self.oneKind = oneKind
        self.comparison = comparison
        self.other = FixedField(other)
        self.otherKind = otherKind
        self.general = general
    }

    /// Whether the stored number is the value. It is not for a millisecond date whose property was
    /// changed to nanoseconds.
    private static func isAsStored(_ place: FieldPlace) -> Bool {
        place.stored != .date || place.property.shape.type == .date
    }

    override var cost: Int { 4 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        if one.isNull(row) || other.isNull(row) { return try general.isTrue(row, id) }
        let value = oneKind.load(row, at: one.offset)
        let other = otherKind.load(row, at: other.offset)
        return switch comparison {
        case .equal: value == other
        case .notEqual: value != other
        case .less: value < other
        case .lessOrEqual: value <= other
        case .greater: value > other
        case .greaterOrEqual: value >= other
        }
    }
}
