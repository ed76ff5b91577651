import DaybookBytes
import DaybookQuery

// Calculations with properties: `$0.price * $0.count > 100`. The result is nil if an operand is
// nil. Integers are calculated exactly, in 128 bits; a result that exceeds them is `.overflow`.

extension Property where Value: NumericValue {
    /// The sum of the property and a number.
    public static func + (property: Self, number: Value.Operand) -> Self {
        property.calculated(.add, number)
    }

    /// The difference of the property and a number.
    public static func - (property: Self, number: Value.Operand) -> Self {
        property.calculated(.subtract, number)
    }

    /// The product of the property and a number.
    public static func * (property: Self, number: Value.Operand) -> Self {
        property.calculated(.multiply, number)
    }

    /// The sum of a number and the property.
    public static func + (number: Value.Operand, property: Self) -> Self {
        property.calculated(.add, number, isFirst: false)
    }

    /// The difference of a number and the property.
    public static func - (number: Value.Operand, property: Self) -> Self {
        property.calculated(.subtract, number, isFirst: false)
    }

    /// The product of a number and the property.
    public static func * (number: Value.Operand, property: Self) -> Self {
        property.calculated(.multiply, number, isFirst: false)
    }

    /// The sum of two properties.
    public static func + (one: Self, other: Self) -> Self { one.calculated(.add, with: other) }

    /// The difference of two properties.
    public static func - (one: Self, other: Self) -> Self {
        one.calculated(.subtract, with: other)
    }

    /// The product of two properties.
    public static func * (one: Self, other: Self) -> Self {
        one.calculated(.multiply, with: other)
    }

    /// Adds a number, in ``Query/update(_:)``.
    public static func += (property: inout Self, number: Value.Operand) {
        property = property + number
    }

    /// Subtracts a number, in ``Query/update(_:)``.
    public static func -= (property: inout Self, number: Value.Operand) {
        property = property - number
    }

    /// Multiplies by a number, in ``Query/update(_:)``.
    public static func *= (property: inout Self, number: Value.Operand) {
        property = property * number
    }

    /// Adds another property, in ``Query/update(_:)``.
    public static func += (property: inout Self, other: Self) { property = property + other }

    /// Subtracts another property, in ``Query/update(_:)``.
    public static func -= (property: inout Self, other: Self) { property = property - other }

    /// Multiplies by another property, in ``Query/update(_:)``.
    public static func *= (property: inout Self, other: Self) { property = property * other }
}

extension Property where Value: NumericValue, Value.Operand: PropertyValue {
    /// The sum of two properties of which one is optional.
    @_disfavoredOverload
    public static func + <Other: NumericValue>(
        one: Self, other: Property<Root, Other>
    ) -> Property<Root, Value.Operand?> where Other.Operand == Value.Operand {
        one.calculatedOptional(.add, with: other)
    }

    /// The difference of two properties of which one is optional.
    @_disfavoredOverload
    public static func - <Other: NumericValue>(
        one: Self, other: Property<Root, Other>
    ) -> Property<Root, Value.Operand?> where Other.Operand == Value.Operand {
        one.calculatedOptional(.subtract, with: other)
    }

    /// The product of two properties of which one is optional.
    @_disfavoredOverload
    public static func * <Other: NumericValue>(
        one: Self, other: Property<Root, Other>
    ) -> Property<Root, Value.Operand?> where Other.Operand == Value.Operand {
        one.calculatedOptional(.multiply, with: other)
    }

    private func calculatedOptional<Other>(
        _ function: QueryFunction, with other: Property<Root, Other>
    ) -> Property<Root, Value.Operand?> {
        Property<Root, Value.Operand?>(
            PropertyTerm(function, [term, other.term]), PlainConversion())
    }
}

extension Property where Value: OrderedValue & TextValue, Value.Operand == String {
    /// The string of the property, followed by another string.
    public static func + (property: Self, text: String) -> Self {
        property.calculated(.add, text)
    }

    /// A string, followed by that of the property.
    public static func + (text: String, property: Self) -> Self {
        property.calculated(.add, text, isFirst: false)
    }

    /// The strings of two properties, joined.
    public static func + (one: Self, other: Self) -> Self { one.calculated(.add, with: other) }

    /// Exists for its message: a condition compares strings with options.
    @available(*, unavailable, message: "use equals(_:options:) with .caseInsensitive")
    public func lowercased() -> Self { self }

    /// Exists for its message: a condition compares strings with options.
    @available(*, unavailable, message: "use equals(_:options:) with .caseInsensitive")
    public func uppercased() -> Self { self }

    /// Appends a string, in ``Query/update(_:)``.
    public static func += (property: inout Self, text: String) { property = property + text }

    /// Appends the string of another property, in ``Query/update(_:)``.
    public static func += (property: inout Self, other: Self) { property = property + other }
}

extension Property where Value == String {
    /// The number of Unicode scalars of the string, which is the same on each platform.
    public var length: Property<Root, Int> {
        Property<Root, Int>(PropertyTerm(.length, [term]), PlainConversion())
    }
}

extension Property where Value == String? {
    /// The number of Unicode scalars of the string; nil if there is none.
    public var length: Property<Root, Int?> {
        Property<Root, Int?>(PropertyTerm(.length, [term]), PlainConversion())
    }
}

extension Property where Value: OrderedValue {
    fileprivate func calculated(
        _ function: QueryFunction, _ operand: Value.Operand, isFirst: Bool = true
    ) -> Self {
        let constant: PropertyTerm
        do {
            constant = PropertyTerm(.value(try queryValue(of: operand)))
        } catch {
            constant = PropertyTerm(failing: DaybookError(inCondition: error))
        }
        let operands = isFirst ? [term, constant] : [constant, term]
        return Property(PropertyTerm(function, operands), conversion)
    }

    fileprivate func calculated(_ function: QueryFunction, with other: Self) -> Self {
        Property(PropertyTerm(function, [term, other.term]), conversion)
    }
}
