import Testing

/// Comments, test names and documents are written in plain technical English.
///
/// A machine cannot judge a sentence. These phrases, however, almost always replace the noun that
/// names the subject. The check covers all sources, tests, tools, samples and documents.
@Suite struct WordTests {
    private static let phrases = [
        "anew", "are met", "are said", "are told", "be had", "by whom", "came back", "come to",
        "comes to", "doom", "doomed", "for ever", "given back", "given up", "gives back",
        "gives up", "go away", "go on", "goes away", "goes on", "healed", "healing", "heals",
        "hear", "heard", "hears", "in hand", "in vain", "is had", "is met", "is said", "is told",
        "judges", "leave alone", "leaves alone", "let go", "lets go", "mend", "mended", "mends",
        "no longer there", "put along", "put away", "reversal", "shelf", "somebody", "stands",
        "stay as they", "stays as it", "stood", "stored along", "survivors", "take back",
        "taken back", "takes back", "those that", "told apart", "told of", "told what", "took back",
        "was told", "waypoint", "went away", "went on", "what becomes", "what came", "what cannot",
        "what comes", "what had", "what happened", "what is", "what others", "what they",
        "what was", "who asks", "who comes", "who has", "who is", "who reads", "whoever",
        "whomever",
    ]

    @Test func `files avoid phrases that replace the subject of a sentence`() {
        #expect(SourceTree.all.count > 1200)
        #expect(SourceTree.all.flatMap(Self.findings) == [])
    }

    @Test func `documents avoid phrases that replace the subject of a sentence`() throws {
        var found: [String] = []
        for path in DocumentTests.documents {
            let paragraphs = try SourceTree.text(path).split(separator: "\n\n")
            for paragraph in paragraphs where !paragraph.hasPrefix("```") {
                found += Self.phrases(in: paragraph).map { "\(path): \($0)" }
            }
        }
        #expect(found == [])
    }

    @Test func `the check reports comments and test names with a forbidden phrase`() {
        // The lines are separate strings because this file is checked, too.
        let lines = [
            "/// Calls the subscriber that goes on.", "func one() {}", "",
            "    // The text stands", "    // at the end of the list, and what",
            "    // is before it, too.", "@Test func `whoever reads gets the page`() {}",
            "@Test", "    func", "    `a page is let go`() {}", "let text = \"anew\"",
            "/// Understands a stand and renews the page.", "func two() { run() }",
        ]
        let sample = SourceFile(path: "a.swift", text: lines.joined(separator: "\n"))
        #expect(
            Self.findings(in: sample) == [
                "a.swift:1: goes on", "a.swift:4: stands", "a.swift:4: what is",
                "a.swift:7: whoever", "a.swift:10: let go",
            ])
    }

    /// The forbidden phrases in the comments and test names of a file, each with its place.
    private static func findings(in file: SourceFile) -> [String] {
        var found: [String] = []
        var index = 0
        while index < file.lines.count {
            let start = index
            var text = testName(in: file, index) ?? ""
            while index < file.lines.count, file.isComment(index) {
                text += " " + file.lines[index].trimmed.drop { $0 == "/" }
                index += 1
            }
            found += phrases(in: text).map { "\(file.place(start)): \($0)" }
            index = max(index, start + 1)
        }
        return found
    }

    /// The words of each phrase, by the first of them.
    private static let phrasesByFirstWord = Dictionary(grouping: phrases.map(\.words)) { $0[0] }

    private static func phrases(in text: some StringProtocol) -> [String] {
        let words = text.lowercased().words
        return words.indices.flatMap { index in
            (phrasesByFirstWord[words[index]] ?? []).filter { words[index...].starts(with: $0) }
                .map { $0.joined(separator: " ") }
        }
    }

    /// The raw identifier that names the function of a line. It may be on the line after `func`.
    private static func testName(in file: SourceFile, _ index: Int) -> String? {
        guard file.lines[index].contains("`"),
            file.code[index].firstMatch(of: /^ *`|func `/) != nil
        else { return nil }
        return file.lines[index].firstMatch(of: /(?:func |^ *)`([^`]+)`/).map { String($0.1) }
    }
}
