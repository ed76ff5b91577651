// Types with raw values that do not conform to `PropertyValue`: see RowReader+RawValues.swift.

extension RowWriter {
    /// Writes the raw value of a case.
    @_disfavoredOverload
    public mutating func write<E: RawRepresentable>(_ value: E, at index: Int) throws
    where E.RawValue: PropertyValue & Equatable {
        try write(RawStored(value), at: index)
    }

    /// Writes the raw value of an optional case.
    @_disfavoredOverload
    public mutating func write<E: RawRepresentable>(_ value: E?, at index: Int) throws
    where E.RawValue: PropertyValue & Equatable {
        try write(value.map { RawStored($0) }, at: index)
    }

    /// Writes the raw values of cases.
    @_disfavoredOverload
    public mutating func write<E: RawRepresentable>(_ value: [E], at index: Int) throws
    where E.RawValue: PropertyValue & Equatable {
        try write(value.map { RawStored($0) }, at: index)
    }

    /// Writes the raw values of an optional array of cases.
    @_disfavoredOverload
    public mutating func write<E: RawRepresentable>(_ value: [E]?, at index: Int) throws
    where E.RawValue: PropertyValue & Equatable {
        try write(value.map { $0.map { RawStored($0) } }, at: index)
    }

    /// Writes the raw values of a set of cases.
    @_disfavoredOverload
    public mutating func write<E: RawRepresentable & Hashable>(
        _ value: Set<E>, at index: Int
    ) throws where E.RawValue: PropertyValue & Hashable {
        try write(Set(value.map { RawStored($0) }), at: index)
    }

    /// Writes the raw values of an optional set of cases.
    @_disfavoredOverload
    public mutating func write<E: RawRepresentable & Hashable>(
        _ value: Set<E>?, at index: Int
    ) throws where E.RawValue: PropertyValue & Hashable {
        try write(value.map { Set($0.map { RawStored($0) }) }, at: index)
    }

    /// Writes the raw values of a dictionary of cases.
    @_disfavoredOverload
    public mutating func write<E: RawRepresentable>(_ value: [String: E], at index: Int) throws
    where E.RawValue: PropertyValue & Equatable {
        try write(value.mapValues { RawStored($0) }, at: index)
    }

    /// Writes the raw values of an optional dictionary of cases.
    @_disfavoredOverload
    public mutating func write<E: RawRepresentable>(_ value: [String: E]?, at index: Int) throws
    where E.RawValue: PropertyValue & Equatable {
        try write(value.map { $0.mapValues { RawStored($0) } }, at: index)
    }

    /// Writes the raw value of a case. If the stored raw value is one that this version of the
    /// program does not know, and the value is `fallback`, the stored one is kept.
    public mutating func write<E: RawRepresentable>(
        _ value: E, at index: Int, default fallback: E
    ) throws where E.RawValue: PropertyValue & Equatable {
        if value.rawValue == fallback.rawValue, let raw = try unknownRawValue(of: E.self, at: index)
        {
            return try write(raw, at: index)
        }
        try write(value.rawValue, at: index)
    }

    /// Writes the raw value of an optional case. Otherwise as for a non-optional case.
    public mutating func write<E: RawRepresentable>(
        _ value: E?, at index: Int, default fallback: E
    ) throws where E.RawValue: PropertyValue & Equatable {
        guard let value else { return try writeNull(at: index) }
        try write(value, at: index, default: fallback)
    }

    /// Returns the stored raw value of the property at `index`, if the type does not know it.
    private func unknownRawValue<E: RawRepresentable>(
        of type: E.Type, at index: Int
    ) throws -> E.RawValue? where E.RawValue: PropertyValue {
        guard let raw = try previous?.value(index, as: E.RawValue.self, types) else { return nil }
        return E(rawValue: raw) == nil ? raw : nil
    }
}
