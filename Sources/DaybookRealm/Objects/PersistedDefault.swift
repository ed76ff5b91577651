#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type with a default value for `@Persisted` properties that have no initial value.
///
/// The default value is 0 for numbers and `Decimal`, false for `Bool`, nil for optionals, and empty
/// for strings, data and collections. It is the current time for `Date`, a new random value for
/// `UUID` and ``ObjectId``, the first case of a ``PersistableEnum``, and `.none` for an
/// ``AnyRealmValue``.
public protocol PersistedDefault {
    /// Returns the default value of a property. Called once for each object.
    static func makePersistedDefault() -> Self
}

extension PersistedDefault where Self: BinaryInteger {
    /// Zero.
    public static func makePersistedDefault() -> Self { 0 }
}

extension PersistedDefault where Self: BinaryFloatingPoint {
    /// Zero.
    public static func makePersistedDefault() -> Self { 0 }
}

extension PersistedDefault where Self: RangeReplaceableCollection {
    /// An empty collection.
    public static func makePersistedDefault() -> Self { Self() }
}

extension Int: PersistedDefault {}
extension Int8: PersistedDefault {}
extension Int16: PersistedDefault {}
extension Int32: PersistedDefault {}
extension Int64: PersistedDefault {}
extension UInt: PersistedDefault {}
extension UInt8: PersistedDefault {}
extension UInt16: PersistedDefault {}
extension UInt32: PersistedDefault {}
extension UInt64: PersistedDefault {}
extension Float: PersistedDefault {}
extension Double: PersistedDefault {}
extension String: PersistedDefault {}
extension Data: PersistedDefault {}
extension Array: PersistedDefault {}

extension Bool: PersistedDefault {
    /// False.
    public static func makePersistedDefault() -> Bool { false }
}

extension Optional: PersistedDefault {
    /// Nil.
    public static func makePersistedDefault() -> Wrapped? { nil }
}

extension Set: PersistedDefault {
    /// An empty set.
    public static func makePersistedDefault() -> Set { [] }
}

extension Dictionary: PersistedDefault {
    /// An empty dictionary.
    public static func makePersistedDefault() -> Dictionary { [:] }
}

extension Date: PersistedDefault {
    /// The current time.
    public static func makePersistedDefault() -> Date { Date() }
}

extension UUID: PersistedDefault {
    /// A new random UUID.
    public static func makePersistedDefault() -> UUID { UUID() }
}

extension Decimal: PersistedDefault {
    /// Zero.
    public static func makePersistedDefault() -> Decimal { 0 }
}
