public import Daybook

/// An enum with raw values as Realm's models have it. The default of a property is the first case.
///
/// ```swift
/// enum Status: String, PersistableEnum { case open, closed }
/// ```
///
/// The raw value is stored. If this version of the program does not know a stored raw value, an
/// optional property reads nil, and another property the case of raw value zero or the first case.
/// The store keeps the unknown value as long as the property is put back unchanged.
public protocol PersistableEnum: RawRepresentable, CaseIterable, PropertyValue, PersistedDefault
where RawValue: PropertyValue & Equatable {}

extension PersistableEnum {
    /// The first case. An enum without cases traps.
    public static func makePersistedDefault() -> Self { allCases[allCases.startIndex] }
}
