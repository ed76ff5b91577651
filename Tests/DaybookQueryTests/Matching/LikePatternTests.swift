import DaybookBytes
@testable import DaybookQuery
import DaybookTesting
import DaybookTestSupport
import Testing

@Suite struct LikePatternTests {
    private func isLike(_ text: String, _ pattern: String) -> Bool {
        LikeMatcher(LikePattern(pattern)).isTrue(of: Array(text.utf8).span)
    }

    @Test(arguments: [
        ("", "", true), ("", "*", true), ("", "?", false), ("a", "", false), ("abc", "a*c", true),
        ("ac", "a*c", true), ("abd", "a*c", false), ("aa", "a*a", true), ("a", "a*a", false),
        ("ä", "?", true), ("a\u{308}", "?", false), ("a\u{308}", "??", true), ("😀x", "?x", true),
        ("a*c", "a\\*c", true), ("abc", "a\\*c", false), ("a\\", "a\\", true),
        ("xayaz", "*a?a*", true),
        ("abab", "*ab", true), ("aab", "*ab", true), ("abc", "?b?", true), ("abc", "*?b?*", true),
        ("a\nb", "a?b", true), ("mississippi", "m*iss*ip*i", true), ("a", "\\a", true),
    ])
    func `a pattern matches exactly the strings of its documentation`(
        text: String, pattern: String, isFitting: Bool
    ) {
        #expect(isLike(text, pattern) == isFitting)
    }

    @Test(arguments: Seeds.first(20))
    func `patterns match like a backtracking search`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func random(_ letters: [Character], _ count: Int) -> String {
            String((0..<count).map { _ in letters.randomElement(using: &generator) ?? "a" })
        }
        let plain = PlainEvaluation(try QueryFixture())
        var fitting = 0
        for _ in 0..<300 {
            let text = random(["a", "b", "ä"], Int.random(in: 0...9, using: &generator))
            let pattern = random(
                ["a", "b", "ä", "?", "*", "*"], Int.random(in: 0...7, using: &generator))
            let isLike = isLike(text, pattern)
            if isLike { fitting += 1 }
            #expect(
                isLike == plain.test(text, .like, pattern), "seed \(seed): \(text) like \(pattern)")
        }
        #expect(fitting > 20, "seed \(seed)")
    }

    @Test(arguments: ["a*", "*a", "a?", "?*"], [false, true])
    func `a hostile pattern reads each scalar only a few times`(part: String, isFitting: Bool) {
        let text = String(repeating: "a", count: 100_000) + (isFitting ? "" : "b")
        let pattern = String(repeating: part, count: 30) + (isFitting ? "*" : "*c")
        let like = LikePattern(pattern)
        var steps = 0
        let found = LikeMatcher(like).isTrue(of: Array(text.utf8).span, steps: &steps)
        #expect(found == isFitting)
        #expect(steps <= 2 * (text.utf8.count + pattern.utf8.count))
    }

    @Test(arguments: Seeds.first(20))
    func `long runs of many different scalars are found at the right position`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let letters = (0..<150).compactMap { Unicode.Scalar(0x4E00 + $0 * 3) } + ["a", "b"]
        func random(_ count: Int) -> [Unicode.Scalar] {
            (0..<count).map { _ in
                Int.random(in: 0..<3, using: &generator) == 0
                    ? "a" : letters.randomElement(using: &generator) ?? "b"
            }
        }
        func text(_ scalars: [Unicode.Scalar]) -> String {
            String(String.UnicodeScalarView(scalars))
        }
        for length in [60, 65, 130, 300] {
            let run = random(length)
            var pattern = run
            for _ in 0..<3 { pattern[Int.random(in: 0..<length, using: &generator)] = "?" }
            let matcher = LikeMatcher(LikePattern("*" + text(pattern) + "*"))
            let (before, behind) = (random(40), random(20))
            let whole = text(before + run.prefix(30) + run + behind)
            let isFound = matcher.isTrue(of: Array(whole.utf8).span)
            #expect(isFound, "seed \(seed)")
            for place in 0..<length {
                var other = run
                other[place] = "c"
                let found = matcher.isTrue(of: Array(text(before + other + behind).utf8).span)
                #expect(found == (pattern[place] == "?"), "seed \(seed), \(length), \(place)")
            }
        }
    }

    @Test func `the memory for a run grows with its length`() {
        let scalars: [[UInt8]?] = (0..<20_000).map { number in
            number % 100 == 0
                ? nil : Unicode.Scalar(0x4E00 + number).map { Array(String($0).utf8) }
        }
        #expect(ScalarSearch(scalars).wordsHeld < 25_000)
        let same = [[UInt8]?](repeating: [0x61], count: 20_000)
        #expect(ScalarSearch(same).wordsHeld < 1_000)
    }

    @Test func `a long run with wildcards costs one step for each 64 of its positions`() {
        let text = String(repeating: "a", count: 20_000)
        let pattern = "*" + String(repeating: "a?", count: 320) + "b*"
        var steps = 0
        let found = LikeMatcher(LikePattern(pattern)).isTrue(
            of: Array(text.utf8).span, steps: &steps)
        #expect(!found)
        #expect(steps <= 12 * text.utf8.count)
    }

    @Test func `a pattern without wildcards becomes a simpler test`() {
        #expect(LikePattern("ab*").simplerTest?.0 == .hasPrefix)
        #expect(LikePattern("*ab").simplerTest?.0 == .hasSuffix)
        #expect(LikePattern("**a\\*b**").simplerTest?.0 == .contains)
        #expect(LikePattern("**a\\*b**").simplerTest?.1 == "a*b")
        #expect(LikePattern("*a*b").simplerTest == nil)
        #expect(LikePattern("a\\?b").constantText == "a?b")
    }

    @Test func `folding a pattern folds its letters and keeps its wildcards`() {
        let options: StringOptions = [.caseInsensitive, .diacriticInsensitive]
        #expect(LikePattern("Ä*\\*?B").folded(options).text == "a*\\*?b")
        // The escaped diacritic is removed, and the wildcard after it stays.
        #expect(LikePattern("a\\\u{301}*").folded(options).text == "a*")
        #expect(LikePattern("*\u{301}*").folded(options).text == "*")
    }
}
