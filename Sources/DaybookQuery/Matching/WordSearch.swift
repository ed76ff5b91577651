import DaybookRecords

/// Which of some words a text has.
struct WordSearch: Sendable {
    private let words: [[UInt8]]
    private let arePrefixes: [Bool]

    init(_ words: [QueryWord]) {
        self.words = words.map { Array($0.text.utf8) }
        arePrefixes = words.map(\.isPrefix)
    }

    var count: Int { words.count }

    /// Whether a text has all of them. Cost: a few ns for each letter up to the last of them, and
    /// for each word a comparison with those that were not found yet.
    func areAll(in utf8: Span<UInt8>) -> Bool {
        var missing = Array(words.indices)
        TextWords.forEach(in: utf8) { word in
            missing.removeAll { isFound($0, as: word) }
            return !missing.isEmpty
        }
        return missing.isEmpty
    }

    /// Gives each word of a text to `body`, with the places of those that it is.
    func forEach(in utf8: Span<UInt8>, _ body: (_ found: [Int]) -> Void) {
        TextWords.forEach(in: utf8) { word in
            body(words.indices.filter { isFound($0, as: word) })
            return true
        }
    }

    private func isFound(_ place: Int, as word: Span<UInt8>) -> Bool {
        let wanted = words[place]
        guard arePrefixes[place] ? wanted.count <= word.count : wanted.count == word.count else {
            return false
        }
        for index in wanted.indices where wanted[index] != word[index] { return false }
        return true
    }
}
