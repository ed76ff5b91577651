/// What a program notes with a commit: who made it, why, and what it belongs to.
public struct CommitMetadata: Sendable, Hashable {
    /// Who made the commit.
    public var author: String?
    /// Why.
    public var cause: String?
    /// What ties it to other commits, or to what happened elsewhere.
    public var correlation: String?
    /// Whatever else is noted.
    public var others: [String: String]

    /// Makes metadata; all of it may be missing.
    public init(
        author: String? = nil, cause: String? = nil, correlation: String? = nil,
        others: [String: String] = [:]
    ) {
        self.author = author
        self.cause = cause
        self.correlation = correlation
        self.others = others
    }

    /// Reads the pairs of a commit.
    init(pairs: [String: String]) {
        var others = pairs
        author = others.removeValue(forKey: "author")
        cause = others.removeValue(forKey: "cause")
        correlation = others.removeValue(forKey: "correlation")
        self.others = others
    }
}
