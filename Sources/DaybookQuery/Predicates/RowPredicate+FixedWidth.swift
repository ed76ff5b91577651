import DaybookBytes
import DaybookEngine
import DaybookRecords

// Predicates on fixed-width fields, which are loaded in place.
//
// A null field is stored as zeros. So a required property, which reads as zero if it is null, needs
// no null check.

/// The position of a field, and whether it needs a null check.
struct FixedField {
    let offset: Int
    /// The column of the null bits of an optional field; nil for a required one.
    private let nullColumn: RowColumn?
    private let nullByte: Int
    private let nullBit: UInt8

    init(_ place: FieldPlace) {
        offset = place.place
        nullColumn = place.property.shape.isOptional ? .null(field: place.field) : nil
        nullByte = 1 + place.field / 8
        nullBit = place.property.shape.isOptional ? 1 << UInt8(place.field % 8) : 0
    }

    @inline(__always)
    func isNull(_ row: borrowing RowParts) -> Bool {
        nullBit != 0 && row.bytes[nullByte] & nullBit != 0
    }

    /// The filter for columns of the field; never true for null.
    func columnFilter(_ kind: ColumnTestKind, widthBytes: Int) -> ColumnFilter {
        let test = ColumnFilter.test(
            FieldColumnPredicate(.fixed(offset: offset, widthBytes: widthBytes), kind))
        guard let nullColumn else { return test }
        return .and(test, .test(FieldColumnPredicate(isNull: nullColumn).inverted))
    }

    /// 0 if the field is null, else 1.
    @inline(__always)
    func hasValue(_ row: borrowing RowParts) -> Int {
        row.bytes[nullByte] & nullBit == 0 ? 1 : 0
    }
}

/// The loading of integers, and of dates in their stored unit.
///
/// The predicates are not generic classes, because methods of those are called through witness
/// tables, which costs a hundred nanoseconds per row.
enum IntegerKind {
    case int8, int16, int32, int64, uint8, uint16, uint32
    /// Loaded with 2⁶³ subtracted, so that the order is that of signed 64-bit numbers.
    case uint64

    /// Returns nil for types that are not stored as integers.
    init?(_ type: FieldType) {
        switch type {
        case .int8: self = .int8
        case .int16: self = .int16
        case .int32: self = .int32
        case .int64, .date, .dateNano: self = .int64
        case .uint8: self = .uint8
        case .uint16: self = .uint16
        case .uint32: self = .uint32
        case .uint64: self = .uint64
        default: return nil
        }
    }

    @inline(__always)
    func load(_ row: borrowing RowParts, at offset: Int) -> Int64 {
        switch self {
        case .int32: Int64(row.load(Int32.self, at: offset))
        case .int64: row.load(Int64.self, at: offset)
        case .int8: Int64(row.load(Int8.self, at: offset))
        case .int16: Int64(row.load(Int16.self, at: offset))
        case .uint8: Int64(row.load(UInt8.self, at: offset))
        case .uint16: Int64(row.load(UInt16.self, at: offset))
        case .uint32: Int64(row.load(UInt32.self, at: offset))
        case .uint64: row.load(Int64.self, at: offset) ^ Int64.min
        }
    }

    /// The width of a stored number in bytes.
    var widthBytes: Int {
        switch self {
        case .int8, .uint8: 1
        case .int16, .uint16: 2
        case .int32, .uint32: 4
        case .int64, .uint64: 8
        }
    }

    /// Whether ``load(_:at:)`` sign-extends the stored bits.
    var isSigned: Bool {
        switch self {
        case .int8, .int16, .int32, .int64: true
        case .uint8, .uint16, .uint32, .uint64: false
        }
    }

    /// The result of ``load(_:at:)`` for a number; nil if it cannot occur.
    func loaded(_ number: Int128) -> Int64? {
        if self == .uint64 { return Int64(exactly: number - 1 << 63) }
        return Int64(exactly: number)
    }
}

/// Whether an integer is in a closed range.
final class IntegerTest: RowPredicate {
    private let field: FixedField
    private let kind: IntegerKind
    private let lower: Int64
    /// The difference of the bounds, so that one comparison suffices.
    private let distance: UInt64

    init(_ place: FieldPlace, _ kind: IntegerKind, _ lower: Int64, _ upper: Int64) {
        field = FixedField(place)
        self.kind = kind
        self.lower = lower
        distance = UInt64(bitPattern: upper &- lower)
    }

