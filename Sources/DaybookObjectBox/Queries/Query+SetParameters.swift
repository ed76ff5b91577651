public import Daybook

// Parameters that change a query in place: also for its copies, and for the property queries made
// from it. Of several conditions on a property, the first one changes. Daybook's `setting` returns
// another query.
//
// The methods throw no error. If a value does not fit, each further run of the query throws the
// error of `setting`, until the same parameter is set to a value that fits.

extension Query {
    /// As `setting(_:to:)`.
    public func setParameter<Root, Value>(
        _ property: Daybook.Property<Root, Value>, to value: Value
    ) { setParameter(of: property) { try $0.setting(property, to: value) } }

    /// As `setting(_:to:)` with an id.
    public func setParameter<Root, Relation: ToOneRelation>(
        _ property: Daybook.Property<Root, Relation>, to id: EntityId<Relation.Target>
    ) { setParameter(of: property) { try $0.setting(property, to: id) } }

    /// As `setting(_:to:)` with an element of a collection.
    @_disfavoredOverload
    public func setParameter<Root, Value: CollectionValue>(
        _ property: Daybook.Property<Root, Value>, to value: Value.Member
    ) { setParameter(of: property) { try $0.setting(property, to: value) } }

    /// As `setting(_:to:_:)`. For an approximate comparison, the values are the bounds of its
    /// range, in any order, as in ObjectBox.
    public func setParameters<Root, Value>(
        _ property: Daybook.Property<Root, Value>, to one: Value, _ other: Value
    ) {
        setParameter(of: property) { query in
            let near = Self.approximated(by: one, other) {
                try query.setting(property, toEqual: $0, tolerance: $1)
            }
            if let near { return near }
            return try query.setting(property, to: one, other)
        }
    }

    /// The query whose approximate comparison has these bounds; nil for other values, and if `set`
    /// throws because the condition is another one.
    private static func approximated(
        by one: Any, _ other: Any, _ set: (_ middle: Double, _ tolerance: Double) throws -> Query
    ) -> Query? {
        guard let range = range(one, other) else { return nil }
        return try? set(range.middle, range.tolerance)
    }

    /// The middle of a range of floating-point numbers and the distance of its bounds, which is
    /// rounded up so that the range contains them; nil for other values.
    private static func range(_ one: Any, _ other: Any) -> (middle: Double, tolerance: Double)? {
        guard let one = number(one), let other = number(other) else { return nil }
        let (low, high) = (min(one, other), max(one, other))
        let middle = low + (high - low) / 2
        var tolerance = max(middle - low, high - middle)
        if middle - tolerance > low || middle + tolerance < high { tolerance = tolerance.nextUp }
        return (middle, tolerance)
    }

    private static func number(_ value: Any) -> Double? {
        value as? Double ?? (value as? Float).map { Double($0) }
    }

    /// As `setting(_:toOneOf:)`.
    public func setParameters<Root, Value>(
        _ property: Daybook.Property<Root, Value>, to values: [Value]
    ) { setParameter(of: property) { try $0.setting(property, toOneOf: values) } }

    /// As `setting(_:toOneOf:)` with elements of a collection.
    @_disfavoredOverload
    public func setParameters<Root, Value: CollectionValue>(
        _ property: Daybook.Property<Root, Value>, to values: [Value.Member]
    ) { setParameter(of: property) { try $0.setting(property, toOneOf: values) } }

    /// As `setting(_:toEqual:tolerance:)`.
    public func setParameter<Root, Value>(
        _ property: Daybook.Property<Root, Value>, toEqual value: Double, tolerance: Double
    ) {
        setParameter(of: property) {
            try $0.setting(property, toEqual: value, tolerance: tolerance)
        }
    }

    /// As `setting(_:to:)` with an alias. For a search for nearest neighbours, an array of numbers
    /// is its vector, and an integer its maximum number of objects, as in ObjectBox.
    public func setParameter<Value: PropertyValue>(
        _ alias: String, to value: Value
    ) {
        setParameter(named: alias) { query in
            let vector = value as? [Float] ?? (value as? [Double])?.map { Float($0) }
            if let vector, let nearest = try? query.setting(alias, nearestTo: vector) {
                return nearest
            }
            if let count = value as? Int,
                let nearest = try? query.setting(alias, nearestCount: count)
            {
                return nearest
            }
            return try query.setting(alias, to: value)
        }
    }

    /// As `setting(_:to:)` with an alias and a raw value.
    @_disfavoredOverload
    public func setParameter<Value: RawRepresentable>(
        _ alias: String, to value: Value
    ) where Value.RawValue: PropertyValue & Equatable {
        setParameter(named: alias) { try $0.setting(alias, to: value) }
    }

    /// As `setting(_:to:)` with an alias and an id.
    public func setParameter<Target>(_ alias: String, to id: EntityId<Target>) {
        setParameter(named: alias) { try $0.setting(alias, to: id) }
    }

    /// As `setting(_:to:_:)` with an alias. For an approximate comparison, the values are the
    /// bounds of its range, in any order, as in ObjectBox.
    public func setParameters<Value: PropertyValue>(
        _ alias: String, to one: Value, _ other: Value
    ) {
        setParameter(named: alias) { query in
            let near = Self.approximated(by: one, other) {
                try query.setting(alias, toEqual: $0, tolerance: $1)
            }
            if let near { return near }
            return try query.setting(alias, to: one, other)
        }
    }

    /// As `setting(_:toOneOf:)` with an alias.
    public func setParameters<Value: PropertyValue>(
        _ alias: String, to values: [Value]
    ) { setParameter(named: alias) { try $0.setting(alias, toOneOf: values) } }

    /// As `setting(_:toOneOf:)` with an alias and raw values.
    @_disfavoredOverload
    public func setParameters<Value: RawRepresentable>(
        _ alias: String, to values: [Value]
    ) where Value.RawValue: PropertyValue & Equatable {
        setParameter(named: alias) { try $0.setting(alias, toOneOf: values) }
    }

    /// As `setting(_:toEqual:tolerance:)` with an alias.
    public func setParameter(_ alias: String, toEqual value: Double, tolerance: Double) {
        setParameter(named: alias) {
            try $0.setting(alias, toEqual: value, tolerance: tolerance)
        }
    }

    /// As ``setParameter(_:toEqual:tolerance:)-(String,_,_)``.
    public func setParameters(_ alias: String, toEqual value: Double, tolerance: Double) {
        setParameter(alias, toEqual: value, tolerance: tolerance)
    }
}
