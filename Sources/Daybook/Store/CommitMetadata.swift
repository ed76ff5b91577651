/// What is noted with a commit: who did it, why, and what it belongs to.
public struct CommitMetadata: Sendable, Hashable {
    /// Who did it; stands under the key `author`.
    public var author: String?
    /// What made them do it; stands under the key `cause`.
    public var cause: String?
    /// What it belongs to; stands under the key `correlation`.
    public var correlation: String?
    /// All other pairs.
    public var others: [String: String]

    /// Metadata as a commit has it.
    public init(pairs: [String: String]) {
        var others = pairs
        author = others.removeValue(forKey: "author")
        cause = others.removeValue(forKey: "cause")
        correlation = others.removeValue(forKey: "correlation")
        self.others = others
    }
}
