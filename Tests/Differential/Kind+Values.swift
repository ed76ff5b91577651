import Daybook
import DaybookBytes
import DaybookTesting
import Foundation

/// A Swift type whose values are cells.
protocol CellValue: PropertyValue {
    init?(_ cell: Cell)
    var cell: Cell { get }
}

extension Bool: CellValue {
    init?(_ cell: Cell) { if case .bool(let value) = cell { self = value } else { return nil } }
    var cell: Cell { .bool(self) }
}

extension CellValue where Self: FixedWidthInteger {
    init?(_ cell: Cell) {
        if case .integer(let value) = cell { self.init(exactly: value) } else { return nil }
    }
    var cell: Cell { .integer(Int64(self)) }
}

extension Int8: CellValue {}
extension Int16: CellValue {}
extension Int32: CellValue {}
extension Int64: CellValue {}
extension UInt8: CellValue {}
extension UInt32: CellValue {}

extension Float: CellValue {
    init?(_ cell: Cell) {
        if case .number(let value) = cell { self = Float(value) } else { return nil }
    }
    var cell: Cell { .number(Double(self)) }
}

extension Double: CellValue {
    init?(_ cell: Cell) { if case .number(let value) = cell { self = value } else { return nil } }
    var cell: Cell { .number(self) }
}

extension String: CellValue {
    init?(_ cell: Cell) { if case .text(let value) = cell { self = value } else { return nil } }
    var cell: Cell { .text(self) }
}

extension Data: CellValue {
    init?(_ cell: Cell) {
        if case .bytes(let value) = cell { self.init(value) } else { return nil }
    }
    var cell: Cell { .bytes(Array(self)) }
}

extension UUID: CellValue {
    init?(_ cell: Cell) { if case .uuid(let value) = cell { self = value } else { return nil } }
    var cell: Cell { .uuid(self) }
}

extension Decimal: CellValue {
    init?(_ cell: Cell) { if case .decimal(let value) = cell { self = value } else { return nil } }
    var cell: Cell { .decimal(self) }
}

extension Date: CellValue {
    init?(_ cell: Cell) {
        if case .date(let value) = cell {
            self.init(timeIntervalSince1970: Double(value) / 1000)
        } else {
            return nil
        }
    }
    var cell: Cell { .date(Int64((timeIntervalSince1970 * 1000).rounded())) }
}

extension NanosecondDate: CellValue {
    init?(_ cell: Cell) {
        guard let date = Date(cell) else { return nil }
        self.init(date)
    }
    var cell: Cell { date.cell }
}

extension Kind {
    /// The Swift type.
    var type: any CellValue.Type {
        switch self {
        case .bool: Bool.self
        case .int8: Int8.self
        case .int16: Int16.self
        case .int32: Int32.self
        case .int64: Int64.self
        case .uint8: UInt8.self
        case .uint32: UInt32.self
        case .float: Float.self
        case .double: Double.self
        case .text: String.self
        case .data: Data.self
        case .uuid: UUID.self
        case .decimal: Decimal.self
        case .date: Date.self
        case .nanoseconds: NanosecondDate.self
        }
    }

    /// Returns one of few values, so that some are equal.
    func cell(isASCII: Bool, using random: inout SeededGenerator) -> Cell {
        func pick<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }
        func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Cell {
            .integer(pick([Int64(Value.min), Int64(Value.max), 0, 1, 2, 3, 5, 8, 100]))
        }
        switch self {
        case .bool: return .bool(pick([true, false]))
        case .int8: return integer(Int8.self)
        case .int16: return integer(Int16.self)
        case .int32: return integer(Int32.self)
        case .int64: return integer(Int64.self)
        case .uint8: return integer(UInt8.self)
        case .uint32: return integer(UInt32.self)
        case .float, .double:
            return .number(
                pick([0, -0.0, 1, 1.5, 2, 3, -1, 100, .infinity, -.infinity, .nan, 0.25]))
        case .text:
            let ascii = [
                "", "a", "A", "ab", "Ab", "abc", "b", "ba", "a b", "a*b", "zz", "Z", "10%",
            ]
            let other = [
                "é", "e\u{301}", "É", "ÄB", "äb", "ß", "SS", "日本", "a\u{0}b", "😀", "İ", "ı",
            ]
            return .text(pick(isASCII ? ascii : ascii + other))
        case .data: return .bytes(pick([[], [0], [0, 0], [1], [1, 2], [255], [255, 0], [97]]))
        case .uuid:
            return .uuid(
                UUID(
                    uuid: (
                        pick([0, 1, 255]), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                        pick([0, 1, 2])
                    )))
        case .decimal:
            return .decimal(
                Decimal(
                    string: pick([
                        "0", "1", "1.50", "1.5", "-2", "100", "0.001", "-0.001",
                        "99999999999999999999",
                    ])) ?? 0)
        // A `Date` of whole seconds is exact in nanoseconds.
        case .nanoseconds: return .date(pick([0, 1000, -1000, 1_700_000_000_000, -86_400_000]))
        case .date:
            return .date(pick([0, 1, -1, 1000, 1_700_000_000_000, 1_700_000_000_001, -86_400_000]))
        }
    }
}
