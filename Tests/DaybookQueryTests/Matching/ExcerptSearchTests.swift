import DaybookRecords
@testable import DaybookQuery
import DaybookTesting
import DaybookTestSupport
import Testing

/// Excerpts around words. A failure prints its seed.
@Suite struct ExcerptSearchTests {
    /// The excerpt with brackets around highlights and dots where the text was cut.
    private static func shown(_ text: String, _ words: [String], _ lengthMax: Int) -> String {
        let search = ExcerptSearch(words.map { QueryWord.sequence(of: $0) })
        let excerpt = search.excerpt(of: text, lengthMax: lengthMax)
        var shown = excerpt.isCutAtStart ? "…" : ""
        var place = excerpt.text.startIndex
        for range in excerpt.highlights {
            shown += excerpt.text[place..<range.lowerBound] + "[" + excerpt.text[range] + "]"
            place = range.upperBound
        }
        return shown + excerpt.text[place...] + (excerpt.isCutAtEnd ? "…" : "")
    }

    @Test(arguments: [
        ("one two three", ["two"], 100, "one [two] three"),
        ("one TWO, twofold", ["two*"], 100, "one [TWO], [twofold]"),
        ("one two three four five six seven", ["four"], 14, "…[four] five…"),
        ("one two three", ["none"], 8, "one two…"),
        ("one two three", ["none"], 100, "one two three"),
        ("", ["a"], 10, ""),
        // The window with more different words, although a later one.
        ("red red red. 0123456789 0123456789 red blue", ["red", "blue"], 12, "…[red] [blue]"),
        ("red 0123456789 0123456789 red red", ["red"], 8, "…[red] [red]"),
        (
            "new york is new, york new-york", ["new york"], 100,
            "[new york] is [new, york] [new-york]"
        ),
        ("a a a b", ["a a"], 100, "[a a a] b"),
        ("漢字仮名交じり文", ["仮", "名"], 4, "…字[仮名]交…"),
        ("abcdefghij", ["abcdefghij"], 4, "[abcd]…"),
        ("caf\u{65}\u{301} e\u{301}te\u{301}", ["ete"], 100, "café [été]"),
        ("x 👨‍👩‍👧‍👦 a", ["a"], 2, "…[a]"),
        ("ééééé ü. 漢ä, ö", ["ü", "o"], 8, "…[ü]. 漢ä, [ö]"),
    ])
    func `an excerpt shows the words`(
        text: String, words: [String], lengthMax: Int, expected: String
    ) {
        #expect(Self.shown(text, words, lengthMax) == expected)
    }

    @Test(arguments: Seeds.first(20))
    func `an excerpt is a part of the text with whole characters and all its words`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let parts = [
            "red", "Blue", "re\u{301}d", " ", ", ", "\n",
            "👨‍👩‍👧‍👦", "漢", "\u{301}", "bluer", "x", "🇩🇪",
        ]
        for _ in 0..<40 {
            let text = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }.joined()
            let lengthMax = Int.random(in: 1...30, using: &generator)
            let words = [["red"], ["blue*"], ["漢"], ["blue", "red"]].filter { _ in
                Bool.random(using: &generator)
            }
            let wanted = words.isEmpty ? [["red"]] : words
            let search = ExcerptSearch(
                wanted.map { $0.flatMap { QueryWord.sequence(of: $0) } })
            let excerpt = search.excerpt(of: text, lengthMax: lengthMax)
            let note: Comment = "seed \(seed): \(text), \(wanted), \(lengthMax)"
            #expect(excerpt.text.count <= lengthMax, note)
            let characters = Array(text)
            let part = Array(excerpt.text)
            let isPart = (0...(characters.count - part.count)).contains {
                Array(characters[$0..<$0 + part.count]) == part
            }
            #expect(isPart, note)
            #expect(
                excerpt.isCutAtStart || excerpt.isCutAtEnd == (part.count < characters.count), note)
            var last = excerpt.text.startIndex
            for range in excerpt.highlights {
                #expect(!range.isEmpty && range.lowerBound >= last, note)
                last = range.upperBound
                #expect(String(excerpt.text[range]).count >= 1, note)
                let found = TextWords.words(of: String(excerpt.text[range]))
                #expect(
                    found.allSatisfy { $0 == "red" || $0.hasPrefix("blue") || $0 == "漢" }
                        || part.count == lengthMax, note)
            }
            // A text that has a word shows one.
            let all = TextWords.words(of: text)
            let single = wanted.filter { $0.count == 1 }.map { $0[0] }
            let isFound = all.contains { word in
                single.contains { $0.hasSuffix("*") ? word.hasPrefix($0.dropLast()) : word == $0 }
            }
            if isFound { #expect(!excerpt.highlights.isEmpty, note) }
        }
    }
}
