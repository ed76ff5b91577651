import Foundation
import Testing

/// Checks the documents against the package.
@Suite struct DocumentTests {
    static let documentation = "Sources/Daybook/Daybook.docc"
    static let guides = SourceTree.paths(under: documentation, ending: ".md")
    /// Every document.
    static let documents =
        [
            "README.md", "CHANGELOG.md", "Samples/README.md", "Tools/benchmarks/README.md",
            "Replication/README.md", "Browser/README.md",
        ] + guides

    @Test func `the change log begins with the unreleased changes`() throws {
        let lines = try SourceTree.text("CHANGELOG.md").split(separator: "\n")
        #expect(lines.first == "# Changelog")
        let releases = lines.filter { $0.hasPrefix("## ") }
        #expect(releases.first == "## [Unreleased]")
        for release in releases.dropFirst() {
            #expect(release.wholeMatch(of: /## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d/) != nil)
        }
        let kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
        for heading in lines where heading.hasPrefix("### ") {
            #expect(kinds.contains(String(heading.dropFirst(4))), "\(heading)")
        }
    }

    @Test func `the program in the README is the one that is compiled and run`() throws {
        let readme = try SourceTree.text("README.md")
        let printed = try #require(
            readme.split(separator: "```swift\n").first { $0.hasPrefix("import Daybook\n") }
        ).prefix(upTo: "```")
        let test = try SourceTree.text("Tests/DaybookMacroTests/ReadmeTests.swift")
        #expect(String(printed) == Self.marked(in: test))
    }

    /// Returns the lines between the marks without their common indentation, with a blank line
    /// between the parts.
    private static func marked(in text: String) -> String {
        let parts = text.split(separator: "// README: begin\n").dropFirst().map { part in
            let lines = part.prefix(upTo: "// README: end").split(
                separator: "\n", omittingEmptySubsequences: false)
            let indent =
                lines.filter { !$0.trimmed.isEmpty }
                .map { $0.prefix { $0 == " " }.count }.min() ?? 0
            return lines.map { $0.dropFirst(indent) }.joined(separator: "\n").trimmedLines
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    @Test func `the guide to benchmarks has the table of the README`() throws {
        func table(in text: String) -> [Substring] {
            text.split(separator: "\n").drop { !$0.hasPrefix("| Operation |") }
                .prefix { $0.hasPrefix("|") }
        }
        let printed = table(in: try SourceTree.text("README.md"))
        let guide = try SourceTree.text(Self.documentation + "/Guides/Benchmarks.md")
        #expect(printed.count > 10)
        #expect(table(in: guide) == printed)
    }

    @Test func `paths that the documents name exist`() throws {
        var found: [String] = []
        for document in ["README.md", "Samples/README.md"] + Self.guides {
            let text = try SourceTree.text(document)
            let quoted = /\x60((?:Sources|Tests|Tools|Samples|\.ci)\/[^\x60\s]*)\x60/
            for match in text.matches(of: quoted) {
                let path = String(match.1)
                if !path.contains("*"), !SourceTree.exists(path) {
                    found.append("\(document): \(path)")
                }
            }
        }
        #expect(found == [])
    }

    @Test func `every guide is linked from the front page, and every link leads somewhere`() throws
    {
        let names = Self.guides.compactMap { path in
            path.split(separator: "/").last.map { String($0.dropLast(3)) }
        }
        let front = try SourceTree.text(Self.documentation + "/Daybook.md")
        for name in names where name != "Daybook" { #expect(front.contains("<doc:\(name)>")) }
        for guide in Self.guides {
            for link in try SourceTree.text(guide).matches(of: /<doc:([A-Za-z]+)>/) {
                #expect(names.contains(String(link.1)), "\(guide) links to \(link.1)")
            }
        }
    }

    @Test func `a newcomer finds first when to use Daybook`() throws {
        let front = try SourceTree.text(Self.documentation + "/Daybook.md")
        let topics = front.split(separator: "\n").drop { $0 != "## Topics" }
        #expect(topics.first { $0.hasPrefix("- <doc:") } == "- <doc:WhenToUse>")
        let readme = try SourceTree.text("README.md")
        let beginning = readme.prefix(upTo: "## Installation")
        #expect(beginning.contains("](\(Self.documentation)/Guides/WhenToUse.md)"))
        let guide = try SourceTree.text(Self.documentation + "/Guides/WhenToUse.md")
        #expect(guide.contains("<doc:GettingStarted>"))
    }

    /// The documents that quote tests: a guide states facts, and a table says which test shows
    /// them.
    private static let tables = ["Guarantees", "Compatibility"]

    @Test(arguments: [("Guarantees", 100, 250), ("Compatibility", 150, 200)])
    func `every row of a table of tests names tests that exist`(
        document: String, rowCountMin: Int, nameCountMin: Int
    ) throws {
        let table = try SourceTree.text(Self.documentation + "/Internals/\(document).md")
        let rows = table.split(separator: "\n").filter { row in
            row.hasPrefix("| ")
                && !["| ---", "| Guarantee", "| Feature"].contains { row.hasPrefix($0) }
        }
        #expect(rows.count >= rowCountMin)
        #expect(rows.filter { Self.quotations(in: $0).isEmpty } == [])
        let named = rows.flatMap { Self.quotations(in: $0) }
        #expect(named.count >= nameCountMin)
        #expect(named.filter { !Self.tests.contains($0) } == [])
    }

    @Test func `documents other than the tables of tests quote no tests`() throws {
        var found: [String] = []
        for document in ["README.md", "CHANGELOG.md"] + Self.guides
        where !Self.tables.contains(where: { document.hasSuffix("/\($0).md") }) {
            let named = Self.quotations(in: try SourceTree.text(document))
            found += named.filter(Self.tests.contains).map { "\(document): \($0)" }
        }
        #expect(found == [])
    }

    @Test func `a guide mentions every public type, function and property`() throws {
        let pages = try Self.guides.filter { !$0.contains("/Internals/") }.map(SourceTree.text)
        let mentioned = pages.reduce(into: Set<Substring>()) {
            $0.formUnion(Self.codeWords(in: $1))
        }
        let names = SourceTree.sources.flatMap(Self.publicNames)
        #expect(Self.unmentioned(names, mentioned) == [])
        #expect(names.count > 1000)
    }

    @Test func `a public name that no guide mentions is found`() {
        let file = SourceFile(
            path: "Sources/Daybook/A.swift",
            text: """
                public final class Store: Sendable {
                    public struct Inner {
                        public static func load() {}
                    }
                    public nonisolated(nonsending) func find() async throws {}
                    @TaskLocal public static var current: Int?
                    public private(set) var failed = 0
                    public func `where`() {}
                    public var startIndex: Int { 0 }
                    public static func == (one: Store, other: Store) -> Bool { true }
                    func hidden() {}
                    // public func formerly() {}
                }
                public macro Entity(name: String)
                @_exported public import Foundation
                @_exported public import struct Foundation.URL
                """)
        let guide = """
            Call ``Store`` and `load()`. The words find, current and where are not code.
            ```swift
            let failed = true
            ```
            """
        #expect(
            Self.unmentioned(Self.publicNames(in: file), Self.codeWords(in: guide)) == [
                "Sources/Daybook/A.swift:2: Inner", "Sources/Daybook/A.swift:5: find",
                "Sources/Daybook/A.swift:6: current", "Sources/Daybook/A.swift:8: where",
                "Sources/Daybook/A.swift:14: Entity",
            ])
    }

    /// Names that the standard library requires of a conformance. A user never writes them.
    private static let required: Set<Substring> = [
        "_copyToContiguousArray", "debugDescription", "endIndex", "errorDescription", "Iterator",
        "makeAsyncIterator", "makeIterator", "next", "startIndex",
    ]

    /// Returns the public names of a file that a guide must mention, with their places.
    private static func publicNames(in file: SourceFile) -> [(name: Substring, place: String)] {
        file.lines.indices.compactMap { index in
            guard let name = publicName(file.lines[index]), !required.contains(name) else {
                return nil
            }
            return (name, file.place(index))
        }
    }

    private static func unmentioned(
        _ names: [(name: Substring, place: String)], _ mentioned: Set<Substring>
    ) -> [String] {
        names.filter { !mentioned.contains($0.name) }.map { "\($0.place): \($0.name)" }
    }

    private static let declarations: Set<Substring> = [
        "actor", "class", "enum", "func", "let", "macro", "protocol", "struct", "typealias", "var",
    ]

    /// The name of the public type, function, property or macro that a line declares; nil for
    /// operators, initializers, imports, and type aliases inside a type.
    private static func publicName(_ line: String) -> Substring? {
        guard line.contains("public ") || line.contains("open ") else { return nil }
        var words = line.trimmed.split(separator: " ").drop { !["public", "open"].contains($0) }
        guard !line.trimmed.hasPrefix("//"), words.popFirst() != nil else { return nil }
        // Modifiers such as `static` and `private(set)` may follow.
        while let word = words.popFirst() {
            if word == "import" { return nil }
            if word == "typealias", line.hasPrefix(" ") { return nil }
            if word == "class", words.first == "func" { continue }
            guard declarations.contains(word) else { continue }
            let name = words.first?.drop { $0 == "`" }
            return name.flatMap {
                $0.first?.isLetter == true || $0.first == "_" ? $0.words[0] : nil
            }
        }
        return nil
    }

    /// Returns the words of a document's programs and of its sentences' code.
    private static func codeWords(in text: String) -> Set<Substring> {
        var isProgram = false
        var words: Set<Substring> = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") {
                isProgram.toggle()
            } else if isProgram {
                words.formUnion(line.words)
            } else {
                let parts = line.replacing("``", with: "`")
                    .split(separator: "`", omittingEmptySubsequences: false)
                for (index, part) in parts.enumerated() where index % 2 == 1 {
                    words.formUnion(part.words.map { Substring($0) })
                }
            }
        }
        return words
    }

    @Test func `lines of documents have at most 120 columns`() throws {
        var found: [String] = []
        for document in Self.documents {
            let text = try SourceTree.text(document)
            found += Self.longLines(in: text).map { "\(document):\($0)" }
        }
        #expect(found == [])
    }

    @Test func `a long line of prose is found, a row of a table and a program are not`() {
        let long = String(repeating: "word ", count: 30)
        let text = "short\n\(long)\n| \(long) |\n```\n\(long)\n```\n\(long)"
        #expect(Self.longLines(in: text) == [2, 7])
    }

    /// Returns the numbers of lines that are too long. Table rows cannot be wrapped, and programs
    /// are printed unchanged.
    private static func longLines(in text: String) -> [Int] {
        var isProgram = false
        var found: [Int] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") { isProgram.toggle() }
            if !isProgram, !line.hasPrefix("|"), line.count > 120 { found.append(index + 1) }
        }
        return found
    }

    /// The names of all tests. A name may be on the line after `func`.
    private static let tests = Set(
        SourceTree.all.flatMap(\.lines).compactMap { line -> String? in
            guard line.contains("`(") else { return nil }
            return line.firstMatch(of: /(?:func |^ +)`([^`]+)`\(/).map { String($0.1) }
        })

    /// Returns the strings between quotation marks; they may continue across lines.
    private static func quotations(in text: some StringProtocol) -> [String] {
        String(text).matches(of: /“([^”]+)”/).map {
            $0.1.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }
}

extension StringProtocol {
    /// Returns the part before the first occurrence of `mark`, or the whole string.
    fileprivate func prefix(upTo mark: String) -> Substring {
        Substring(range(of: mark).map { self[..<$0.lowerBound] } ?? self[...])
    }

    /// The string without blank lines at both ends.
    fileprivate var trimmedLines: String {
        trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
