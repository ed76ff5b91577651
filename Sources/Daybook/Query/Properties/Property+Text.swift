import DaybookQuery

// Conditions on strings. All are false for nil. Strings are compared by their Unicode scalars:
// composed and decomposed forms differ, unless diacritics are ignored. The empty string is a
// prefix, a suffix and a substring of every string.

extension Property where Value: TextValue {
    /// Whether the property is equal to a string, with `options`.
    public func equals(_ text: String, options: StringOptions) -> Condition<Root> {
        compared(.equal, toText: text, options)
    }

    /// Whether the property is less than a string, with `options`.
    public func isLessThan(_ text: String, options: StringOptions) -> Condition<Root> {
        compared(.less, toText: text, options)
    }

    /// Whether the property is greater than a string, with `options`.
    public func isGreaterThan(_ text: String, options: StringOptions) -> Condition<Root> {
        compared(.greater, toText: text, options)
    }

    /// Whether the property is equal to one of some strings, with `options`.
    public func isIn(_ texts: [String], options: StringOptions) -> Condition<Root> {
        Condition(term) { .oneOf($0, texts.map(QueryValue.text), options) }
    }

    /// Whether the property begins with a string, with `options`.
    public func startsWith(_ text: String, options: StringOptions = []) -> Condition<Root> {
        tested(.hasPrefix, text, options)
    }

    /// Whether the property ends with a string, with `options`.
    public func endsWith(_ text: String, options: StringOptions = []) -> Condition<Root> {
        tested(.hasSuffix, text, options)
    }

    /// Whether the property contains a string, with `options`.
    public func contains(_ text: String, options: StringOptions = []) -> Condition<Root> {
        tested(.contains, text, options)
    }

    /// Whether the property matches a pattern, with `options`. `*` matches any number of
    /// characters, `?` matches one character, and `\` escapes the next character.
    public func like(_ pattern: String, options: StringOptions = []) -> Condition<Root> {
        tested(.like, pattern, options)
    }

    /// Whether the property contains all words of a string, in any order, ignoring case and
    /// diacritics. A word followed by `*` matches every word with that prefix. An index of kind
    /// `text` makes the condition fast. A string without a word is an error of the query.
    public func matches(_ words: String) -> Condition<Root> { matches(words, .all) }

    /// Whether the property contains at least one of the words of a string. Words, stars, indexes
    /// and errors are those of ``matches(_:)``.
    public func matchesAny(_ words: String) -> Condition<Root> { matches(words, .any) }

    /// Whether the property contains the words of a string directly one after another, in their
    /// order: `matchesPhrase("new york")` finds *New York* and *new-york*. Words, stars and errors
    /// are those of ``matches(_:)``. An index of kind `text` finds the objects that contain all
    /// words; their texts are then read.
    public func matchesPhrase(_ words: String) -> Condition<Root> { matches(words, .phrase) }

    /// Whether the property begins with the string of another property, with `options`.
    public func startsWith<Other: TextValue>(
        _ other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { tested(.hasPrefix, other, options) }

    /// Whether the property ends with the string of another property, with `options`.
    public func endsWith<Other: TextValue>(
        _ other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { tested(.hasSuffix, other, options) }

    /// Whether the property contains the string of another property, with `options`.
    public func contains<Other: TextValue>(
        _ other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { tested(.contains, other, options) }

    /// Whether the property is equal to the string of another property, with `options`.
    public func equals<Other: TextValue>(
        _ other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { compared(.equal, to: other, options) }

    private func matches(_ words: String, _ test: WordTest) -> Condition<Root> {
        Condition(term) { _ in .matches(try term.path(for: "matches"), words, test) }
    }

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
