// Types with raw values, such as enums, whether they conform to `PropertyValue` or not. The entity
// decides how to read a raw value that this version of the program does not know, so in that case
// the whole object is read.

extension ProjectionReader {
    /// Reads a case by its raw value.
    @_disfavoredOverload
    public func read<E: RawRepresentable>(
        _ path: KeyPath<Root, E>, named name: String
    ) throws -> E where E.RawValue: PropertyValue & Equatable {
        guard let index = properties.index(of: name, storedAs: E.RawValue.propertyType),
            let value = try row.read(index, as: E.RawValue?.self).flatMap({ E(rawValue: $0) })
        else { return try readWhole(path) }
        return value
    }

    /// Reads an optional case by its raw value.
    @_disfavoredOverload
    public func read<E: RawRepresentable>(
        _ path: KeyPath<Root, E?>, named name: String
    ) throws -> E? where E.RawValue: PropertyValue & Equatable {
        guard let index = properties.index(of: name, storedAs: E.RawValue.propertyType) else {
            return try readWhole(path)
        }
        guard let raw = try row.read(index, as: E.RawValue?.self) else { return nil }
        return try E(rawValue: raw) ?? readWhole(path)
    }

    /// Reads cases by their raw values.
    @_disfavoredOverload
    public func read<E: RawRepresentable>(
        _ path: KeyPath<Root, [E]>, named name: String
    ) throws -> [E] where E.RawValue: PropertyValue & Equatable {
        guard let index = properties.index(of: name, storedAs: [E.RawValue].propertyType) else {
            return try readWhole(path)
        }
        let raws = try row.read(index, as: [E.RawValue].self)
        let values = raws.compactMap { E(rawValue: $0) }
        return values.count == raws.count ? values : try readWhole(path)
    }

    /// Reads a case by its raw value.
    public func read<E: RawRepresentable & PropertyValue>(
        _ path: KeyPath<Root, E>, named name: String
    ) throws -> E where E.RawValue: PropertyValue & Equatable {
        guard let index = properties.index(of: name, storedAs: E.propertyType),
            E.propertyType == E.RawValue.propertyType,
            let value = try row.read(index, as: E.RawValue?.self).flatMap({ E(rawValue: $0) })
        else { return try readWhole(path) }
        return value
    }

    /// Reads an optional case by its raw value.
    public func read<E: RawRepresentable & PropertyValue>(
        _ path: KeyPath<Root, E?>, named name: String
    ) throws -> E? where E.RawValue: PropertyValue & Equatable {
        guard let index = properties.index(of: name, storedAs: E.propertyType),
            E.propertyType == E.RawValue.propertyType
        else { return try readWhole(path) }
        guard let raw = try row.read(index, as: E.RawValue?.self) else { return nil }
        return try E(rawValue: raw) ?? readWhole(path)
    }
}
