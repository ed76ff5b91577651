import DaybookBytes
import DaybookQuery

/// A condition on objects of a type. A condition is a value that can be kept, combined with other
/// conditions, reused, and used on any thread.
///
/// It is either true or false for an object. An error that the compiler cannot detect is thrown
/// when a query with the condition is built or run.
public struct Condition<Root>: Sendable {
    let combined: Combined<QueryCondition>

    private init(_ combined: Combined<QueryCondition>) { self.combined = combined }

    init(_ content: QueryCondition) { self.init(Combined(content)) }

    /// Creates a condition with the result of `make`. If `make` throws, the condition is invalid
    /// with that error.
    init(_ make: () throws -> QueryCondition) {
        do {
            self.init(try make())
        } catch {
            self.init(failing: DaybookError(inCondition: error))
        }
    }

    /// Creates a condition on the value of a term.
    init(_ term: PropertyTerm, _ make: (QueryExpression) throws -> QueryCondition) {
        self.init {
            if let failure = term.failure { throw failure }
            return term.wrapped(try make(term.value))
        }
    }

    /// Creates an invalid condition with an error.
    init(failing failure: DaybookError) {
        self.init(Combined(.always(false), failure: failure))
    }

    /// Creates a condition that contains another one.
    init<Inner>(
        around inner: Condition<Inner>, _ make: (QueryCondition) throws -> QueryCondition
    ) {
        do {
            self.init(Combined(try make(try inner.checked()), around: inner.combined))
        } catch {
            self.init(failing: DaybookError(inCondition: error))
        }
    }

    /// A condition that is true for every object, or for none.
    public static func always(_ isTrue: Bool) -> Condition { Condition(.always(isTrue)) }

    /// Returns a condition that is true if both conditions are true.
    public static func && (one: Condition, other: Condition) -> Condition {
        Condition(one.combined.and(other.combined))
    }

    /// Returns a condition that is true if at least one of the conditions is true.
    public static func || (one: Condition, other: Condition) -> Condition {
        Condition(one.combined.or(other.combined))
    }

    /// Returns a condition that is true if `condition` is false.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(condition.combined.opposite)
    }

    /// Returns the condition with an alias, by which the parameters of a query can be set.
    public func named(_ alias: String) -> Condition {
        Condition(Combined(.named(alias, combined.content), around: combined))
    }

    /// The condition. Throws the error that makes it invalid.
    func checked() throws(DaybookError) -> QueryCondition {
        if let failure = combined.failure { throw failure }
        return combined.content
    }
}

extension QueryCondition: Combinable {
    func parts(isAnd: Bool) -> [QueryCondition]? {
        switch self {
        case .and(let parts) where isAnd: parts
        case .or(let parts) where !isAnd: parts
        default: nil
        }
    }

    var opposite: QueryCondition? {
        if case .not(let inner) = self { inner } else { nil }
    }
}

extension DaybookError {
    /// The error of an invalid condition.
    init(inCondition error: any Error) {
        self =
            error as? DaybookError
            ?? DaybookError(
                .invalidArgument,
                "A value in a condition could not be converted. The cause is the conversion error.",
                cause: error)
    }
}
