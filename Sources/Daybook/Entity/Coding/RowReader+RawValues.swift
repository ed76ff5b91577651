// Types with raw values, such as enums, that do not conform to `PropertyValue`: plain, optional,
// and in arrays, sets and dictionaries.
//
// If this version of the program does not know a raw value, an optional property is nil. Otherwise
// the value is the case of raw value zero, or else the first case of a `CaseIterable` type, or else
// the read throws `.invalidValue`. The stored value is kept while the property is put back
// unchanged.

extension RowReader {
    /// Reads a case by its raw value.
    @_disfavoredOverload
    public func read<E: RawRepresentable>(_ index: Int) throws -> E
    where E.RawValue: PropertyValue & Equatable {
        try read(index, as: RawStored<E>.self).value
    }

    /// Reads an optional case by its raw value.
    @_disfavoredOverload
    public func read<E: RawRepresentable>(_ index: Int) throws -> E?
    where E.RawValue: PropertyValue & Equatable {
        try read(index, as: RawStored<E>?.self)?.value
    }

    /// Reads cases by their raw values.
    @_disfavoredOverload
    public func read<E: RawRepresentable>(_ index: Int) throws -> [E]
    where E.RawValue: PropertyValue & Equatable {
        try read(index, as: [RawStored<E>].self).map(\.value)
    }

    /// Reads an optional array of cases by their raw values.
    @_disfavoredOverload
    public func read<E: RawRepresentable>(_ index: Int) throws -> [E]?
    where E.RawValue: PropertyValue & Equatable {
        try read(index, as: [RawStored<E>]?.self)?.map(\.value)
    }

    /// Reads a set of cases by their raw values.
    @_disfavoredOverload
    public func read<E: RawRepresentable & Hashable>(_ index: Int) throws -> Set<E>
    where E.RawValue: PropertyValue & Hashable {
        Set(try read(index, as: Set<RawStored<E>>.self).map(\.value))
    }

    /// Reads an optional set of cases by their raw values.
    @_disfavoredOverload
    public func read<E: RawRepresentable & Hashable>(_ index: Int) throws -> Set<E>?
    where E.RawValue: PropertyValue & Hashable {
        try read(index, as: Set<RawStored<E>>?.self).map { Set($0.map(\.value)) }
    }

    /// Reads a dictionary of cases by their raw values.
    @_disfavoredOverload
    public func read<E: RawRepresentable>(_ index: Int) throws -> [String: E]
    where E.RawValue: PropertyValue & Equatable {
        try read(index, as: [String: RawStored<E>].self).mapValues(\.value)
    }

    /// Reads an optional dictionary of cases by their raw values.
    @_disfavoredOverload
    public func read<E: RawRepresentable>(_ index: Int) throws -> [String: E]?
    where E.RawValue: PropertyValue & Equatable {
        try read(index, as: [String: RawStored<E>]?.self)?.mapValues(\.value)
    }

    /// Reads a case by its raw value. Returns `fallback` for a missing value, and for a raw value
    /// that this version of the program does not know.
    public func read<E: RawRepresentable>(_ index: Int, default fallback: E) throws -> E
    where E.RawValue: PropertyValue & Equatable {
        try read(index, as: E.RawValue?.self).flatMap { E(rawValue: $0) } ?? fallback
    }

    /// Reads an optional case by its raw value. Returns `fallback` for a raw value that this
    /// version of the program does not know.
    public func read<E: RawRepresentable>(_ index: Int, default fallback: E) throws -> E?
    where E.RawValue: PropertyValue & Equatable {
        try read(index, as: E.RawValue?.self).map { E(rawValue: $0) ?? fallback }
    }
}

extension RawStored: Equatable {
    static func == (one: RawStored, other: RawStored) -> Bool {
        one.value.rawValue == other.value.rawValue
    }
}

extension RawStored: Hashable where Value.RawValue: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine(value.rawValue) }
}
