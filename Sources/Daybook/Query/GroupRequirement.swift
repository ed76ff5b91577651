import DaybookBytes
import DaybookQuery

/// Which groups are wanted: a condition on what their objects come to. A value, as ``Condition``.
public struct GroupRequirement<E: Entity>: Sendable {
    indirect enum Content: Sendable {
        case compare(GroupContent, QueryComparison, QueryValue)
        case and([Content])
        case or([Content])
        case not(Content)
    }

    let content: Content
    let failure: DaybookError?
    private let depth: Int

    /// Deeper ones are refused, so that nobody's stack overflows on them.
    private static var depthMax: Int { 200 }

    private init(_ content: Content, _ failure: DaybookError?, depth: Int = 1) {
        let fits = depth <= Self.depthMax
        self.content = fits ? content : .and([])
        self.failure = fits ? failure : failure ?? Self.tooDeep
        self.depth = fits ? depth : 1
    }

    private static var tooDeep: DaybookError {
        DaybookError(
            .invalidArgument,
            "A condition on groups has more than \(depthMax) others inside each other. Put them"
                + " side by side.")
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
        // Side by side, so that a long chain of them is no deep one.
        if case .and(let parts) = one.content {
            return one.joined(other, .and(parts + [other.content]), isDeeper: false)
        }
        return one.joined(other, .and([one.content, other.content]), isDeeper: true)
    }

    /// Whether one of them is true, or both.
    public static func || (one: Self, other: Self) -> Self {
        if case .or(let parts) = one.content {
            return one.joined(other, .or(parts + [other.content]), isDeeper: false)
        }
        return one.joined(other, .or([one.content, other.content]), isDeeper: true)
    }

    private func joined(_ other: Self, _ content: Content, isDeeper: Bool) -> Self {
        Self(
            content, failure ?? other.failure,
            depth: max(depth + (isDeeper ? 1 : 0), other.depth + 1))
    }

    /// Whether it is false.
    public static prefix func ! (condition: Self) -> Self {
        Self(.not(condition.content), condition.failure, depth: condition.depth + 1)
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
