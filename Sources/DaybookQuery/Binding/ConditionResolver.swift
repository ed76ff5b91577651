package import DaybookBytes
import DaybookRecords

/// Resolves the names of conditions and brings values into the types of the properties.
package struct ConditionResolver: Sendable {
    /// How deep conditions and expressions may stand in each other. `and` in `and`, and `or` in
    /// `or`, do not count: they are one list.
    package static let depthMax = 200
    /// How many conditions one may be made of.
    package static let conditionCountMax = 100_000

    let model: QueryModel

    package init(_ model: QueryModel) { self.model = model }

    /// The condition on objects of an entity. Throws `.invalidArgument` for names that the model
    /// does not have, for values and operators that a property's type does not go with, and for
    /// what is nested too deep; the message names the path and the remedy.
    package func resolve(
        _ condition: QueryCondition, of entity: UInt32
    ) throws(DaybookError) -> BoundCondition {
        var resolution = Resolution(model)
        return try resolution.condition(condition, .entity(entity), depth: 0)
    }

    /// An expression that has one value for each object of an entity. Throws as
    /// ``resolve(_:of:)-(QueryCondition,_)``, also for one that leads to many objects.
    package func resolve(
        _ expression: QueryExpression, of entity: UInt32
    ) throws(DaybookError) -> BoundExpression {
        let resolution = Resolution(model)
        return try Resolution.single(
            try resolution.expression(expression, .entity(entity), depth: 0))
    }
}

/// What names in a condition are about.
enum Scope: Sendable {
    case entity(UInt32)
    /// An element of a collection, or a key of a map.
    case element(QueryColumn)
}

/// One resolving, with what it has seen so far.
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
        default: return try comparison(condition, scope, depth: depth)
        }
    }

    /// The parts of a list, with those of lists of the same kind in it.
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

    /// A condition that has no other inside.
    private func comparison(
        _ condition: QueryCondition, _ scope: Scope, depth: Int
    ) throws(DaybookError) -> BoundCondition {
        func value(_ expression: QueryExpression) throws(DaybookError) -> ResolvedExpression {
            try self.expression(expression, scope, depth: depth)
        }
        switch condition {
        case .compare(let one, let comparison, let other, let options):
            return try compare(try value(one), comparison, try value(other), options)
        case .range(let number, let lower, let upper):
            return try range(try value(number), lower, upper)
        case .oneOf(let one, let values, let options):
            return try oneOf(try value(one), values, options)
        case .near(let number, let other, let tolerance):
            return try near(try value(number), other, tolerance)
        case .text(let text, let test, let pattern, let options):
            return try self.text(try value(text), test, try value(pattern), options)
        case .isNull(let one): return try isNull(try value(one))
        case .matches(let path, let words):
            return try matches(try value(.property(path)), words)
        // They have others inside, or nothing.
        case .always, .and, .or, .not, .named, .linked, .elements, .keys: return .always(false)
        }
    }

    static var tooDeep: DaybookError {
        DaybookError(
            .invalidArgument,
            "The condition is nested deeper than \(ConditionResolver.depthMax) levels. Write it"
                + " with fewer negations, relations and parentheses in each other.")
    }

    private static var tooLarge: DaybookError {
        DaybookError(
            .invalidArgument,
            "The query has more than \(ConditionResolver.conditionCountMax) conditions. Use a list"
                + " of values ('in') instead of one comparison for each.")
    }
}
