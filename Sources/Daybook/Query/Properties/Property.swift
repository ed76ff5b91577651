#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookQuery

/// What a condition looks at: a property of a type, or what is reached through its relations,
/// embedded values and collections.
///
/// The macros and the generator write one for each property, beside it and under its name:
///
/// ```swift
/// extension Person {
///     struct QueryProperties: QueryableProperties {
///         var age: Property<Person, Int> { Property("age") }
///     }
/// }
///
/// let adults = Person.age >= 18 && Person.name.startsWith("S")
/// ```
///
/// It is a name and no more: nothing is looked up, and nothing is wrong with it, until a query is
/// built or run. Members that lead on, such as `Order.customer.name`, are properties, too. Where a
/// property's name is also one of this type's own members, say ``subscript(member:)``.
@dynamicMemberLookup
public struct Property<Root, Value>: Sendable {
    let term: PropertyTerm
    let conversion: any ValueConversion<Value>

    init(_ term: PropertyTerm, _ conversion: any ValueConversion<Value>) {
        self.term = term
        self.conversion = conversion
    }

    init(_ expression: QueryExpression, _ conversion: any ValueConversion<Value>) {
        self.init(PropertyTerm(expression), conversion)
    }

    init(named name: String, _ conversion: any ValueConversion<Value>) {
        var term = PropertyTerm(.property(PropertyPath([name])))
        term.isToOne = Value.self is any ToOneRelation.Type
        self.init(term, conversion)
    }

    /// The property of that name in Swift; also a relation, or a backlink under its name.
    public init(_ name: String) where Value: PropertyValue {
        self.init(named: name, PlainConversion<Value>())
    }

    /// The relation of that name in Swift, of a type that has no stored value of its own.
    package init(relationNamed name: String) { self.init(named: name, NoConversion<Value>()) }

    /// The id of the type, which `name` is the property of.
    public init(identity name: String) where Value: ObjectIdentity {
        self.init(.property(.ownId), IdentityConversion<Value>())
    }

    /// The `Date` of that name, which is kept to the nanosecond.
    public init(nanoseconds name: String) where Value == Date {
        self.init(named: name, NanosecondConversion())
    }

    /// The optional `Date` of that name, which is kept to the nanosecond.
    public init(nanoseconds name: String) where Value == Date? {
        self.init(named: name, OptionalConversion(NanosecondConversion()))
    }

    /// The property of that name, which is kept as JSON. It can be compared whole, by `==`.
    @_disfavoredOverload
    public init(encoded name: String) where Value: Codable {
        self.init(named: name, EncodedConversion<Value>())
    }

    /// The optional property of that name, which is kept as JSON.
    public init<Wrapped: Codable>(encoded name: String) where Value == Wrapped? {
        self.init(named: name, OptionalConversion(EncodedConversion<Wrapped>()))
    }

    /// The property of that name, which a converter turns into values of `type`. Values in
    /// conditions go through it, too; what it throws, building or running the query throws.
    public init<Stored: PropertyValue>(
        _ name: String, converting type: Stored.Type,
        with convert: @escaping @Sendable (Value) throws -> Stored
    ) {
        self.init(named: name, ConverterConversion(convert))
    }

    /// The property of that name, which a converter turns into values of `type` or none.
    @_disfavoredOverload
    public init<Stored: PropertyValue>(
        _ name: String, converting type: Stored.Type,
        with convert: @escaping @Sendable (Value) throws -> Stored?
    ) {
        self.init(named: name, ConverterConversion(convert))
    }
}
