// Types of properties that a row cannot store. Generated code calls these for them, so that the
// compiler reports the remedy.

extension PropertyDescription {
    /// Exists for its message: a value of this type cannot be stored.
    @_disfavoredOverload
    @available(*, unavailable, message: "use ToOne, ToMany, @Embedded, @Encoded or @Convert")
    public static func property<Value>(
        _ name: String, _ type: Value.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription { preconditionFailure("unavailable") }

    /// Exists for its message: a value of this type cannot be stored.
    @_disfavoredOverload
    @available(*, unavailable, message: "use ToOne, ToMany, @Embedded, @Encoded or @Convert")
    public static func property<Root, Value>(
        _ name: String, _ path: KeyPath<Root, Value>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription { preconditionFailure("unavailable") }
}

extension Property {
    /// Exists for its message: a value of this type cannot be stored.
    @_disfavoredOverload
    @available(*, unavailable, message: "the type of this property cannot be stored")
    public init(_ name: String) { preconditionFailure("unavailable") }
}

extension RowReader {
    /// Exists for its message: a value of this type cannot be stored.
    @_disfavoredOverload
    @available(*, unavailable, message: "the type of this property cannot be stored")
    public func read<Value>(_ index: Int, as type: Value.Type = Value.self) throws -> Value {
        preconditionFailure("unavailable")
    }
}

extension RowWriter {
    /// Exists for its message: a value of this type cannot be stored.
    @_disfavoredOverload
    @available(*, unavailable, message: "the type of this property cannot be stored")
    public mutating func write<Value>(_ value: Value, at index: Int) throws {
        preconditionFailure("unavailable")
    }
}
