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

// As the optional of every other type with raw values is read, and not as the optional of another
// value would be.

extension RowReader {
    /// Reads an optional case by its raw value; nil where this version of the program does not
    /// know that. Throws as ``read(_:as:)`` does.
    public func read<E: PersistableEnum>(_ index: Int) throws -> E? {
        try read(index, as: OptionalRawStored<E>.self).value
    }
}

extension RowWriter {
    /// Writes the raw value of an optional case. Throws as `write` of any other value does.
    public mutating func write<E: PersistableEnum>(_ value: E?, at index: Int) throws {
        try write(OptionalRawStored(value), at: index)
    }
}
