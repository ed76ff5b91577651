import DaybookQuery

extension Property where Value: OrderedValue {
    /// Whether it is less. Never true of nil. Texts stand in the order of their Unicode scalars.
    public static func < (property: Self, value: Value.Operand) -> Condition<Root> {
        property.compared(.less, to: value)
    }

    /// Whether it is less or equal. Never true of nil.
    public static func <= (property: Self, value: Value.Operand) -> Condition<Root> {
        property.compared(.lessOrEqual, to: value)
    }

    /// Whether it is greater. Never true of nil.
    public static func > (property: Self, value: Value.Operand) -> Condition<Root> {
        property.compared(.greater, to: value)
    }

    /// Whether it is greater or equal. Never true of nil.
    public static func >= (property: Self, value: Value.Operand) -> Condition<Root> {
        property.compared(.greaterOrEqual, to: value)
    }

    /// Whether it is less than another property. False where one of them is nil.
    public static func < <Other: OrderedValue>(
        one: Self, other: Property<Root, Other>
    ) -> Condition<Root> { one.compared(.less, to: other) }

    /// Whether it is less than another property, or equal. False where one of them is nil.
    public static func <= <Other: OrderedValue>(
        one: Self, other: Property<Root, Other>
    ) -> Condition<Root> { one.compared(.lessOrEqual, to: other) }

    /// Whether it is greater than another property. False where one of them is nil.
    public static func > <Other: OrderedValue>(
        one: Self, other: Property<Root, Other>
    ) -> Condition<Root> { one.compared(.greater, to: other) }

    /// Whether it is greater than another property, or equal. False where one of them is nil.
    public static func >= <Other: OrderedValue>(
        one: Self, other: Property<Root, Other>
    ) -> Condition<Root> { one.compared(.greaterOrEqual, to: other) }

    /// Whether it is one of two values or between them, whichever of them is less.
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
