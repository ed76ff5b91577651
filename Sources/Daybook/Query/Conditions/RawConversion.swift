import DaybookQuery

/// Of a type with raw values that does not state that it is a property's.
struct RawConversion<Value: RawRepresentable>: ValueConversion
where Value.RawValue: PropertyValue & Equatable {
    func queryValue(of value: Value) throws -> QueryValue { try QueryValue(value.rawValue) }

    func value(of stored: QueryValue, _ types: StoreTypes) throws -> Value {
        (try stored.made(types) as RawStored<Value>).value
    }
}

/// Of arrays of such.
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

/// Of sets of such.
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

/// Of dictionaries of such.
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
