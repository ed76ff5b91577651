import DaybookBytes
import DaybookQuery

/// A condition on groups. A value, like ``Condition``.
public struct GroupRequirement<E: Entity>: Sendable {
    indirect enum Content: Combinable {
        case always(Bool)
        case compare(GroupContent, QueryComparison, QueryValue)
        case and([Content])
        case or([Content])
        case not(Content)

        func parts(isAnd: Bool) -> [Content]? {
            switch self {
            case .and(let parts) where isAnd: parts
            case .or(let parts) where !isAnd: parts
            default: nil
            }
        }

        var opposite: Content? {
            if case .not(let inner) = self { inner } else { nil }
        }
    }

    let combined: Combined<Content>

    private init(_ combined: Combined<Content>) { self.combined = combined }

    fileprivate init<Value>(
        _ value: GroupValue<E, Value>, _ comparison: QueryComparison, _ operand: Value
    ) {
        do {
            let stored = try value.conversion.queryValue(of: operand)
            self.init(Combined(.compare(value.content, comparison, stored)))
        } catch {
            self.init(Combined(.always(false), failure: DaybookError(inCondition: error)))
        }
    }

    /// Returns a condition that is true if both conditions are true.
    public static func && (one: Self, other: Self) -> Self {
        Self(one.combined.and(other.combined))
    }

    /// Returns a condition that is true if at least one of the conditions is true.
    public static func || (one: Self, other: Self) -> Self {
        Self(one.combined.or(other.combined))
    }

    /// Returns a condition that is true if `condition` is false.
    public static prefix func ! (condition: Self) -> Self { Self(condition.combined.opposite) }
}

extension GroupValue {
    /// Whether the value of a group is equal to `operand`.
    public static func == (value: Self, operand: Value) -> GroupRequirement<E> {
        GroupRequirement(value, .equal, operand)
    }

    /// Whether the value of a group is not equal to `operand`.
    public static func != (value: Self, operand: Value) -> GroupRequirement<E> {
        GroupRequirement(value, .notEqual, operand)
    }
}

extension GroupValue where Value: OrderedValue {
    /// Whether the value of a group is less than `operand`.
    public static func < (value: Self, operand: Value.Operand) -> GroupRequirement<E> {
        GroupRequirement(value, .less, Value.ordered(operand))
    }

    /// Whether the value of a group is less than or equal to `operand`.
    public static func <= (value: Self, operand: Value.Operand) -> GroupRequirement<E> {
        GroupRequirement(value, .lessOrEqual, Value.ordered(operand))
    }

    /// Whether the value of a group is greater than `operand`.
    public static func > (value: Self, operand: Value.Operand) -> GroupRequirement<E> {
        GroupRequirement(value, .greater, Value.ordered(operand))
    }

    /// Whether the value of a group is greater than or equal to `operand`.
    public static func >= (value: Self, operand: Value.Operand) -> GroupRequirement<E> {
        GroupRequirement(value, .greaterOrEqual, Value.ordered(operand))
    }
}
