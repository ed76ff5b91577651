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
    /// How many conditions stand in each other.
    let depth: Int

    /// Deeper ones are refused, so that nobody's stack overflows on them.
    private static var depthMax: Int { 200 }

    init(_ content: QueryCondition, failure: DaybookError? = nil, depth: Int = 1) {
        let fits = depth <= Self.depthMax
        self.content = fits ? content : .always(false)
        self.failure = fits ? failure : failure ?? Self.tooDeep
        self.depth = fits ? depth : 1
    }

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
    init(failing failure: DaybookError) { self.init(.always(false), failure: failure) }

    /// A condition that another one stands in.
    init<Inner>(
        around inner: Condition<Inner>, _ make: (QueryCondition) throws -> QueryCondition
    ) {
        do {
            self.init(try make(try inner.checked()), depth: inner.depth + 1)
        } catch {
            self.init(failing: DaybookError(inCondition: error))
        }
    }

    /// The condition of every object, or of none.
    public static func always(_ isTrue: Bool) -> Condition { Condition(.always(isTrue)) }

    /// Whether both are true.
    public static func && (one: Condition, other: Condition) -> Condition {
        // Side by side, so that a long chain of them is no deep one.
        if case .and(let parts) = one.content {
            return one.joined(other, .and(parts.chain(other.content)), isDeeper: false)
        }
        if case .and(let parts) = other.content {
            return other.joined(one, .and(parts.chain(front: one.content)), isDeeper: false)
        }
        return one.joined(other, .and([one.content, other.content]), isDeeper: true)
    }

    /// Whether one of them is true, or both.
    public static func || (one: Condition, other: Condition) -> Condition {
        if case .or(let parts) = one.content {
            return one.joined(other, .or(parts.chain(other.content, isAnd: false)), isDeeper: false)
        }
        if case .or(let parts) = other.content {
            return other.joined(
                one, .or(parts.chain(front: one.content, isAnd: false)), isDeeper: false)
        }
        return one.joined(other, .or([one.content, other.content]), isDeeper: true)
    }

    private func joined(
        _ other: Condition, _ content: QueryCondition, isDeeper: Bool
    ) -> Condition {
        Condition(
            content, failure: failure ?? other.failure,
            depth: max(depth + (isDeeper ? 1 : 0), other.depth + 1))
    }

    /// Whether it is false.
    public static prefix func ! (condition: Condition) -> Condition {
        if case .not(let inner) = condition.content {
            return Condition(inner, failure: condition.failure, depth: condition.depth - 1)
        }
        return Condition(
            .not(condition.content), failure: condition.failure, depth: condition.depth + 1)
    }

    /// The condition under a name, by which a query's parameters can be set.
    public func named(_ alias: String) -> Condition {
        Condition(.named(alias, content), failure: failure, depth: depth + 1)
    }

    private static var tooDeep: DaybookError {
        DaybookError(
            .invalidArgument,
            "A condition has more than \(depthMax) others inside each other. Put them side by side,"
                + " or ask in several queries.")
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
