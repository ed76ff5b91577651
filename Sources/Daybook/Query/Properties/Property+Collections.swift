import DaybookBytes
import DaybookQuery

// Conditions on the elements of arrays, sets and dictionaries. Nil behaves like an empty
// collection, except that its count and its sum are nil.

extension Property where Value: CollectionValue {
    /// Whether an element is equal to a value.
    public func contains(_ element: Value.Member) -> Condition<Root> {
        any { $0 == element }
    }

    /// Whether at least one element matches the condition: `Order.sizes.any { $0 > 3 }`.
    public func any(
        _ condition: (Property<QueryElement, Value.Member>) -> Condition<QueryElement>
    ) -> Condition<Root> { quantified(.any, condition) }

    /// Whether all elements match the condition. True for an empty collection.
    public func all(
        _ condition: (Property<QueryElement, Value.Member>) -> Condition<QueryElement>
    ) -> Condition<Root> { quantified(.all, condition) }

    /// Whether no element matches the condition.
    public func none(
        _ condition: (Property<QueryElement, Value.Member>) -> Condition<QueryElement>
    ) -> Condition<Root> { quantified(.none, condition) }

    /// The number of elements.
    @_disfavoredOverload
    public var count: Property<Root, Int> {
        aggregated(.count, PlainConversion<Int>())
    }

    private func quantified(
        _ quantifier: QueryQuantifier,
        _ condition: (Property<QueryElement, Value.Member>) -> Condition<QueryElement>
    ) -> Condition<Root> {
        do throws(DaybookError) {
            if let failure = term.failure { throw failure }
            guard case .property(let path) = term.expression,
                let conversion = conversion.elements(Value.Member.self)
            else {
                throw DaybookError(
                    .invalidArgument,
                    "A condition on elements requires a property whose elements are stored values."
                )
            }
            let element = Property<QueryElement, Value.Member>(.element, conversion)
            return Condition(around: condition(element)) { inner in
                term.wrapped(
                    term.areKeys
                        ? .keys(path, quantifier, inner) : .elements(path, quantifier, inner))
            }
        } catch {
            return Condition(failing: error)
        }
    }

    func aggregated<Result>(
        _ aggregate: QueryAggregate, _ conversion: any ValueConversion<Result>
    ) -> Property<Root, Result> {
        Property<Root, Result>(term.aggregated(aggregate, isCollection: true), conversion)
    }
}

extension Property where Value: CollectionValue, Value: OptionalValue {
    /// The number of elements; nil if the collection is nil.
    public var count: Property<Root, Int?> { aggregated(.count, PlainConversion<Int?>()) }
}

extension Property where Value: MapValue {
    /// The value for a key; nil if the map does not contain the key.
    public subscript(key: String) -> Property<Root, Value.Member?> {
        var entry = term
        do throws(DaybookError) {
            entry.expression = .entry(try term.path(for: "An entry"), key: key)
            guard let conversion = conversion.elements(Value.Member.self) else {
                throw DaybookError(.invalidArgument, "The values of the map are not stored values.")
            }
            return Property<Root, Value.Member?>(entry, conversion.optional)
        } catch {
            return Property<Root, Value.Member?>(
                PropertyTerm(failing: error), NoConversion<Value.Member?>())
        }
    }

    /// The keys of the map.
    public var keys: Property<Root, MapKeys> {
        var keys = term
        keys.areKeys = true
        return Property<Root, MapKeys>(keys, NoConversion<MapKeys>())
    }
}
