import DaybookRecords

/// Searches for words in strings.
struct WordSearch: Sendable {
    private let words: [[UInt8]]
    private let arePrefixes: [Bool]

    init(_ words: [QueryWord]) {
        self.words = words.map { Array($0.text.utf8) }
        arePrefixes = words.map(\.isPrefix)
    }

    var count: Int { words.count }

    /// Whether a string contains all words. Cost: a few nanoseconds per letter up to the last
    /// match, and for each word of the string a comparison with each word not found yet.
    func areAll(in utf8: Span<UInt8>) -> Bool {
        var missing = Array(words.indices)
        TextWords.forEach(in: utf8) { word in
            missing.removeAll { isFound($0, as: word) }
            return !missing.isEmpty
        }
        return missing.isEmpty
    }

    /// Whether a string contains the words one after another, in their order. Cost: as
    /// ``areAll(in:)``.
    func isPhrase(in utf8: Span<UInt8>) -> Bool {
        // For each number of words, whether the last words of the string are the first ones of the
        // phrase.
        var isBegun = [Bool](repeating: false, count: words.count + 1)
        isBegun[0] = true
        TextWords.forEach(in: utf8) { word in
            for place in words.indices.reversed() {
                isBegun[place + 1] = isBegun[place] && isFound(place, as: word)
            }
            return !isBegun[words.count]
        }
        return isBegun[words.count]
    }

    /// Calls `body` for each word of a string, with the places of the search words that it matches.
    func forEach(in utf8: Span<UInt8>, _ body: (_ found: [Int]) -> Void) {
        TextWords.forEach(in: utf8) { word in
            body(words.indices.filter { isFound($0, as: word) })
            return true
        }
    }

    /// Whether a word of a string is the search word at a place.
    func isFound(_ place: Int, as word: Span<UInt8>) -> Bool {
        let wanted = words[place]
        guard arePrefixes[place] ? wanted.count <= word.count : wanted.count == word.count else {
            return false
        }
        for index in wanted.indices where wanted[index] != word[index] { return false }
        return true
    }
}
