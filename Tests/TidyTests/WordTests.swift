import Testing

/// Comments, test names and documents are written in plain technical English.
///
/// A machine cannot judge a sentence. These phrases, however, almost always replace the noun that
/// names the subject. The check covers the sources, the tools, the documents, and the
/// tests that are listed.
@Suite struct WordTests {
    private static let phrases = [
        "anew", "whoever", "whomever", "somebody", "hears", "stands", "stood", "is told",
        "are told", "was told", "goes on", "go on", "went on", "what is", "what was", "what they",
        "what becomes", "who comes", "those that", "comes to", "come to", "let go",
        "lets go", "given back", "gives back", "in vain",
    ]

    /// Paths, or beginnings of paths, that the check covers.
    private static let converted = [
        "Sources/", "Tools/", "Samples/Archive/", "Samples/LiveQuery/", "Samples/TimeMachine/",
        "Tests/DaybookBytesTests/", "Tests/DaybookLogTests/", "Tests/DaybookMaintenanceTests/",
        "Tests/DaybookPagesTests/", "Tests/DaybookRecordsTests/",
    ]

    @Test func `converted files avoid phrases that replace the subject of a sentence`() {
        let files = SourceTree.all.filter { file in
            Self.converted.contains { file.path.hasPrefix($0) }
        }
        #expect(files.count > 800)
        #expect(files.flatMap(Self.findings) == [])
    }

    @Test func `documents avoid phrases that replace the subject of a sentence`() throws {
        var found: [String] = []
        // The table of guarantees quotes names of tests.
        for path in DocumentTests.documents where !path.hasSuffix("/Guarantees.md") {
            let paragraphs = try SourceTree.text(path).split(separator: "\n\n")
            for paragraph in paragraphs where !paragraph.hasPrefix("```") {
                found += Self.phrases(in: paragraph).map { "\(path): \($0)" }
            }
        }
        #expect(found == [])
    }

    @Test func `every converted path exists`() {
        let missing = Self.converted.filter { path in
            !SourceTree.all.contains { $0.path.hasPrefix(path) }
        }
        #expect(missing == [])
    }

    @Test func `the check reports comments and test names with a forbidden phrase`() {
        let sample = SourceFile(
            path: "a.swift",
            text: """
                /// Calls the subscriber that goes on.
                func one() {}

                    // The text stands
                    // at the end of the list, and what
                    // is before it, too.
                @Test func `whoever reads gets the page`() {}
                let text = "anew"
                /// Understands a stand and renews the page.
                func two() { run() }
                """)
        #expect(
            Self.findings(in: sample) == [
                "a.swift:1: goes on", "a.swift:4: stands", "a.swift:4: what is",
                "a.swift:7: whoever",
            ])
    }

    /// The forbidden phrases in the comments and test names of a file, each with its place.
    private static func findings(in file: SourceFile) -> [String] {
        var found: [String] = []
        var index = 0
        while index < file.lines.count {
            let start = index
            var text = testName(in: file.lines[index]) ?? ""
            while index < file.lines.count, file.isComment(index) {
                text += " " + file.lines[index].trimmed.drop { $0 == "/" }
                index += 1
            }
            found += phrases(in: text).map { "\(file.place(start)): \($0)" }
            index = max(index, start + 1)
        }
        return found
    }

    private static func phrases(in text: some StringProtocol) -> [String] {
        let words = " " + text.lowercased().words.joined(separator: " ") + " "
        return phrases.filter { words.contains(" \($0) ") }
    }

    private static func testName(in line: String) -> String? {
        line.firstMatch(of: /func `([^`]+)`/).map { String($0.1) }
    }
}
