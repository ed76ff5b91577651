#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type of property whose values stand in an order: conditions have `<`, ranges and `isBetween`
/// for it.
///
/// `Bool`, all numbers, `String`, `Date`, `Data`, `UUID` and ids conform, and the optional of
/// each. Types with raw values are compared by these: see ``Property/rawValue``.
public protocol OrderedValue {
    /// The type without "or nil".
    associatedtype Operand = Self
    /// The value that is not nil.
    static func ordered(_ operand: Operand) -> Self
}

extension OrderedValue where Operand == Self {
    /// The value itself.
    public static func ordered(_ operand: Self) -> Self { operand }
}

/// A number. Sums of integers are `Int`, those of `UInt` and `UInt64` of the type itself; sums of
/// floating-point numbers are `Double`.
public protocol NumericValue: OrderedValue {
    /// What many come to together.
    associatedtype Sum: PropertyValue & Sendable
}

extension Bool: OrderedValue {}
extension Int8: NumericValue {
    /// What many come to together.
    public typealias Sum = Int
}
extension Int16: NumericValue {
    /// What many come to together.
    public typealias Sum = Int
}
extension Int32: NumericValue {
    /// What many come to together.
    public typealias Sum = Int
}
extension Int64: NumericValue {
    /// What many come to together.
    public typealias Sum = Int
}
extension Int: NumericValue {
    /// What many come to together.
    public typealias Sum = Int
}
extension UInt8: NumericValue {
    /// What many come to together.
    public typealias Sum = Int
}
extension UInt16: NumericValue {
    /// What many come to together.
    public typealias Sum = Int
}
extension UInt32: NumericValue {
    /// What many come to together.
    public typealias Sum = Int
}
extension UInt64: NumericValue {
    /// What many come to together.
    public typealias Sum = UInt64
}
extension UInt: NumericValue {
    /// What many come to together.
    public typealias Sum = UInt
}
extension Float: NumericValue {
    /// What many come to together.
    public typealias Sum = Double
}
extension Double: NumericValue {
    /// What many come to together.
    public typealias Sum = Double
}
extension Decimal: NumericValue {
    /// What many come to together.
    public typealias Sum = Decimal
}
extension String: OrderedValue {}
extension Date: OrderedValue {}
extension NanosecondDate: OrderedValue {}
extension Data: OrderedValue {}
extension UUID: OrderedValue {}
extension EntityId: OrderedValue {}

extension Array: OrderedValue where Element == UInt8 {}

extension Optional: OrderedValue where Wrapped: OrderedValue {
    /// The type without "or nil".
    public typealias Operand = Wrapped.Operand
    /// The value that is not nil.
    public static func ordered(_ operand: Wrapped.Operand) -> Wrapped? {
        Wrapped.ordered(operand)
    }
}

extension Optional: NumericValue where Wrapped: NumericValue {
    /// What many come to together.
    public typealias Sum = Wrapped.Sum
}

/// A type of property that is kept as a text: `String` and `URL`, and the optional of each.
public protocol TextValue: PropertyValue {}

extension String: TextValue {}
extension URL: TextValue {}
extension Optional: TextValue where Wrapped: TextValue {}
