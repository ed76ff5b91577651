/// An enum with raw values as Realm's models have it; a property of it begins with the first case.
///
/// ```swift
/// enum Status: String, PersistableEnum { case open, closed }
/// ```
///
/// Its raw value is stored. One that this version of the program does not know ends no process: an
/// optional property reads it as nil, another as the case of raw value zero or the first case, and
/// the store keeps it as long as the property is put back as it was read.
public protocol PersistableEnum: RawRepresentable, CaseIterable, PropertyValue, PersistedDefault
where RawValue: PropertyValue & Equatable {}

extension PersistableEnum {
    /// The first case. A type that has none cannot have a value: asking traps, as the first element
    /// of an empty array does.
    public static func makePersistedDefault() -> Self { allCases[allCases.startIndex] }
}
