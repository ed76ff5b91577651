/// Reads single properties of a stored object.
public struct ProjectionReader<Root: Storable>: ~Escapable {
    package let row: RowReader
    let properties: DeclaredProperties

    @_lifetime(copy row)
    init(_ row: borrowing RowReader, _ properties: DeclaredProperties) {
        self.row = copy row
        self.properties = properties
    }

    /// The object's id.
    public var id: Id { row.id }

    /// Reads only one property. `name` is its Swift name.
    ///
    /// If the value is not stored as values of its type are, such as a computed property, the id,
    /// or a property with a converter, the whole object is read. Throws as reading an object.
    public func read<Value: PropertyValue>(
        _ path: KeyPath<Root, Value>, named name: String
    ) throws -> Value {
        guard let index = properties.index(of: name, storedAs: Value.propertyType) else {
            return try readWhole(path)
        }
        return try row.read(index)
    }

    /// Reads a value of any type. Reads the whole object.
    @_disfavoredOverload
    public func read<Value>(_ path: KeyPath<Root, Value>, named name: String) throws -> Value {
        try readWhole(path)
    }

    /// Returns the index of the property with the name; nil if it is not stored as that type.
    package func index(of name: String, storedAs type: PropertyType) -> Int? {
        properties.index(of: name, storedAs: type)
    }

    /// Decodes the whole object, and returns one value of it.
    package func readWhole<Value>(_ path: KeyPath<Root, Value>) throws -> Value {
        try Root.decode(row)[keyPath: path]
    }
}
