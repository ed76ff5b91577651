/// What is noted with a commit: who did it, why, and what it belongs to.
///
/// It stands in the log with the commit, and is shown with each of its changes: in histories and
/// streams of changes, and by `daybook replay`. Say it for one transaction with
/// ``Store/write(metadata:_:)``, or for all that a task writes:
///
/// ```swift
/// try CommitMetadata.$current.withValue(CommitMetadata(author: "ada")) {
///     try notes.put(note)
/// }
/// ```
///
/// A transaction inside another adds its pairs to the whole, and replaces those of the same key. A
/// single put or removal outside a transaction is one of its own. All keys and values of a
/// transaction together may have 16 KiB of UTF-8, and no key may begin with `daybook.`, for under
/// such keys the store itself notes what a commit undid: else its writing throws
/// `.invalidArgument`.
public struct CommitMetadata: Sendable, Hashable {
    /// Who did it; stands under the key `author`.
    public var author: String?
    /// What made them do it, such as a command or a request; stands under the key `cause`. That of
    /// an undo is `undo:` and the number of the commit that it took back, that of a redo `redo:`.
    public var cause: String?
    /// What it belongs to, such as the number of a request; stands under the key `correlation`.
    public var correlation: String?
    /// All other pairs. The keys above are not read from here, where their property has a value.
    /// Of a commit that was read, those of the store are among them.
    public var others: [String: String]

    /// Metadata of its parts; all may be missing.
    public init(
        author: String? = nil, cause: String? = nil, correlation: String? = nil,
        others: [String: String] = [:]
    ) {
        self.author = author
        self.cause = cause
        self.correlation = correlation
        self.others = others
    }

    /// Metadata as a commit has it.
    public init(pairs: [String: String]) {
        var others = pairs
        author = others.removeValue(forKey: Key.author)
        cause = others.removeValue(forKey: Key.cause)
        correlation = others.removeValue(forKey: Key.correlation)
        self.others = others
    }

    /// All of it under its keys, as the log has it.
    public var pairs: [String: String] {
        var pairs = others
        if let author { pairs[Key.author] = author }
        if let cause { pairs[Key.cause] = cause }
        if let correlation { pairs[Key.correlation] = correlation }
        return pairs
    }

    /// What this task, or thread, notes with all that it writes; nil for nothing.
    @TaskLocal public static var current: CommitMetadata?

    private enum Key {
        static let author = "author"
        static let cause = "cause"
        static let correlation = "correlation"
    }
}
