import DaybookBytes
import DaybookQuery

/// What `&&`, `||` and `!` put together: conditions on objects, and those on groups.
protocol Combinable: Sendable {
    static func always(_ isTrue: Bool) -> Self
    static func and(_ parts: [Self]) -> Self
    static func or(_ parts: [Self]) -> Self
    static func not(_ part: Self) -> Self

    /// The parts of what `and` made or, with false, of what `or` made; nil of anything else.
    func parts(isAnd: Bool) -> [Self]?
    /// What `not` was made of; nil of anything else.
    var opposite: Self? { get }
}

/// Conditions that stand side by side and in each other, or why they make no sense.
struct Combined<Content: Combinable>: Sendable {
    let content: Content
    let failure: DaybookError?
    /// How many conditions stand in each other.
    let depth: Int
    /// How many conditions it has; one that stands in it twice counts twice.
    private let count: Int

    // Deeper ones are refused, so that nobody's stack overflows on them; and larger ones, for a
    // short loop of `all = all && all` makes one that nobody could go through.
    init(_ content: Content, failure: DaybookError? = nil, depth: Int = 1, count: Int = 1) {
        let isDeep = depth > ConditionResolver.depthMax
        let fits = !isDeep && count <= ConditionResolver.conditionCountMax
        self.content = fits ? content : .always(false)
        self.failure = fits ? failure : failure ?? (isDeep ? Self.tooDeep : Self.tooLarge)
        self.depth = fits ? depth : 1
        self.count = fits ? count : 1
    }

    /// One that another stands in.
    init<Inner>(_ content: Content, around inner: Combined<Inner>) {
        self.init(content, failure: inner.failure, depth: inner.depth + 1, count: inner.count)
    }

    func and(_ other: Self) -> Self { joined(other, isAnd: true) }

    func or(_ other: Self) -> Self { joined(other, isAnd: false) }

    private func joined(_ other: Self, isAnd: Bool) -> Self {
        // Side by side, so that a long chain of them is no deep one.
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

    /// What is true where this is false.
    var opposite: Self {
        guard let inner = content.opposite else { return Self(.not(content), around: self) }
        return Self(inner, failure: failure, depth: depth - 1, count: count)
    }

    private static var tooDeep: DaybookError {
        DaybookError(
            .invalidArgument,
            "A condition has more than \(ConditionResolver.depthMax) others inside each other. Put"
                + " them side by side, or ask in several queries.")
    }

    private static var tooLarge: DaybookError {
        DaybookError(
            .invalidArgument,
            "A condition is made of more than \(ConditionResolver.conditionCountMax) others. Name a"
                + " list of values, or ask in several queries.")
    }
}
