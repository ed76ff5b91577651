/// What stands for the properties of a type in conditions, one ``Property`` under the name of each.
///
/// The macros and the generator write it inside the type:
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
/// Its members are seen as static ones of the type, unless the type has some of these names itself.
/// Those are the type's, and what stands for such a property is `Person.QueryProperties().age`.
public protocol QueryableProperties: Sendable {
    /// Makes it. Nothing is kept in it.
    init()
}

/// What a type has that writes ``QueryableProperties`` of none, or static members instead.
public struct NoQueryProperties: QueryableProperties {
    /// Makes it.
    public init() {}
}

extension Storable {
    /// What stands for a property in conditions, as a member of the type: `Person.age`.
    public static subscript<Value>(
        dynamicMember path: KeyPath<QueryProperties, Property<Self, Value>>
    ) -> Property<Self, Value> { QueryProperties()[keyPath: path] }
}
