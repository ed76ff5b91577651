/// The properties of a type for use in conditions: one ``Property`` for each property, with its
/// name.
///
/// The macros and the generator generate a conforming type inside the entity:
///
/// ```swift
/// extension Person {
///     struct QueryProperties: QueryableProperties {
///         var age: Property<Person, Int> { Property("age") }
///     }
/// }
///
/// let adults = Person.age >= 18
/// ```
///
/// Its members are available as static members of the type, unless the type itself has a member
/// with that name. For such a property use `Person.QueryProperties().age`.
public protocol QueryableProperties: Sendable {
    /// Creates an instance. It has no state.
    init()
}

/// The ``QueryableProperties`` of a type that declares none, or that declares static members
/// instead.
public struct NoQueryProperties: QueryableProperties {
    /// Creates an instance.
    public init() {}
}

extension Storable {
    /// Returns the property for use in conditions, as a member of the type: `Person.age`.
    public static subscript<Value>(
        dynamicMember path: KeyPath<QueryProperties, Property<Self, Value>>
    ) -> Property<Self, Value> { QueryProperties()[keyPath: path] }

    /// Exists for its message: a property in a condition is never nil.
    @_disfavoredOverload
    @available(*, unavailable, message: "a condition on an optional property needs no '?' or '!'")
    public static subscript<Value>(
        dynamicMember path: KeyPath<QueryProperties, Property<Self, Value>>
    ) -> Property<Self, Value>? { preconditionFailure("unavailable") }
}
