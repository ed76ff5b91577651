import DaybookQuery

// Tests of texts. None is true of nil. Texts are compared by their Unicode scalars: composed and
// decomposed spellings are different, unless marks do not count. The empty text is at the beginning
// and the end of every text, and in it.

extension Property where Value: TextValue {
    /// Whether it is the text but for what the options leave out of account.
    public func equals(_ text: String, options: StringOptions) -> Condition<Root> {
        compared(.equal, toText: text, options)
    }

    /// Whether it stands before the text.
    public func isLessThan(_ text: String, caseSensitive: Bool) -> Condition<Root> {
        compared(.less, toText: text, StringOptions(caseSensitive: caseSensitive))
    }

    /// Whether it stands behind the text.
    public func isGreaterThan(_ text: String, caseSensitive: Bool) -> Condition<Root> {
        compared(.greater, toText: text, StringOptions(caseSensitive: caseSensitive))
    }

    /// Whether it is one of some texts, or with `caseSensitive: false` another spelling of one.
    public func isIn(_ texts: [String], caseSensitive: Bool) -> Condition<Root> {
        Condition(term) {
            .oneOf(
                $0, texts.map(QueryValue.text),
                StringOptions(caseSensitive: caseSensitive))
        }
    }

    /// The opposite of ``isIn(_:caseSensitive:)``.
    public func isNotIn(_ texts: [String], caseSensitive: Bool) -> Condition<Root> {
        !isIn(texts, caseSensitive: caseSensitive)
    }

    /// Whether it begins with a text.
    public func startsWith(_ text: String, caseSensitive: Bool = true) -> Condition<Root> {
        starts(with: text, options: StringOptions(caseSensitive: caseSensitive))
    }

    /// Whether it ends with a text.
    public func endsWith(_ text: String, caseSensitive: Bool = true) -> Condition<Root> {
        ends(with: text, options: StringOptions(caseSensitive: caseSensitive))
    }

    /// Whether a text stands in it.
    public func contains(_ text: String, caseSensitive: Bool) -> Condition<Root> {
        contains(text, options: StringOptions(caseSensitive: caseSensitive))
    }

    /// Whether a text stands in it.
    public func contains(_ text: String, options: StringOptions = []) -> Condition<Root> {
        tested(.contains, text, options)
    }

    /// Whether it begins with a text.
    public func starts(with text: String, options: StringOptions = []) -> Condition<Root> {
        tested(.hasPrefix, text, options)
    }

    /// Whether it ends with a text.
    public func ends(with text: String, options: StringOptions = []) -> Condition<Root> {
        tested(.hasSuffix, text, options)
    }

    /// Whether it is as a pattern says: `*` stands for any characters, `?` for one, and `\` before
    /// a character for that itself.
    public func like(_ pattern: String, caseInsensitive: Bool = false) -> Condition<Root> {
        like(pattern, options: caseInsensitive ? .caseInsensitive : [])
    }

    /// Whether it is as a pattern says, but for what the options leave out of account.
    public func like(_ pattern: String, options: StringOptions) -> Condition<Root> {
        tested(.like, pattern, options)
    }

    /// Whether it has all of the words, in whichever order, case and marks aside; of a word with
    /// `*` behind it, one that begins so. An index of kind `text` makes this fast. A text without a
    /// word is an error.
    public func matches(_ words: String) -> Condition<Root> {
        Condition(term) { _ in .matches(try term.path(for: "matches"), words) }
    }

    /// Whether it begins with another property's text. As the others, with `contains` and `ends`.
    public func starts<Other: TextValue>(
        with other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { tested(.hasPrefix, other, options) }

    /// Whether it ends with another property's text.
    public func ends<Other: TextValue>(
        with other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { tested(.hasSuffix, other, options) }

    /// Whether another property's text stands in it.
    public func contains<Other: TextValue>(
        _ other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { tested(.contains, other, options) }

    /// Whether it is another property's text, but for what the options leave out of account.
    public func equals<Other: TextValue>(
        _ other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { compared(.equal, to: other, options) }

    private func compared(
        _ comparison: QueryComparison, toText text: String, _ options: StringOptions
    ) -> Condition<Root> {
        Condition(term) { .compare($0, comparison, .value(.text(text)), options) }
    }

    private func tested(
        _ test: TextTest, _ text: String, _ options: StringOptions
    ) -> Condition<Root> {
        Condition(term) { .text($0, test, .value(.text(text)), options) }
    }

    private func tested<Other>(
        _ test: TextTest, _ other: Property<Root, Other>, _ options: StringOptions
    ) -> Condition<Root> {
        combined(with: other) { .text($0, test, $1, options) }
    }
}
