import DaybookBytes
import DaybookRecords
import DaybookQuery

/// Finds a parameter of a condition by its property or alias, and replaces its values.
struct QueryParameters {
    /// The name of a parameter.
    enum Name {
        case alias(String)
        /// A property by its path from the root; with an entity, by its path in that entity.
        case property([String], entity: UInt32?)
    }

    /// A position in a condition.
    private struct Place {
        var entity: UInt32
        /// The path from the root.
        var prefix: [String] = []
        /// The path from the entity to the collection, for a condition on elements or keys.
        var collection: [String]?
        /// Whether an enclosing condition has the alias.
        var isNamed = false
    }

    let model: QueryModel
    let name: Name
    /// Returns the replacement of the parameter's condition.
    let replace: (QueryCondition, QueryProperty?) throws -> QueryCondition
    /// Whether the first of several parameters with the name is replaced.
    var takesFirst = false
    private var found = 0

    init(
        _ name: Name, _ model: QueryModel,
        replace: @escaping (QueryCondition, QueryProperty?) throws -> QueryCondition
    ) {
        self.name = name
        self.model = model
        self.replace = replace
    }

    /// Returns the condition with the parameter replaced. Throws `.invalidArgument` if there is no
    /// parameter with the name, or several without ``takesFirst``.
    mutating func replaced(
        in condition: QueryCondition, of entity: UInt32
    ) throws -> QueryCondition {
        found = 0
        let result = try visit(condition, Place(entity: entity))
        guard found == 1 || (takesFirst && found > 1) else { throw wrongCount() }
        return result
    }

    private mutating func visit(
        _ condition: QueryCondition, _ place: Place
    ) throws -> QueryCondition {
        switch condition {
        case .always: return condition
        case .and(let parts): return .and(try parts.map { try visit($0, place) })
        case .or(let parts): return .or(try parts.map { try visit($0, place) })
        case .not(let part): return .not(try visit(part, place))
        case .named(let alias, let part):
            var inner = place
            if case .alias(alias) = name { inner.isNamed = true }
            return .named(alias, try visit(part, inner))
        case .linked(let path, let quantifier, let part):
            return .linked(path, quantifier, try visit(part, inside(path, place)))
        case .elements(let path, let quantifier, let part):
            var inner = place
            inner.collection = path.steps
            return .elements(path, quantifier, try visit(part, inner))
        case .keys(let path, let quantifier, let part):
            var inner = place
            inner.collection = path.steps
            return .keys(path, quantifier, try visit(part, inner))
        case .compare(let subject, _, .value, _), .range(let subject, _, _),
            .oneOf(let subject, _, _), .near(let subject, _, _),
            .text(let subject, _, .value, _):
            return try leaf(condition, steps(of: subject, place), place)
        case .matches(let path, _, _), .nearest(let path, _, _):
            return try leaf(condition, steps(of: .property(path), place), place)
        case .compare, .text, .isNull: return condition
        }
    }

    private mutating func leaf(
        _ condition: QueryCondition, _ steps: [String]?, _ place: Place
    ) throws -> QueryCondition {
        switch name {
        case .alias: guard place.isNamed else { return condition }
        case .property(let path, nil):
            guard let steps, place.prefix + steps == path else { return condition }
        case .property(let path, let entity?):
            guard let steps, place.entity == entity, steps == path else { return condition }
        }
        found += 1
        return found == 1 ? try replace(condition, property(steps, of: place.entity)) : condition
    }

    /// The path from an object at the position to a subject; nil if the subject is not a property.
    private func steps(of subject: QueryExpression, _ place: Place) -> [String]? {
        switch subject {
        case .property(let path): (place.collection ?? []) + path.steps
        case .element: place.collection
        case .value, .entry, .aggregate, .function: nil
        }
    }

    private func inside(_ path: PropertyPath, _ place: Place) -> Place {
        var inner = place
        inner.prefix += path.steps
        inner.collection = nil
        for step in path.steps {
            switch model.entities[inner.entity]?.members[step] {
            case .relation(let relation): inner.entity = relation.target
            case .property(let property): inner.entity = property.embeddedEntity ?? 0
            case .id, nil: inner.entity = 0
            }
        }
        return inner
    }

    private func property(_ steps: [String]?, of entity: UInt32) -> QueryProperty? {
        guard let steps, let last = steps.last else { return nil }
        let owner = inside(PropertyPath(steps.dropLast()), Place(entity: entity)).entity
        guard case .property(let property)? = model.entities[owner]?.members[last] else {
            return nil
        }
        return property
    }

    private func wrongCount() -> DaybookError {
        let text =
            switch name {
            case .alias(let alias): "'\(alias)'"
            case .property(let path, _): "property '\(PropertyPath(path))'"
            }
        guard found > 1 else {
            return DaybookError(
                .invalidArgument,
                "The query has no parameter for \(text): no condition compares it with a value."
                    + " Name the condition: condition.named(\"name\").",
                details: ["parameter": text])
        }
        return DaybookError(
            .invalidArgument,
            "The query has \(found) parameters for \(text). Name each condition:"
                + " condition.named(\"name\").", details: ["parameter": text])
    }
}
