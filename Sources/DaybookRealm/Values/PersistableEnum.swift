public import Daybook

/// An enum with raw values, as in Realm's models. The default value of a property is the first
/// case.
///
/// ```swift
/// enum Status: String, PersistableEnum { case open, closed }
/// ```
///
/// The raw value is stored. If this version of the program does not know a stored raw value, an
/// optional property reads as nil, and any other property as the case with raw value zero, or else
/// as the first case. The store keeps the unknown value as long as the property is put back
/// unchanged.
public protocol PersistableEnum: RawRepresentable, CaseIterable, PropertyValue, PersistedDefault
where RawValue: PropertyValue & Equatable {}

extension PersistableEnum {
    /// Returns the first case. Traps for an enum without cases.
    public static func makePersistedDefault() -> Self { allCases[allCases.startIndex] }
}
