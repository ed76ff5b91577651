import DaybookQuery

/// Converts a raw-representable type that does not conform to `PropertyValue`.
struct RawConversion<Value: RawRepresentable>: ValueConversion
where Value.RawValue: PropertyValue & Equatable {
    func queryValue(of value: Value) throws -> QueryValue { try QueryValue(value.rawValue) }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Value {
        (try stored.made(types) as RawStored<Value>).value
    }
}

/// Converts arrays of such a type.
struct RawArrayConversion<Member: RawRepresentable>: ValueConversion
where Member.RawValue: PropertyValue & Equatable {
    func queryValue(of value: [Member]) throws -> QueryValue {
        try QueryValue(value.map { RawStored($0) })
    }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> [Member] {
        (try stored.made(types) as [RawStored<Member>]).map(\.value)
    }

    func elements<Element>(_ type: Element.Type) -> (any ValueConversion<Element>)? {
        RawConversion<Member>() as? any ValueConversion<Element>
    }
}

/// Converts sets of such a type.
struct RawSetConversion<Member: RawRepresentable & Hashable>: ValueConversion
where Member.RawValue: PropertyValue & Hashable {
    func queryValue(of value: Set<Member>) throws -> QueryValue {
        try QueryValue(Set(value.map { RawStored($0) }))
    }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Set<Member> {
        Set((try stored.made(types) as Set<RawStored<Member>>).map(\.value))
    }

    func elements<Element>(_ type: Element.Type) -> (any ValueConversion<Element>)? {
        RawConversion<Member>() as? any ValueConversion<Element>
    }
}

/// Converts dictionaries of such a type.
struct RawDictionaryConversion<Member: RawRepresentable>: ValueConversion
where Member.RawValue: PropertyValue & Equatable {
    func queryValue(of value: [String: Member]) throws -> QueryValue {
        try QueryValue(value.mapValues { RawStored($0) })
    }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> [String: Member] {
        (try stored.made(types) as [String: RawStored<Member>]).mapValues(\.value)
    }

    func elements<Element>(_ type: Element.Type) -> (any ValueConversion<Element>)? {
        RawConversion<Member>() as? any ValueConversion<Element>
    }
}
