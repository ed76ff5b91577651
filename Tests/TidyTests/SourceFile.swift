/// A Swift file as lines, in the original form and without comments and string contents.
struct SourceFile: CustomStringConvertible {
    /// The path from the root of the package.
    let path: String
    let lines: [String]
    /// The same number of lines, with only the code.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        code = CodeReader.code(of: text)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var description: String { path }

    /// The name without folder and extension.
    var name: String { String(path.split(separator: "/").last?.dropLast(6) ?? "") }

    /// Returns the location of a finding; `index` counts from 0.
    func place(_ index: Int) -> String { "\(path):\(index + 1)" }

    /// Whether a line contains only a comment.
    func isComment(_ index: Int) -> Bool {
        lines[index].trimmed.hasPrefix("//")
    }

    /// Returns the comments and attributes directly above a line, and those at its end.
    func commentBlock(above index: Int) -> [String] {
        var block = [lines[index]]
        var above = index - 1
        while above >= 0, isComment(above) || lines[above].trimmed.hasPrefix("@") {
            block.append(lines[above])
            above -= 1
        }
        return block
    }
}

extension StringProtocol {
    /// The string without whitespace at both ends.
    var trimmed: Substring {
        let text = Substring(self)
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = text.utf8.firstIndex(where: { !isBlank($0) }),
            let last = text.utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return text[first...last]
    }

    /// Whether it contains a whole word.
    func contains(word: String) -> Bool {
        contains(word) && words.contains { $0 == word }
    }

    /// The sequences of letters, digits and underscores.
    var words: [SubSequence] {
        split(omittingEmptySubsequences: true) { character in
            guard let byte = character.asciiValue else { return false }
            return switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                false
            default: true
            }
        }
    }
}
