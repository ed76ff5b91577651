#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookQuery

/// The subject of a condition: a property of a type, or a property of its related objects, embedded
/// values or collections.
///
/// The macros and the generator declare one for each stored property, under its name:
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
/// A property is only a name: it is not resolved, and throws no error, until a query is built or
/// run. Paths such as `Order.customer.name` are properties, too. If the name of a property is also
/// a member of this type, use ``subscript(member:)``.
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
        var term = PropertyTerm(named: name)
        term.isToOne = Value.self is any ToOneRelation.Type
        self.init(term, conversion)
    }

    /// Creates the property with a Swift name. It may be a relation or a backlink.
    public init(_ name: String) where Value: PropertyValue {
        self.init(named: name, PlainConversion<Value>())
    }

    /// Creates the relation with a Swift name. Its type has no stored value.
    package init(relationNamed name: String) { self.init(named: name, NoConversion<Value>()) }

    /// Creates the id property of the type. `name` is its Swift name.
    public init(identity name: String) where Value: ObjectIdentity {
        self.init(.property(.ownId), IdentityConversion<Value>())
    }

    /// Creates the property of a `Date` that is stored with nanosecond precision.
    public init(nanoseconds name: String) where Value == Date {
        self.init(named: name, NanosecondConversion())
    }

    /// Creates the property of an optional `Date` that is stored with nanosecond precision.
    public init(nanoseconds name: String) where Value == Date? {
        self.init(named: name, OptionalConversion(NanosecondConversion()))
    }

    /// Creates a property that is stored as JSON. It can only be compared as a whole, with `==`.
    @_disfavoredOverload
    public init(encoded name: String) where Value: Codable {
        self.init(named: name, EncodedConversion<Value>())
    }

    /// Creates an optional property that is stored as JSON. It can only be compared as a whole,
    /// with `==`.
    public init<Wrapped: Codable>(encoded name: String) where Value == Wrapped? {
        self.init(named: name, OptionalConversion(EncodedConversion<Wrapped>()))
    }

    /// Creates a property that a converter stores as `type`. The values in conditions are
    /// converted, too; building or running the query throws the errors of the converter.
    public init<Stored: PropertyValue>(
        _ name: String, converting type: Stored.Type,
        with convert: @escaping @Sendable (Value) throws -> Stored
    ) {
        self.init(named: name, ConverterConversion(convert))
    }

    /// Creates a property that a converter stores as `type` or as no value.
    @_disfavoredOverload
    public init<Stored: PropertyValue>(
        _ name: String, converting type: Stored.Type,
        with convert: @escaping @Sendable (Value) throws -> Stored?
    ) {
        self.init(named: name, ConverterConversion(convert))
    }
}
