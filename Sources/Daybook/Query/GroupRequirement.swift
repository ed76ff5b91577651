import DaybookBytes
import DaybookQuery

/// Which groups are wanted: a condition on what their objects come to. A value, as ``Condition``.
public struct GroupRequirement<E: Entity>: Sendable {
    indirect enum Content: Sendable {
        case compare(GroupContent, QueryComparison, QueryValue)
        case and(Content, Content)
        case or(Content, Content)
        case not(Content)
    }

    let content: Content
    let failure: DaybookError?

    private init(_ content: Content, _ failure: DaybookError?) {
        self.content = content
        self.failure = failure
    }

    fileprivate init<Value>(
        _ value: GroupValue<E, Value>, _ comparison: QueryComparison, _ operand: Value
    ) {
        do {
            let stored = try value.conversion.queryValue(of: operand)
            self.init(.compare(value.content, comparison, stored), value.content.failure)
        } catch {
            self.init(
                .compare(value.content, comparison, .null), DaybookError(inCondition: error))
        }
    }

    /// Whether both are true.
    public static func && (one: Self, other: Self) -> Self {
        Self(.and(one.content, other.content), one.failure ?? other.failure)
    }

    /// Whether one of them is true, or both.
    public static func || (one: Self, other: Self) -> Self {
        Self(.or(one.content, other.content), one.failure ?? other.failure)
    }

    /// Whether it is false.
    public static prefix func ! (condition: Self) -> Self {
        Self(.not(condition.content), condition.failure)
    }
}

extension GroupValue {
    /// Whether it has a value.
    public static func == (value: Self, operand: Value) -> GroupRequirement<E> {
        GroupRequirement(value, .equal, operand)
    }

    /// The opposite of `==`.
    public static func != (value: Self, operand: Value) -> GroupRequirement<E> {
        GroupRequirement(value, .notEqual, operand)
    }
}

extension GroupValue where Value: OrderedValue {
    /// Whether it is less.
    public static func < (value: Self, operand: Value.Operand) -> GroupRequirement<E> {
        GroupRequirement(value, .less, Value.ordered(operand))
    }

    /// Whether it is less or equal.
    public static func <= (value: Self, operand: Value.Operand) -> GroupRequirement<E> {
        GroupRequirement(value, .lessOrEqual, Value.ordered(operand))
    }

    /// Whether it is greater.
    public static func > (value: Self, operand: Value.Operand) -> GroupRequirement<E> {
        GroupRequirement(value, .greater, Value.ordered(operand))
    }

    /// Whether it is greater or equal.
    public static func >= (value: Self, operand: Value.Operand) -> GroupRequirement<E> {
        GroupRequirement(value, .greaterOrEqual, Value.ordered(operand))
    }
}
