#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of one of several types, as in Realm's models. It is stored as JSON, without loss of
/// precision.
///
/// Realm's case `object` is missing, because an object inside an object is a relation.
public enum AnyRealmValue: Hashable, Sendable {
    /// No value.
    case none
    /// A Boolean value.
    case bool(Bool)
    /// An integer.
    case int(Int)
    /// A 32-bit floating-point number.
    case float(Float)
    /// A 64-bit floating-point number.
    case double(Double)
    /// A string.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A date, with the full precision of `Date`.
    case date(Date)
    /// An id.
    case objectId(ObjectId)
    /// A decimal number.
    case decimal128(Decimal128)
    /// A UUID.
    case uuid(UUID)
    /// A dictionary. Its keys have the same restrictions as those of ``Map``.
    indirect case dictionary([String: AnyRealmValue])
    /// A list.
    indirect case list([AnyRealmValue])
}

extension AnyRealmValue: PersistedDefault {
    /// No value.
    public static func makePersistedDefault() -> AnyRealmValue { .none }
}
