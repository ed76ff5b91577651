import DaybookQuery

extension Property where Value: OrderedValue {
    /// Whether the property is less than a value. False if the property is nil. Strings are ordered
    /// by their Unicode scalars.
    public static func < (property: Self, value: Value.Operand) -> Condition<Root> {
        property.compared(.less, to: value)
    }

    /// Whether the property is less than or equal to a value. False if the property is nil.
    public static func <= (property: Self, value: Value.Operand) -> Condition<Root> {
        property.compared(.lessOrEqual, to: value)
    }

    /// Whether the property is greater than a value. False if the property is nil.
    public static func > (property: Self, value: Value.Operand) -> Condition<Root> {
        property.compared(.greater, to: value)
    }

    /// Whether the property is greater than or equal to a value. False if the property is nil.
    public static func >= (property: Self, value: Value.Operand) -> Condition<Root> {
        property.compared(.greaterOrEqual, to: value)
    }

    /// Whether one property is less than another. False if either is nil.
    public static func < <Other: OrderedValue>(
        one: Self, other: Property<Root, Other>
    ) -> Condition<Root> { one.compared(.less, to: other) }

    /// Whether one property is less than or equal to another. False if either is nil.
    public static func <= <Other: OrderedValue>(
        one: Self, other: Property<Root, Other>
    ) -> Condition<Root> { one.compared(.lessOrEqual, to: other) }

    /// Whether one property is greater than another. False if either is nil.
    public static func > <Other: OrderedValue>(
        one: Self, other: Property<Root, Other>
    ) -> Condition<Root> { one.compared(.greater, to: other) }

    /// Whether one property is greater than or equal to another. False if either is nil.
    public static func >= <Other: OrderedValue>(
        one: Self, other: Property<Root, Other>
    ) -> Condition<Root> { one.compared(.greaterOrEqual, to: other) }

    /// Whether the property is between two values, which are included and can be passed in either
    /// order.
    public func isBetween(_ one: Value.Operand, and other: Value.Operand) -> Condition<Root> {
        inside(one, other, isUpperIncluded: true)
    }

    func compared(
        _ comparison: QueryComparison, to value: Value.Operand, _ options: StringOptions = []
    ) -> Condition<Root> {
        Condition(term) {
            .compare($0, comparison, .value(try queryValue(of: value)), options)
        }
    }

    func inside(
        _ lower: Value.Operand, _ upper: Value.Operand, isUpperIncluded: Bool
    ) -> Condition<Root> {
        Condition(term) {
            .range(
                $0, lower: QueryBound(try queryValue(of: lower), isInclusive: true),
                upper: QueryBound(try queryValue(of: upper), isInclusive: isUpperIncluded))
        }
    }

    func queryValue(of operand: Value.Operand) throws -> QueryValue {
        try conversion.queryValue(of: Value.ordered(operand))
    }
}
