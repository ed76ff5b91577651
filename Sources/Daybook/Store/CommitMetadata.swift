/// The metadata of a commit: its author, its cause and its correlation.
///
/// The log stores the metadata with the commit. Histories, change streams and `daybook replay` show
/// it with each change of the commit. Set it for one transaction with ``Store/write(metadata:_:)``,
/// or for all writes of a task:
///
/// ```swift
/// try CommitMetadata.$current.withValue(CommitMetadata(author: "ada")) {
///     try notes.put(note)
/// }
/// ```
///
/// A nested transaction adds its pairs to the outer transaction, and replaces pairs with the same
/// key. A single put or removal outside a transaction is a transaction of its own.
///
/// All keys and values of a transaction together may have 16 KiB of UTF-8. No key may begin with
/// `daybook.`, because the store uses such keys to record which commit an undo reverted. Otherwise
/// the write throws `.invalidArgument`.
public struct CommitMetadata: Sendable, Hashable {
    /// The author of the commit. Its key is `author`.
    public var author: String?
    /// The cause of the commit, such as a command or a request. Its key is `cause`. The cause of an
    /// undo is `undo:` and the number of the reverted commit; the cause of a redo is `redo:` and
    /// that number.
    public var cause: String?
    /// The correlation of the commit, such as the number of a request. Its key is `correlation`.
    public var correlation: String?
    /// All other pairs. If one of the properties above has a value, a pair with its key is ignored.
    /// In the metadata of a stored commit they include the pairs that the store added.
    public var others: [String: String]

    /// Creates metadata from its parts. All parts are optional.
    public init(
        author: String? = nil, cause: String? = nil, correlation: String? = nil,
        others: [String: String] = [:]
    ) {
        self.author = author
        self.cause = cause
        self.correlation = correlation
        self.others = others
    }

    /// Creates metadata from the pairs of a commit.
    public init(pairs: [String: String]) {
        var others = pairs
        author = others.removeValue(forKey: Name.author)
        cause = others.removeValue(forKey: Name.cause)
        correlation = others.removeValue(forKey: Name.correlation)
        self.others = others
    }

    /// All pairs, as the log stores them.
    public var pairs: [String: String] {
        var pairs = others
        if let author { pairs[Name.author] = author }
        if let cause { pairs[Name.cause] = cause }
        if let correlation { pairs[Name.correlation] = correlation }
        return pairs
    }

    /// The metadata of all writes of the current task or thread; nil for none.
    @TaskLocal public static var current: CommitMetadata?

    private enum Name {
        static let author = "author"
        static let cause = "cause"
        static let correlation = "correlation"
    }
}

extension CommitMetadata: ExpressibleByDictionaryLiteral {
    /// Creates metadata from pairs: `["author": "ada"]`. If a key occurs several times, the last
    /// pair counts.
    // Disfavored, because `CommitMetadata()` would be ambiguous otherwise.
    @_disfavoredOverload
    public init(dictionaryLiteral pairs: (String, String)...) {
        self.init(pairs: Dictionary(pairs) { $1 })
    }
}
