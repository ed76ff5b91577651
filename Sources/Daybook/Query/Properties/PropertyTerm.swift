import DaybookBytes
import DaybookQuery

/// What a ``Property`` stands for: an expression, and the relations to many that lead to the
/// objects that it is about.
struct PropertyTerm: Sendable {
    var expression: QueryExpression
    /// Relations to many on the way, the outermost first: each from the objects of the one before.
    var enclosing: [PropertyPath] = []
    /// Whether it is a relation to one object, whose value is the object's id.
    var isToOne = false
    /// Whether it is the keys of the map at its path.
    var areKeys = false
    /// Why it makes no sense; a condition with it throws this.
    var failure: DaybookError?

    /// Longer ways are refused: conditions on them stand inside each other.
    private static let lengthMax = 100

    init(_ expression: QueryExpression) { self.expression = expression }

    /// Stands for nothing: a condition with it throws the error.
    init(failing failure: DaybookError) {
        expression = .element
        self.failure = failure
    }

    /// What is compared.
    var value: QueryExpression {
        guard isToOne, case .property(let path) = expression else { return expression }
        return .property(path.appending(.ownId))
    }

    /// Throws `.invalidArgument` for what is no property, such as a count.
    func path(for use: String) throws(DaybookError) -> PropertyPath {
        if let failure { throw failure }
        guard case .property(let path) = expression, !areKeys else {
            throw DaybookError(
                .invalidArgument,
                "\(use) takes a property, and no count, sum, element or entry of a map.")
        }
        return path
    }

    /// The term of a member of what this one leads to.
    func appending(_ other: PropertyTerm, isToMany: Bool) -> PropertyTerm {
        // Conditions on an element are about its own members already.
        if case .element = expression, failure == nil, !isToMany { return other }
        do throws(DaybookError) {
            let path = try path(for: "A member")
            var term = other
            term.failure = failure ?? other.failure
            guard path.steps.count + enclosing.count < Self.lengthMax else {
                throw DaybookError(
                    .invalidArgument,
                    "A property is behind more than \(Self.lengthMax) others. Ask in several"
                        + " queries.")
            }
            if isToMany {
                term.enclosing = enclosing + [path] + other.enclosing
                return term
            }
            term.enclosing = enclosing
            if let first = other.enclosing.first {
                term.enclosing += [path.appending(first)] + other.enclosing.dropFirst()
            } else {
                term.expression = other.expression.behind(path)
            }
            return term
        } catch {
            return PropertyTerm(failing: error)
        }
    }

    /// A condition about the objects that the term is about, as one on the root.
    func wrapped(_ condition: QueryCondition) -> QueryCondition {
        enclosing.reversed().reduce(condition) { .linked($1, .any, $0) }
    }
}

extension QueryExpression {
    /// The same expression of what a path leads to.
    func behind(_ path: PropertyPath) -> QueryExpression {
        switch self {
        case .value, .element: self
        case .property(let own): .property(path.appending(own))
        case .entry(let own, let key): .entry(path.appending(own), key: key)
        case .aggregate(let aggregate, let own, let of):
            .aggregate(aggregate, path.appending(own), of: of)
        }
    }
}
