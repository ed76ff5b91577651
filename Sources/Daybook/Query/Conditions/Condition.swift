import DaybookBytes
import DaybookQuery

/// What objects of a type are asked for: a value that can be kept, combined and used again, on any
/// thread.
///
/// It is true or false of every object. What makes no sense in it, and could not be told from the
/// types, is thrown when a query with it is built or run.
public struct Condition<Root>: Sendable {
    let combined: Combined<QueryCondition>

    private init(_ combined: Combined<QueryCondition>) { self.combined = combined }

    init(_ content: QueryCondition) { self.init(Combined(content)) }

    /// What `make` makes, or the condition that throws what it throws.
    init(_ make: () throws -> QueryCondition) {
        do {
            self.init(try make())
        } catch {
            self.init(failing: DaybookError(inCondition: error))
        }
    }

    /// The condition about a term's value that `make` makes.
    init(_ term: PropertyTerm, _ make: (QueryExpression) throws -> QueryCondition) {
        self.init {
            if let failure = term.failure { throw failure }
            return term.wrapped(try make(term.value))
        }
    }

    /// The condition that throws an error.
    init(failing failure: DaybookError) {
        self.init(Combined(.always(false), failure: failure))
    }

    /// A condition that another one stands in.
    init<Inner>(
        around inner: Condition<Inner>, _ make: (QueryCondition) throws -> QueryCondition
    ) {
        do {
            self.init(Combined(try make(try inner.checked()), around: inner.combined))
        } catch {
            self.init(failing: DaybookError(inCondition: error))
        }
    }

    /// The condition of every object, or of none.
    public static func always(_ isTrue: Bool) -> Condition { Condition(.always(isTrue)) }

    /// Whether both are true.
    public static func && (one: Condition, other: Condition) -> Condition {
        Condition(one.combined.and(other.combined))
    }

    /// Whether one of them is true, or both.
    public static func || (one: Condition, other: Condition) -> Condition {
        Condition(one.combined.or(other.combined))
    }

    /// Whether it is false.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(condition.combined.opposite)
    }

    /// The condition under a name, by which a query's parameters can be set.
    public func named(_ alias: String) -> Condition {
        Condition(Combined(.named(alias, combined.content), around: combined))
    }

    /// What is asked for, or why that makes no sense.
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
    /// Why a condition could not be made.
    init(inCondition error: any Error) {
        self =
            error as? DaybookError
            ?? DaybookError(
                .invalidArgument,
                "A value in a condition could not be converted: see the cause.", cause: error)
    }
}
