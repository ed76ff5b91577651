#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of one of several types, as Realm's models have it. It is stored as JSON in which every
/// bit of it comes back.
///
/// Realm's case `object` is missing: an object in an object is a relation.
public enum AnyRealmValue: Hashable, Sendable {
    /// No value.
    case none
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case int(Int)
    /// A number of 32 bits.
    case float(Float)
    /// A number of 64 bits.
    case double(Double)
    /// A text.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A date, to the last bit of what `Date` holds.
    case date(Date)
    /// An id.
    case objectId(ObjectId)
    /// A decimal number.
    case decimal128(Decimal128)
    /// A UUID.
    case uuid(UUID)
    /// Values by name. Keys are as those of a ``Map``.
    indirect case dictionary([String: AnyRealmValue])
    /// Values in order.
    indirect case list([AnyRealmValue])
}

extension AnyRealmValue: PersistedDefault {
    /// No value.
    public static func makePersistedDefault() -> AnyRealmValue { .none }
}
