import DaybookBytes
import DaybookQuery

/// The content of a ``Property``: an expression, and the to-many relations that lead to the objects
/// on which it is evaluated.
struct PropertyTerm: Sendable {
    var expression: QueryExpression
    /// The to-many relations of the path, outermost first. Each starts from the objects of the
    /// previous one.
    var enclosing: [PropertyPath] = []
    /// Whether this is a to-one relation, whose value is the id of the related object.
    var isToOne = false
    /// Whether this is the keys of the map at the path.
    var areKeys = false
    /// The error that makes the term invalid. A condition with the term throws it.
    var failure: DaybookError?
    /// The new values of an update, if the update sets parts of the embedded value at the path. The
    /// value is invalid as a whole; its members have the new values.
    var assigned: AssignedValues?

    /// The maximum length of a path. Conditions on longer paths would be nested too deeply.
    private static let lengthMax = 100

    init(_ expression: QueryExpression) { self.expression = expression }

    /// Creates the term of a property by its Swift name.
    init(named name: String) { self.init(.property(PropertyPath([name]))) }

    /// Creates an invalid term. A condition with it throws the error.
    init(failing failure: DaybookError) {
        expression = .element
        self.failure = failure
    }

    /// Creates the term of a function. All terms that are not constants must belong to the same
    /// objects.
    init(_ function: QueryFunction, _ arguments: [PropertyTerm]) {
        self.init(.function(function, arguments.map(\.value)))
        failure = arguments.lazy.compactMap(\.failure).first
        let terms = arguments.filter { if case .value = $0.expression { false } else { true } }
        enclosing = terms.first?.enclosing ?? []
        guard failure == nil else { return }
        if let keys = terms.first(where: \.areKeys) {
            failure = DaybookError(
                .invalidArgument,
                "The keys of '\(keys.expression)' are several values, with which no calculation is"
                    + " possible. Use their count.")
        } else if terms.contains(where: { $0.enclosing != enclosing }) {
            failure = DaybookError(
                .invalidArgument,
                "A calculation needs properties of one object. Use a max, min, sum or count of a"
                    + " to-many relation.")
        }
    }

    /// The expression that is compared.
    var value: QueryExpression {
        guard isToOne, case .property(let path) = expression else { return expression }
        return .property(path.appending(.ownId))
    }

    /// The path of the property. Throws `.invalidArgument` for a term that is not a property, such
    /// as a count.
    func path(for use: String) throws(DaybookError) -> PropertyPath {
        if let failure { throw failure }
        guard case .property(let path) = expression, !areKeys else {
            throw DaybookError(
                .invalidArgument,
                "\(use) requires a property, not a count, a sum, an element, an entry of a"
                    + " map or a calculation.")
        }
        return path
    }

    /// Returns the term of a member of this term's target.
    func appending(_ other: PropertyTerm, isToMany: Bool) -> PropertyTerm {
        // Conditions on an element already use the element's members.
        if case .element = expression, failure == nil, !isToMany { return other }
        if let assigned, !isToMany, case .property(let path) = expression {
            return assigned.current(PropertyTerm(other.expression.behind(path)))
        }
        do throws(DaybookError) {
            let path = try path(for: "A member")
            var term = other
            term.failure = failure ?? other.failure
            guard path.steps.count + enclosing.count < Self.lengthMax else {
                throw DaybookError(
                    .invalidArgument,
                    "A property path has more than \(Self.lengthMax) steps. Use several queries.")
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

    /// Returns a condition on this term's objects as a condition on the root.
    func wrapped(_ condition: QueryCondition) -> QueryCondition {
        enclosing.reversed().reduce(condition) { .linked($1, .any, $0) }
    }
}

extension QueryExpression {
    /// Returns the expression evaluated on the target of a path.
    func behind(_ path: PropertyPath) -> QueryExpression {
        switch self {
        case .value, .element: self
        case .property(let own): .property(path.appending(own))
        case .entry(let own, let key): .entry(path.appending(own), key: key)
        case .aggregate(let aggregate, let own, let of):
            .aggregate(aggregate, path.appending(own), of: of)
        case .function(let function, let arguments):
            .function(function, arguments.map { $0.behind(path) })
        }
    }
}
