#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookQuery

/// How values of a property's type become what the store compares, and back.
protocol ValueConversion<Value>: Sendable {
    associatedtype Value

    /// Throws `.invalidValue` for what cannot be stored, and what a converter throws.
    func queryValue(of value: Value) throws -> QueryValue

    /// Makes a value of what a row holds. Throws `.invalidArgument` where there is no way back.
    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Value

    /// How the elements of a collection become values; nil where it holds others.
    func elements<Element>(_ type: Element.Type) -> (any ValueConversion<Element>)?

    /// The condition that a term has a value.
    func equality(_ term: PropertyTerm, _ value: Value) throws -> QueryCondition
}

extension ValueConversion {
    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Value {
        throw DaybookError(
            .invalidArgument,
            "Values of \(Value.self) cannot be made of what is stored without the object. Ask for"
                + " stored(as:), or find the objects.", details: ["type": "\(Value.self)"])
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

/// Of a type that says itself how it is stored.
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

/// Of what only the store has values of, such as the objects of a backlink.
struct NoConversion<Value>: ValueConversion {
    func queryValue(of value: Value) throws -> QueryValue {
        throw DaybookError(
            .invalidArgument,
            "A \(Value.self) is not compared as a whole. Use any, all, none or count.",
            details: ["type": "\(Value.self)"])
    }
}

/// Of ids.
struct IdentityConversion<Value: ObjectIdentity>: ValueConversion {
    func queryValue(of value: Value) -> QueryValue { .integer(Int128(value.objectId)) }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Value {
        Value(objectId: try stored.made(types))
    }
}

/// Of a type with nil in addition.
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

/// Of dates that are kept to the nanosecond.
struct NanosecondConversion: ValueConversion {
    func queryValue(of value: Date) throws -> QueryValue {
        .moment(try value.moment(inNanoseconds: true))
    }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Date {
        (try stored.made(types) as NanosecondDate).date
    }
}

/// Of values that are kept as JSON.
struct EncodedConversion<Value: Codable>: ValueConversion {
    func queryValue(of value: Value) throws -> QueryValue {
        .stored(Array(try EncodedText.encode(value).utf8))
    }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Value {
        (try stored.made(types) as EncodedValue<Value>).value
    }
}

/// Of values that a converter turns into others.
struct ConverterConversion<Value, Stored: PropertyValue>: ValueConversion {
    private let convert: @Sendable (Value) throws -> Stored?

    init(_ convert: @escaping @Sendable (Value) throws -> Stored?) { self.convert = convert }

    func queryValue(of value: Value) throws -> QueryValue {
        let stored = try Engine.withoutStores { try convert(value) }
        return try stored.map { try QueryValue($0) } ?? .null
    }
}
