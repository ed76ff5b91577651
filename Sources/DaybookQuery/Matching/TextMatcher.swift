import DaybookBytes

/// A compiled test of strings with a pattern. Both must be folded.
struct TextMatcher: Sendable {
    private let test: TextTest
    private let pattern: [UInt8]
    private let search: ByteSearch?
    private let like: LikeMatcher?

    init(_ test: TextTest, folded pattern: String) {
        self.test = test
        self.pattern = Array(pattern.utf8)
        search = test == .contains ? ByteSearch(self.pattern) : nil
        like = test == .like ? LikeMatcher(LikePattern(pattern)) : nil
    }

    /// Folds the pattern first.
    init(_ test: TextTest, _ pattern: String, _ options: StringOptions) {
        self.init(
            test,
            folded: test == .like
                ? LikePattern(pattern).folded(options).text : options.fold(pattern))
    }

    func isTrue(of text: Span<UInt8>) -> Bool {
        switch test {
        case .hasPrefix: text.has(pattern, at: 0)
        case .hasSuffix: text.has(pattern, at: text.count - pattern.count)
        case .contains: search?.end(in: text) != nil
        case .like: like?.isTrue(of: text) ?? false
        }
    }
}