    override var cost: Int { 2 }

    override var columnFilter: ColumnFilter? {
        field.columnFilter(
            .integer(kind, lower: lower, distance: distance), widthBytes: kind.widthBytes)
    }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        let value = kind.load(row, at: field.offset)
        return UInt64(bitPattern: value &- lower) <= distance && !field.isNull(row)
    }

    override func select(
        _ batch: borrowing RowBatch, _ shape: RowShape, _ rows: inout RowSelection
    ) throws(DaybookError) {
        switch kind {
        case .int32: try select(Int32.self, batch, shape, &rows)
        case .int64: try select(Int64.self, batch, shape, &rows)
        case .int8: try select(Int8.self, batch, shape, &rows)
        case .int16: try select(Int16.self, batch, shape, &rows)
        case .uint8: try select(UInt8.self, batch, shape, &rows)
        case .uint16: try select(UInt16.self, batch, shape, &rows)
        case .uint32: try select(UInt32.self, batch, shape, &rows)
        case .uint64: try select(Int64.self, batch, shape, &rows, lower: lower ^ Int64.min)
        }
    }

    /// The loop for one stored type.
    @inline(__always)
    private func select<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type, _ batch: borrowing RowBatch, _ shape: RowShape,
        _ rows: inout RowSelection, lower: Int64? = nil
    ) throws(DaybookError) {
        let (field, distance, lower) = (field, distance, lower ?? self.lower)
        try rows.keep(batch, shape) { (row, _) in
            let value = Int64(truncatingIfNeeded: row.load(type, at: field.offset))
            let isBetween = UInt64(bitPattern: value &- lower) <= distance
            // No branch here, because it would be unpredictable if about half of the rows match.
            return (isBetween ? 1 : 0) & field.hasValue(row)
        }
    }
}

/// Whether an integer is one of several.
final class IntegerSetTest: RowPredicate {
    private let field: FixedField
    private let kind: IntegerKind
    private let values: Set<Int64>
    private let least: Int64
    private let greatest: Int64

    init(_ place: FieldPlace, _ kind: IntegerKind, _ values: [Int64]) {
        field = FixedField(place)
        self.kind = kind
        self.values = Set(values)
        least = values.min() ?? .max
        greatest = values.max() ?? .min
    }

    override var cost: Int { 15 }

    /// The maximum number of column comparisons that are cheaper than reading the rows.
    private static let columnValueCountMax = 16

    override var columnFilter: ColumnFilter? {
        guard values.count <= Self.columnValueCountMax else { return nil }
        return values.reduce(.always(false)) { filter, value in
            let test = ColumnTestKind.integer(kind, lower: value, distance: 0)
            return .or(filter, field.columnFilter(test, widthBytes: kind.widthBytes))
        }
    }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        let value = kind.load(row, at: field.offset)
        return value >= least && value <= greatest && values.contains(value)
            && !field.isNull(row)
    }
}

/// Whether a floating-point number is in a closed range. False for NaN.
final class NumberTest: RowPredicate {
    private let field: FixedField
    /// Whether the number is stored as a `Float`.
    private let isFloat: Bool
    private let lower: Double
    private let upper: Double

    init(_ place: FieldPlace, isFloat: Bool, _ lower: Double, _ upper: Double) {
        field = FixedField(place)
        self.isFloat = isFloat
        self.lower = lower
        self.upper = upper
    }

    override var cost: Int { 2 }

    override var columnFilter: ColumnFilter? {
        isFloat
            ? field.columnFilter(.float(lower: lower, upper: upper), widthBytes: 4)
            : field.columnFilter(.double(lower: lower, upper: upper), widthBytes: 8)
    }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        let value =
            isFloat
            ? Double(Float(bitPattern: row.load(UInt32.self, at: field.offset)))
            : Double(bitPattern: row.load(UInt64.self, at: field.offset))
        return value >= lower && value <= upper && !field.isNull(row)
    }
}

/// Whether an optional field of any width is null.
final class NullTest: RowPredicate {
    private let field: Int

    init(_ place: FieldPlace) { field = place.field }

    override var columnFilter: ColumnFilter? {
        .test(FieldColumnPredicate(isNull: .null(field: field)))
    }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool { row.isNull(field) }
}
