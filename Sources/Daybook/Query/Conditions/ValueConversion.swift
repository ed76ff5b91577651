#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookQuery

/// Converts between the values of a property's type and the stored values that conditions compare.
protocol ValueConversion<Value>: Sendable {
    associatedtype Value

    /// Throws `.invalidValue` for a value that cannot be stored, and the errors of a converter.
    func queryValue(of value: Value) throws -> QueryValue

    /// Converts a stored value. Throws `.invalidArgument` if the conversion is only one-way.
    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Value

    /// The conversion of the elements of a collection; nil if `Element` is not their type.
    func elements<Element>(_ type: Element.Type) -> (any ValueConversion<Element>)?

    /// Returns the condition that a term has a value.
    func equality(_ term: PropertyTerm, _ value: Value) throws -> QueryCondition
}

extension ValueConversion {
    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Value {
        throw DaybookError(
            .invalidArgument,
            "Values of \(Value.self) cannot be created without the object. Use stored(as:), or"
                + " find the objects.", details: ["type": "\(Value.self)"])
    }

    func elements<Element>(_ type: Element.Type) -> (any ValueConversion<Element>)? {
        func made<Known: PropertyValue>(_ type: Known.Type) -> Any { PlainConversion<Known>() }
        guard let known = type as? any PropertyValue.Type else { return nil }
        return made(known) as? any ValueConversion<Element>
    }

    func equality(_ term: PropertyTerm, _ value: Value) throws -> QueryCondition {
        .compare(term.value, .equal, .value(try queryValue(of: value)), [])
    }
}

/// Converts a type that defines its stored form.
struct PlainConversion<Value: PropertyValue>: ValueConversion {
    func queryValue(of value: Value) throws -> QueryValue { try QueryValue(value) }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Value {
        try stored.made(types)
    }

    func equality(_ term: PropertyTerm, _ value: Value) throws -> QueryCondition {
        if let value = value as? any Embedded {
            return try EmbeddedEquality.condition(term, value)
        }
        return .compare(term.value, .equal, .value(try queryValue(of: value)), [])
    }
}

/// Rejects values of types that cannot be compared, such as backlinks.
struct NoConversion<Value>: ValueConversion {
    func queryValue(of value: Value) throws -> QueryValue {
        throw DaybookError(
            .invalidArgument,
            "A \(Value.self) cannot be compared as a whole. Use any, all, none or count.",
            details: ["type": "\(Value.self)"])
    }
}

/// Converts typed ids.
struct IdentityConversion<Value: ObjectIdentity>: ValueConversion {
    func queryValue(of value: Value) -> QueryValue { .integer(Int128(value.objectId)) }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Value {
        Value(objectId: try stored.made(types))
    }
}

/// Adds nil to another conversion.
struct OptionalConversion<Inner: ValueConversion>: ValueConversion {
    let inner: Inner

    init(_ inner: Inner) { self.inner = inner }

    func queryValue(of value: Inner.Value?) throws -> QueryValue {
        try value.map { try inner.queryValue(of: $0) } ?? .null
    }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Inner.Value? {
        stored == .null ? nil : try inner.value(of: stored, types)
    }

    func elements<Element>(_ type: Element.Type) -> (any ValueConversion<Element>)? {
        inner.elements(type)
    }

    func equality(_ term: PropertyTerm, _ value: Inner.Value?) throws -> QueryCondition {
        guard let value else { return .compare(term.value, .equal, .value(.null), []) }
        return try inner.equality(term, value)
    }
}

/// Converts dates with nanosecond precision.
struct NanosecondConversion: ValueConversion {
    func queryValue(of value: Date) throws -> QueryValue {
        .moment(try value.moment(inNanoseconds: true))
    }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Date {
        (try stored.made(types) as NanosecondDate).date
    }
}

/// Converts values that are stored as JSON.
struct EncodedConversion<Value: Codable>: ValueConversion {
    func queryValue(of value: Value) throws -> QueryValue {
        .json(OrderedJSON(Array(try EncodedText.encode(value).utf8)))
    }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Value {
        (try stored.made(types) as EncodedValue<Value>).value
    }
}

/// Converts values with a property's converter.
struct ConverterConversion<Value, Stored: PropertyValue>: ValueConversion {
    private let convert: @Sendable (Value) throws -> Stored?

    init(_ convert: @escaping @Sendable (Value) throws -> Stored?) { self.convert = convert }

    func queryValue(of value: Value) throws -> QueryValue {
        let stored = try Engine.withoutStores { try convert(value) }
        return try stored.map { try QueryValue($0) } ?? .null
    }
}
