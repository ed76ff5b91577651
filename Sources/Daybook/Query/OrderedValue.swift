#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type of property whose values stand in an order: conditions have `<`, ranges and `isBetween`
/// for it.
///
/// Conforming are `Bool`, all numbers, `String`, `Date`, `Data`, `UUID`, ``ObjectId`` and ids, and
/// the optional of each. Types with raw values are compared by these: see ``Property/rawValue``.
public protocol OrderedValue {
    /// The type without "or nil".
    associatedtype Operand
    /// The value that is not nil.
    static func ordered(_ operand: Operand) -> Self
}

extension OrderedValue where Operand == Self {
    /// The value itself.
    public static func ordered(_ operand: Self) -> Self { operand }
}

/// A number. Sums of integers are `Int`, of floating-point numbers `Double`.
public protocol NumericValue: OrderedValue {
    /// What many come to together.
    associatedtype Sum: PropertyValue & Sendable
}

extension Bool: OrderedValue { public typealias Operand = Bool }
extension Int8: NumericValue {
    public typealias Operand = Int8
    public typealias Sum = Int
}
extension Int16: NumericValue {
    public typealias Operand = Int16
    public typealias Sum = Int
}
extension Int32: NumericValue {
    public typealias Operand = Int32
    public typealias Sum = Int
}
extension Int64: NumericValue {
    public typealias Operand = Int64
    public typealias Sum = Int
}
extension Int: NumericValue {
    public typealias Operand = Int
    public typealias Sum = Int
}
extension UInt8: NumericValue {
    public typealias Operand = UInt8
    public typealias Sum = Int
}
extension UInt16: NumericValue {
    public typealias Operand = UInt16
    public typealias Sum = Int
}
extension UInt32: NumericValue {
    public typealias Operand = UInt32
    public typealias Sum = Int
}
extension UInt64: NumericValue {
    public typealias Operand = UInt64
    public typealias Sum = UInt64
}
extension UInt: NumericValue {
    public typealias Operand = UInt
    public typealias Sum = UInt
}
extension Float: NumericValue {
    public typealias Operand = Float
    public typealias Sum = Double
}
extension Double: NumericValue {
    public typealias Operand = Double
    public typealias Sum = Double
}
extension Decimal: NumericValue {
    public typealias Operand = Decimal
    public typealias Sum = Decimal
}
extension String: OrderedValue { public typealias Operand = String }
extension Date: OrderedValue { public typealias Operand = Date }
extension NanosecondDate: OrderedValue { public typealias Operand = NanosecondDate }
extension Data: OrderedValue { public typealias Operand = Data }
extension UUID: OrderedValue { public typealias Operand = UUID }
extension ObjectId: OrderedValue { public typealias Operand = ObjectId }
extension EntityId: OrderedValue { public typealias Operand = EntityId }

extension Array: OrderedValue where Element == UInt8 { public typealias Operand = [UInt8] }

extension Optional: OrderedValue where Wrapped: OrderedValue {
    public typealias Operand = Wrapped.Operand
    /// The value that is not nil.
    public static func ordered(_ operand: Wrapped.Operand) -> Wrapped? {
        Wrapped.ordered(operand)
    }
}

extension Optional: NumericValue where Wrapped: NumericValue {
    public typealias Sum = Wrapped.Sum
}

/// A type of property that is kept as a text: `String` and `URL`, and the optional of each.
public protocol TextValue: PropertyValue {}

extension String: TextValue {}
extension URL: TextValue {}
extension Optional: TextValue where Wrapped: TextValue {}
