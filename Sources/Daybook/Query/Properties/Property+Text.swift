import DaybookQuery

// Conditions on strings. All are false for nil. Strings are compared by their Unicode scalars:
// composed and decomposed forms differ, unless diacritics are ignored. The empty string is a
// prefix, a suffix and a substring of every string.

extension Property where Value: TextValue {
    /// Whether the property is equal to a string, with `options`.
    public func equals(_ text: String, options: StringOptions) -> Condition<Root> {
        compared(.equal, toText: text, options)
    }

    /// Whether the property is less than a string. With `caseSensitive` false, case is ignored.
    public func isLessThan(_ text: String, caseSensitive: Bool) -> Condition<Root> {
        compared(.less, toText: text, StringOptions(caseSensitive: caseSensitive))
    }

    /// Whether the property is greater than a string. With `caseSensitive` false, case is ignored.
    public func isGreaterThan(_ text: String, caseSensitive: Bool) -> Condition<Root> {
        compared(.greater, toText: text, StringOptions(caseSensitive: caseSensitive))
    }

    /// Whether the property is equal to one of some strings. With `caseSensitive` false, case is
    /// ignored.
    public func isIn(_ texts: [String], caseSensitive: Bool) -> Condition<Root> {
        Condition(term) {
            .oneOf(
                $0, texts.map(QueryValue.text),
                StringOptions(caseSensitive: caseSensitive))
        }
    }

    /// The negation of ``isIn(_:caseSensitive:)``.
    public func isNotIn(_ texts: [String], caseSensitive: Bool) -> Condition<Root> {
        !isIn(texts, caseSensitive: caseSensitive)
    }

    /// Whether the property begins with a string. With `caseSensitive` false, case is ignored.
    public func startsWith(_ text: String, caseSensitive: Bool = true) -> Condition<Root> {
        starts(with: text, options: StringOptions(caseSensitive: caseSensitive))
    }

    /// Whether the property ends with a string. With `caseSensitive` false, case is ignored.
    public func endsWith(_ text: String, caseSensitive: Bool = true) -> Condition<Root> {
        ends(with: text, options: StringOptions(caseSensitive: caseSensitive))
    }

    /// Whether the property contains a string. With `caseSensitive` false, case is ignored.
    public func contains(_ text: String, caseSensitive: Bool) -> Condition<Root> {
        contains(text, options: StringOptions(caseSensitive: caseSensitive))
    }

    /// Whether the property contains a string, with `options`.
    public func contains(_ text: String, options: StringOptions = []) -> Condition<Root> {
        tested(.contains, text, options)
    }

    /// Whether the property begins with a string, with `options`.
    public func starts(with text: String, options: StringOptions = []) -> Condition<Root> {
        tested(.hasPrefix, text, options)
    }

    /// Whether the property ends with a string, with `options`.
    public func ends(with text: String, options: StringOptions = []) -> Condition<Root> {
        tested(.hasSuffix, text, options)
    }

    /// Whether the property matches a pattern. `*` matches any number of characters, `?` matches
    /// one character, and `\` escapes the next character.
    public func like(_ pattern: String, caseInsensitive: Bool = false) -> Condition<Root> {
        like(pattern, options: caseInsensitive ? .caseInsensitive : [])
    }

    /// Whether the property matches a pattern, with `options`. See ``like(_:caseInsensitive:)``.
    public func like(_ pattern: String, options: StringOptions) -> Condition<Root> {
        tested(.like, pattern, options)
    }

    /// Whether the property contains all words of a string, in any order, ignoring case and
    /// diacritics. A word followed by `*` matches every word with that prefix. An index of kind
    /// `text` makes the condition fast. A string without a word is an error of the query.
    public func matches(_ words: String) -> Condition<Root> {
        Condition(term) { _ in .matches(try term.path(for: "matches"), words) }
    }

    /// Whether the property begins with the string of another property, with `options`.
    public func starts<Other: TextValue>(
        with other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { tested(.hasPrefix, other, options) }

    /// Whether the property ends with the string of another property, with `options`.
    public func ends<Other: TextValue>(
        with other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { tested(.hasSuffix, other, options) }

    /// Whether the property contains the string of another property, with `options`.
    public func contains<Other: TextValue>(
        _ other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { tested(.contains, other, options) }

    /// Whether the property is equal to the string of another property, with `options`.
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
