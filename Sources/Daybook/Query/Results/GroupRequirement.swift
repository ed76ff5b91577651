import DaybookBytes
import DaybookQuery

/// Which groups are wanted: a condition on what their objects come to. A value, as ``Condition``.
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

    /// Whether both are true.
    public static func && (one: Self, other: Self) -> Self {
        Self(one.combined.and(other.combined))
    }

    /// Whether one of them is true, or both.
    public static func || (one: Self, other: Self) -> Self {
        Self(one.combined.or(other.combined))
    }

    /// Whether it is false.
    public static prefix func ! (condition: Self) -> Self { Self(condition.combined.opposite) }
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
