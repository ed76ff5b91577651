import Foundation
import Testing

/// What people read, held against what is there.
@Suite struct DocumentTests {
    static let documentation = "Sources/Daybook/Daybook.docc"
    static let guides = SourceTree.paths(under: documentation, ending: ".md")

    @Test func `the change log begins with what is unreleased`() throws {
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
        let printed = try #require(readme.split(separator: "```swift\n").dropFirst().first)
            .prefix(upTo: "```")
        let test = try SourceTree.text("Tests/DaybookMacroTests/ReadmeTests.swift")
        #expect(String(printed) == Self.marked(in: test))
    }

    /// The lines between the marks, their common indentation taken off, a blank line between the
    /// parts.
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

    @Test func `paths that the documents name exist`() throws {
        var found: [String] = []
        for document in ["README.md", "Samples/README.md"] + Self.guides {
            let text = try SourceTree.text(document)
            for match in text.matches(of: /`((?:Sources|Tests|Tools|Samples|\.ci)\/[^`\s]*)`/) {
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

    /// Every test that a guarantee of the README names is there, word for word.
    @Test func `every guarantee names tests that exist`() throws {
        let readme = try SourceTree.text("README.md")
        let section = try #require(readme.split(separator: "## Guarantees\n").dropFirst().first)
            .prefix(upTo: "\n## ")
        let named = Self.quotations(in: section)
        #expect(named.count >= 9)
        #expect(named.filter { !Self.tests.contains($0) } == [])
    }

    @Test(arguments: [
        ("SchemaEvolution", 20), ("Relations", 12), ("Querying", 60), ("FromObjectBox", 15),
        ("FromRealm", 15), ("Changes", 15),
    ])
    func `every claim of a guide names a test that exists`(name: String, least: Int) throws {
        let guide = try SourceTree.text(Self.documentation + "/Guides/\(name).md")
        let named = Self.quotations(in: guide)
        #expect(named.count >= least)
        #expect(named.filter { !Self.tests.contains($0) } == [])
    }

    /// The names of all tests.
    private static let tests = Set(
        SourceTree.all.flatMap(\.lines).compactMap { line in
            line.firstMatch(of: /func `([^`]+)`\(/).map { String($0.1) }
        })

    /// What stands between quotation marks; it may be broken over lines.
    private static func quotations(in text: some StringProtocol) -> [String] {
        String(text).matches(of: /“([^”]+)”/).map {
            $0.1.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }
}

extension StringProtocol {
    /// What stands before the first occurrence of `mark`, or all of it.
    fileprivate func prefix(upTo mark: String) -> Substring {
        Substring(range(of: mark).map { self[..<$0.lowerBound] } ?? self[...])
    }

    /// Without blank lines at both ends.
    fileprivate var trimmedLines: String {
        trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
