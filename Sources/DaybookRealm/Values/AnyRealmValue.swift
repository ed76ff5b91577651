#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of one of several types, as Realm's models have it. It is stored as JSON, without loss
/// of precision.
///
/// Realm's case `object` is missing: an object in an object is a relation.
public enum AnyRealmValue: Hashable, Sendable {
    /// No value.
    case none
    /// A Boolean value.
    case bool(Bool)
    /// An integer.
    case int(Int)
    /// A number of 32 bits.
    case float(Float)
    /// A number of 64 bits.
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
    /// Values by key. The keys follow the rule of ``Map``.
    indirect case dictionary([String: AnyRealmValue])
    /// Values in order.
    indirect case list([AnyRealmValue])
}

extension AnyRealmValue: PersistedDefault {
    /// No value.
    public static func makePersistedDefault() -> AnyRealmValue { .none }
}
