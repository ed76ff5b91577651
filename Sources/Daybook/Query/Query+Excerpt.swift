import DaybookBytes
import DaybookQuery

/// The part of a text that contains the words of a search: see ``Query/excerpt(of:in:lengthMax:)``.
public struct TextExcerpt: Sendable, Hashable {
    /// The part of the text, unchanged.
    public let text: String
    /// The ranges of ``text`` that contain the words, ascending and disjoint. They begin and end
    /// between characters.
    public let highlights: [Range<String.Index>]
    /// Whether the whole text has more before this part.
    public let isCutAtStart: Bool
    /// Whether the whole text has more after this part.
    public let isCutAtEnd: Bool
}

extension Query {
    /// Returns the part of an object's text that shows best why the query found it, with the ranges
    /// of the words that the query searches in the property; nil for nil.
    ///
    /// ```swift
    /// let query = notes.query { $0.text.matches("big red") }
    /// for note in try query.find() {
    ///     let excerpt = try query.excerpt(of: \.text, in: note.text)
    /// }
    /// ```
    ///
    /// The excerpt has as many different words and phrases of the search as possible, then as many
    /// occurrences as possible, then the earliest. It begins and ends at spaces if there are any,
    /// and never within a character. It is the beginning of the text if that has none of the words,
    /// for example because the query found them in another property.
    ///
    /// - Parameters:
    ///   - property: a property that the condition searches for words, outside negations and
    ///     conditions on related objects.
    ///   - text: the property's text in an object. The store is not read.
    ///   - lengthMax: the maximum number of characters.
    /// - Throws: `.invalidArgument` if the query does not search the property for words, or if
    ///   `lengthMax` is less than 1; and the errors of ``build()``.
    /// - Complexity: a few nanoseconds per letter of the text, times the number of search words.
    public func excerpt<Value: TextValue>(
        of property: Property<E, Value>, in text: String?, lengthMax: Int = 160
    ) throws -> TextExcerpt? {
        let runner = try runner()
        let path = try property.term.path(for: "An excerpt")
        let phrases = try runner.phrases(in: path)
        guard !phrases.isEmpty else {
            throw DaybookError(
                .invalidArgument,
                "The query searches for no words in '\(path)', so a text has no excerpt. Use"
                    + " 'matches' with this property in its condition, outside negations and"
                    + " conditions on related objects.", details: ["property": "\(path)"])
        }
        guard lengthMax > 0 else {
            throw DaybookError(
                .invalidArgument,
                "The maximum length of an excerpt is \(lengthMax). Use at least 1 character.",
                details: ["lengthMax": String(lengthMax)])
        }
        return text.map { text in
            let found = ExcerptSearch(phrases).excerpt(of: text, lengthMax: lengthMax)
            return TextExcerpt(
                text: found.text, highlights: found.highlights, isCutAtStart: found.isCutAtStart,
                isCutAtEnd: found.isCutAtEnd)
        }
    }

    /// Returns the part of an object's text that shows best why the query found it:
    /// `excerpt(of: \.text, in: note.text)`. Same as the method with a property otherwise.
    public func excerpt<Value: TextValue>(
        of path: KeyPath<E.Type, Property<E, Value>>, in text: String?, lengthMax: Int = 160
    ) throws -> TextExcerpt? {
        try excerpt(of: E.self[keyPath: path], in: text, lengthMax: lengthMax)
    }
}
