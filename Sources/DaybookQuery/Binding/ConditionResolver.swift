package import DaybookBytes
import DaybookRecords

/// Resolves the names of conditions and converts values to the types of the properties.
package struct ConditionResolver: Sendable {
    /// The maximum depth of nested conditions and expressions. An `and` within an `and`, or an `or`
    /// within an `or`, does not count, because both form one list.
    package static let depthMax = 200
    /// The maximum number of conditions in a query.
    package static let conditionCountMax = 100_000

    let model: QueryModel

    package init(_ model: QueryModel) { self.model = model }

    /// Resolves a condition on objects of an entity. Throws `.invalidArgument` for unknown names,
    /// for values and operators that do not fit the type of a property, and for too deep nesting.
    /// The message contains the path and the remedy.
    package func resolve(
        _ condition: QueryCondition, of entity: UInt32
    ) throws(DaybookError) -> BoundCondition {
        var resolution = Resolution(model)
        return try resolution.condition(condition, .entity(entity), depth: 0)
    }

    /// Resolves an expression with one value per object of an entity. Throws the errors of
    /// ``resolve(_:of:)-(QueryCondition,_)``, also for an expression that leads to many objects.
    package func resolve(
        _ expression: QueryExpression, of entity: UInt32
    ) throws(DaybookError) -> BoundExpression {
        let resolution = Resolution(model)
        return try Resolution.single(
            try resolution.expression(expression, .entity(entity), depth: 0))
    }
}

/// The context in which the names of a condition are resolved.
enum Scope: Sendable {
    case entity(UInt32)
    /// An element of a collection, or a key of a map.
    case element(QueryColumn)
}

/// The state of resolving one condition.
struct Resolution {
    let model: QueryModel
    private var conditionCount = 0

    init(_ model: QueryModel) { self.model = model }

    mutating func condition(
        _ condition: QueryCondition, _ scope: Scope, depth: Int
    ) throws(DaybookError) -> BoundCondition {
        guard depth < ConditionResolver.depthMax else { throw Self.tooDeep }
        conditionCount += 1
        guard conditionCount <= ConditionResolver.conditionCountMax else { throw Self.tooLarge }
        switch condition {
        case .always(let value): return .always(value)
        case .and(let parts):
            return .conjunction(try conditions(parts, isAnd: true, scope, depth: depth))
        case .or(let parts):
            return .disjunction(try conditions(parts, isAnd: false, scope, depth: depth))
        case .not(let inner):
            return .negation(try self.condition(inner, scope, depth: depth + 1))
        case .named(_, let inner):
            return try self.condition(inner, scope, depth: depth + 1)
        case .linked(let path, let quantifier, let inner):
            return try linked(path, quantifier, inner, scope, depth: depth)
        case .elements(let path, let quantifier, let inner):
            return try elements(path, quantifier, inner, scope, ofKeys: false, depth: depth)
        case .keys(let path, let quantifier, let inner):
            return try elements(path, quantifier, inner, scope, ofKeys: true, depth: depth)
        case .nearest: throw SplitCondition.misplaced
        default: return try comparison(condition, scope, depth: depth)
        }
    }

    /// The parts of a list, including those of nested lists of the same kind.
    private mutating func conditions(
        _ parts: [QueryCondition], isAnd: Bool, _ scope: Scope, depth: Int
    ) throws(DaybookError) -> [BoundCondition] {
        var resolved: [BoundCondition] = []
        var waiting = Array(parts.reversed())
        while let part = waiting.popLast() {
            switch part {
            case .and(let inner) where isAnd, .or(let inner) where !isAnd:
                conditionCount += 1
                guard conditionCount <= ConditionResolver.conditionCountMax else {
                    throw Self.tooLarge
                }
                waiting.append(contentsOf: inner.reversed())
            default: resolved.append(try condition(part, scope, depth: depth + 1))
            }
        }
        return resolved
    }

    /// Resolves a condition without nested conditions.
    private func comparison(
        _ condition: QueryCondition, _ scope: Scope, depth: Int
    ) throws(DaybookError) -> BoundCondition {
        func value(_ expression: QueryExpression) throws(DaybookError) -> ResolvedExpression {
            try self.expression(expression, scope, depth: depth)
        }
        switch condition {
        case .compare(let one, let comparison, let other, let options):
            let (one, other) = (try value(one), try value(other))
            return try compare(
                one.asJSON(besides: other), comparison, other.asJSON(besides: one), options)
        case .range(let number, let lower, let upper):
            let number = try value(number)
            return try range(number, number.fitting(lower), number.fitting(upper))
        case .oneOf(let one, let values, let options):
            let one = try value(one)
            return try oneOf(one, values.map(one.fitting), options)
        case .near(let number, let other, let tolerance):
            return try near(try value(number), other, tolerance)
        case .text(let text, let test, let pattern, let options):
            return try self.text(try value(text), test, try value(pattern), options)
        case .isNull(let one): return try isNull(try value(one))
        case .matches(let path, let words, let test):
            return try matches(try value(.property(path)), words, test)
        // Nested conditions and constants are handled by the caller.
        case .always, .and, .or, .not, .named, .linked, .elements, .keys, .nearest:
            return .always(false)
        }
    }

    static var tooDeep: DaybookError {
        DaybookError(
            .invalidArgument,
            "The condition is nested deeper than \(ConditionResolver.depthMax) levels. Use"
                + " fewer nested negations, relations and parentheses.")
    }

    private static var tooLarge: DaybookError {
        DaybookError(
            .invalidArgument,
            "The query has more than \(ConditionResolver.conditionCountMax) conditions. Use a list"
                + " of values ('in') instead of one comparison for each.")
    }
}
