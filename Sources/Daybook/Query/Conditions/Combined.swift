import DaybookBytes
import DaybookQuery

/// A condition that `&&`, `||` and `!` can combine: a condition on objects or on groups.
protocol Combinable: Sendable {
    static func always(_ isTrue: Bool) -> Self
    static func and(_ parts: [Self]) -> Self
    static func or(_ parts: [Self]) -> Self
    static func not(_ part: Self) -> Self

    /// The parts of an `and` condition, or with `isAnd` false, of an `or` condition; nil for any
    /// other condition.
    func parts(isAnd: Bool) -> [Self]?
    /// The operand of a `not` condition; nil for any other condition.
    var opposite: Self? { get }
}

/// A tree of conditions, or the error that makes it invalid.
struct Combined<Content: Combinable>: Sendable {
    let content: Content
    let failure: DaybookError?
    /// The nesting depth.
    let depth: Int
    /// The number of conditions; a shared condition counts once for each use.
    private let count: Int

    // Conditions beyond a maximum depth are refused, because recursion over them could overflow the
    // stack. Conditions beyond a maximum size are refused, because a short loop of `all = all &&
    // all` would create one of exponential size.
    init(_ content: Content, failure: DaybookError? = nil, depth: Int = 1, count: Int = 1) {
        let isDeep = depth > ConditionResolver.depthMax
        let fits = !isDeep && count <= ConditionResolver.conditionCountMax
        self.content = fits ? content : .always(false)
        self.failure = fits ? failure : failure ?? (isDeep ? Self.tooDeep : Self.tooLarge)
        self.depth = fits ? depth : 1
        self.count = fits ? count : 1
    }

    /// Creates a condition that contains another one.
    init<Inner>(_ content: Content, around inner: Combined<Inner>) {
        self.init(content, failure: inner.failure, depth: inner.depth + 1, count: inner.count)
    }

    func and(_ other: Self) -> Self { joined(other, isAnd: true) }

    func or(_ other: Self) -> Self { joined(other, isAnd: false) }

    private func joined(_ other: Self, isAnd: Bool) -> Self {
        // Flattened, so that a long chain is not deeply nested.
        if let parts = content.parts(isAnd: isAnd) {
            return with(other, parts.chain(other.content, isAnd: isAnd), isAnd, isDeeper: false)
        }
        if let parts = other.content.parts(isAnd: isAnd) {
            return other.with(
                self, parts.chain(front: content, isAnd: isAnd), isAnd, isDeeper: false)
        }
        return with(other, [content, other.content], isAnd, isDeeper: true)
    }

    private func with(_ other: Self, _ parts: [Content], _ isAnd: Bool, isDeeper: Bool) -> Self {
        Self(
            isAnd ? .and(parts) : .or(parts), failure: failure ?? other.failure,
            depth: max(depth + (isDeeper ? 1 : 0), other.depth + 1), count: count + other.count)
    }

    /// The negation. A double negation is removed.
    var opposite: Self {
        guard let inner = content.opposite else { return Self(.not(content), around: self) }
        return Self(inner, failure: failure, depth: depth - 1, count: count)
    }

    private static var tooDeep: DaybookError {
        DaybookError(
            .invalidArgument,
            "A condition is nested deeper than \(ConditionResolver.depthMax) levels. Use fewer"
                + " nested conditions, or several queries.")
    }

    private static var tooLarge: DaybookError {
        DaybookError(
            .invalidArgument,
            "A condition has more than \(ConditionResolver.conditionCountMax) parts. Use a list of"
                + " values, or several queries.")
    }
}
