import DaybookBytes
import DaybookQuery

/// What objects of a type are asked for: a value that can be kept, combined and used again, on any
/// thread.
///
/// It is true or false of every object. What makes no sense in it, and could not be told from the
/// types, is thrown when a query with it is built or run.
public struct Condition<Root>: Sendable {
    let content: QueryCondition
    let failure: DaybookError?

    init(_ content: QueryCondition, failure: DaybookError? = nil) {
        self.content = content
        self.failure = failure
    }

    /// What `make` makes, or the condition that throws what it throws.
    init(_ make: () throws -> QueryCondition) {
        do {
            self.init(try make())
        } catch {
            self.init(.always(false), failure: DaybookError(inCondition: error))
        }
    }

    /// The condition about a term's value that `make` makes.
    init(_ term: PropertyTerm, _ make: (QueryExpression) throws -> QueryCondition) {
        self.init {
            if let failure = term.failure { throw failure }
            return term.wrapped(try make(term.value))
        }
    }

    /// The condition of every object, or of none.
    public static func always(_ isTrue: Bool) -> Condition { Condition(.always(isTrue)) }

    /// Whether both are true.
    public static func && (one: Condition, other: Condition) -> Condition {
        Condition(.and([one.content, other.content]), failure: one.failure ?? other.failure)
    }

    /// Whether one of them is true, or both.
    public static func || (one: Condition, other: Condition) -> Condition {
        Condition(.or([one.content, other.content]), failure: one.failure ?? other.failure)
    }

    /// Whether it is false.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(.not(condition.content), failure: condition.failure)
    }

    /// The condition under a name, by which a query's parameters can be set.
    public func named(_ alias: String) -> Condition {
        Condition(.named(alias, content), failure: failure)
    }

    /// What is asked for, or why that makes no sense.
    func checked() throws(DaybookError) -> QueryCondition {
        if let failure { throw failure }
        return content
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
