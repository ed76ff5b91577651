/// Reads single properties of a stored object.
public struct ProjectionReader<Root: Entity>: ~Escapable {
    package let row: RowReader
    let properties: DeclaredProperties

    @_lifetime(copy row)
    init(_ row: borrowing RowReader, _ properties: DeclaredProperties) {
        self.row = copy row
        self.properties = properties
    }

    /// The object's id.
    public var id: Id { row.id }

    /// Reads a property and no other. `name` is what it is called in Swift.
    ///
    /// Where the value is not stored as values of the type are, as that of a computed property, of
    /// the id, or of one with a converter, the whole object is read for it. Throws as reading an
    /// object does.
    public func read<Value: PropertyValue>(
        _ path: KeyPath<Root, Value>, named name: String
    ) throws -> Value {
        guard let index = properties.index(of: name, storedAs: Value.propertyType) else {
            return try readWhole(path)
        }
        return try row.read(index)
    }

    /// Reads any value, for which the whole object is read.
    @_disfavoredOverload
    public func read<Value>(_ path: KeyPath<Root, Value>, named name: String) throws -> Value {
        try readWhole(path)
    }

    /// The index of the list of objects of that name; nil where it is not stored as one.
    package func index<E: Entity>(ofListNamed name: String, of target: E.Type) -> Int? {
        properties.index(of: name, storedAs: .objects(target))
    }

    /// Decodes the whole object, and takes one value of it.
    package func readWhole<Value>(_ path: KeyPath<Root, Value>) throws -> Value {
        try Root.decode(row)[keyPath: path]
    }
}
