#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type of property whose values are ordered, for conditions with `<`, ranges and `isBetween`.
///
/// `Bool`, all numbers, `String`, `Date`, `Data`, `UUID`, ids, and the optionals of these conform.
/// Compare a type with raw values by its raw value: see `rawValue` of ``Property``.
public protocol OrderedValue {
    /// The type without its optional.
    associatedtype Operand = Self
    /// Returns an operand as a value of this type.
    static func ordered(_ operand: Operand) -> Self
}

extension OrderedValue where Operand == Self {
    /// Returns the operand.
    public static func ordered(_ operand: Self) -> Self { operand }
}

/// A number. The sum of integers is an `Int`, except that `UInt` and `UInt64` have sums of their
/// own type. The sum of floating-point numbers is a `Double`.
public protocol NumericValue: OrderedValue {
    /// The type of a sum.
    associatedtype Sum: PropertyValue & Sendable
}

extension Bool: OrderedValue {}
extension Int8: NumericValue {
    /// The type of a sum.
    public typealias Sum = Int
}
extension Int16: NumericValue {
    /// The type of a sum.
    public typealias Sum = Int
}
extension Int32: NumericValue {
    /// The type of a sum.
    public typealias Sum = Int
}
extension Int64: NumericValue {
    /// The type of a sum.
    public typealias Sum = Int
}
extension Int: NumericValue {
    /// The type of a sum.
    public typealias Sum = Int
}
extension UInt8: NumericValue {
    /// The type of a sum.
    public typealias Sum = Int
}
extension UInt16: NumericValue {
    /// The type of a sum.
    public typealias Sum = Int
}
extension UInt32: NumericValue {
    /// The type of a sum.
    public typealias Sum = Int
}
extension UInt64: NumericValue {
    /// The type of a sum.
    public typealias Sum = UInt64
}
extension UInt: NumericValue {
    /// The type of a sum.
    public typealias Sum = UInt
}
extension Float: NumericValue {
    /// The type of a sum.
    public typealias Sum = Double
}
extension Double: NumericValue {
    /// The type of a sum.
    public typealias Sum = Double
}
extension Decimal: NumericValue {
    /// The type of a sum.
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
    /// The type without its optional.
    public typealias Operand = Wrapped.Operand
    /// Returns an operand as an optional.
    public static func ordered(_ operand: Wrapped.Operand) -> Wrapped? {
        Wrapped.ordered(operand)
    }
}

extension Optional: NumericValue where Wrapped: NumericValue {
    /// The type of a sum.
    public typealias Sum = Wrapped.Sum
}

/// A type of property that is stored as a string: `String`, `URL`, and their optionals.
public protocol TextValue: PropertyValue {}

extension String: TextValue {}
extension URL: TextValue {}
extension Optional: TextValue where Wrapped: TextValue {}
