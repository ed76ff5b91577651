#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type with a default value for `@Persisted` properties whose declaration has none.
///
/// Numbers and `Decimal` begin with 0, `Bool` with false, optionals with nil, strings, data and
/// collections empty, a `Date` with now, a `UUID` and an ``ObjectId`` with a new random one, a
/// ``PersistableEnum`` with its first case, and an ``AnyRealmValue`` with `.none`.
public protocol PersistedDefault {
    /// The default value of a property. Called once for each object.
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
    /// An empty one.
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
    /// Now.
    public static func makePersistedDefault() -> Date { Date() }
}

extension UUID: PersistedDefault {
    /// A new random one.
    public static func makePersistedDefault() -> UUID { UUID() }
}

extension Decimal: PersistedDefault {
    /// Zero.
    public static func makePersistedDefault() -> Decimal { 0 }
}
