import DaybookBytes
import DaybookEngine
import DaybookRecords

/// The test of each value of a column.
enum ColumnTestKind: Sendable {
    /// An integer, loaded as its kind, from `lower` to `lower + distance`.
    case integer(IntegerKind, lower: Int64, distance: UInt64)
    case double(lower: Double, upper: Double)
    case float(lower: Double, upper: Double)
    /// The bits selected by `mask` must equal the value.
    case bits(mask: UInt64, UInt64)
}

/// The test of one field's values in a column.
///
/// The result is computed as a number, 1 or 0, without branches, because an unpredictable branch
/// costs more than everything else.
struct FieldColumnPredicate: Sendable {
    let column: RowColumn
    /// The index of the column among the demanded ones.
    var place = 0
    private let kind: ColumnTestKind
    /// 1 if the result is inverted.
    private var inversion: UInt8 = 0

    init(_ column: RowColumn, _ kind: ColumnTestKind) {
        self.column = column
        self.kind = kind
    }

    init(isNull column: RowColumn) {
        self.init(column, .integer(.uint8, lower: 1, distance: 0))
    }

    var inverted: FieldColumnPredicate {
        var test = self
        test.inversion ^= 1
        return test
    }

    /// The operation that combines a result with the current one.
    enum Joining { case replace, and, or }

    /// Combines the result for each row with the current one. The column must have been copied.
    func join(
        _ columns: RowColumns, _ demand: ColumnDemand, to truth: inout [UInt8], _ joining: Joining
    ) {
        guard let values = columns.values(place, of: demand) else { return }
        join(values, inversion, to: &truth, joining)
    }

    private func join(
        _ values: ColumnValues, _ inversion: UInt8, to truth: inout [UInt8], _ joining: Joining
    ) {
        switch (kind, values) {
        case (.integer(let kind, let lower, let distance), .bytes(let values)):
            let isSigned = kind.isSigned
            Self.join(values, to: &truth, joining) {
                let value = isSigned ? Int64(Int8(truncatingIfNeeded: $0)) : Int64($0)
                return Self.isBetween(value, lower, distance) ^ inversion
            }
        case (.integer(let kind, let lower, let distance), .halves(let values)):
            let isSigned = kind.isSigned
            Self.join(values, to: &truth, joining) {
                let value = isSigned ? Int64(Int16(truncatingIfNeeded: $0)) : Int64($0)
                return Self.isBetween(value, lower, distance) ^ inversion
            }
        case (.integer(let kind, let lower, let distance), .words(let values)):
            let isSigned = kind.isSigned
            Self.join(values, to: &truth, joining) {
                let value = isSigned ? Int64(Int32(truncatingIfNeeded: $0)) : Int64($0)
                return Self.isBetween(value, lower, distance) ^ inversion
            }
        case (.integer(let kind, let lower, let distance), .longs(let values)):
            let lower = kind.isSigned ? lower : lower ^ Int64.min
            Self.join(values, to: &truth, joining) {
                Self.isBetween(Int64(bitPattern: $0), lower, distance) ^ inversion
            }
        case (.double(let lower, let upper), .longs(let values)):
            Self.join(values, to: &truth, joining) {
                Self.isBetween(Double(bitPattern: $0), lower, upper) ^ inversion
            }
        case (.float(let lower, let upper), .words(let values)):
            Self.join(values, to: &truth, joining) {
                Self.isBetween(Double(Float(bitPattern: $0)), lower, upper) ^ inversion
            }
        case (.bits(let mask, let wanted), .longs(let values)):
            Self.join(values, to: &truth, joining) {
                let difference = $0 & mask ^ wanted
                let isOther = (difference | (0 &- difference)) &>> 63
                return UInt8(truncatingIfNeeded: isOther ^ 1) ^ inversion
            }
        default: assertionFailure("a column of another width than the test's")
        }
    }

    /// 1 if a number is from `lower` to `lower + distance`: then the subtraction of the offset from
    /// `distance` does not borrow.
    @inline(__always)
    private static func isBetween(_ value: Int64, _ lower: Int64, _ distance: UInt64) -> UInt8 {
        let found = UInt64(bitPattern: value &- lower)
        let borrow = (~distance & found) | (~(distance ^ found) & (distance &- found))
        return UInt8(truncatingIfNeeded: borrow &>> 63) ^ 1
    }

    @inline(__always)
    private static func isBetween(_ value: Double, _ lower: Double, _ upper: Double) -> UInt8 {
        (value >= lower ? 1 : 0) & (value <= upper ? 1 : 0)
    }

    @inline(__always)
    private static func join<Value>(
        _ values: [Value], to truth: inout [UInt8], _ joining: Joining,
        _ test: (Value) -> UInt8
    ) {
        let values = values.span
        var truth = truth.mutableSpan
        let count = min(values.count, truth.count)
        switch joining {
        case .replace: for place in 0..<count { truth[place] = test(values[place]) }
        case .and: for place in 0..<count { truth[place] &= test(values[place]) }
        case .or: for place in 0..<count { truth[place] |= test(values[place]) }
        }
    }
}
