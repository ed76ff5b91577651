import Foundation

/// The examples of the package's README, for tests that run the same code.
package enum ReadmeExamples {
    /// The examples in Swift, in order.
    package static func all() throws -> [String] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        return readme.components(separatedBy: "```").filter { $0.hasPrefix("swift") }
    }

    /// A source file as ``words(_:)``.
    package static func words(ofFile path: String) throws -> String {
        words(try String(contentsOf: URL(filePath: path), encoding: .utf8))
    }

    /// A text with single spaces, so that the breaks of lines do not matter.
    package static func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ") + " "
    }
}
