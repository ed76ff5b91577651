/// A Swift file, line by line, once as written and once without comments and the insides of
/// strings.
struct SourceFile: CustomStringConvertible {
    /// From the root of the package.
    let path: String
    let lines: [String]
    /// The same number of lines; only code is left in them.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        code = CodeReader.code(of: text)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var description: String { path }

    /// The name without folder and ending.
    var name: String { String(path.split(separator: "/").last?.dropLast(6) ?? "") }

    /// How a finding in a line is reported; `index` counts from 0.
    func place(_ index: Int) -> String { "\(path):\(index + 1)" }

    /// Whether a line holds a comment and nothing else.
    func isComment(_ index: Int) -> Bool {
        lines[index].trimmed.hasPrefix("//")
    }

    /// The comments and attributes that stand right above a line, and those at its own end.
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
    /// Without the blanks at both ends.
    var trimmed: Substring {
        let text = Substring(self)
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = text.utf8.firstIndex(where: { !isBlank($0) }),
            let last = text.utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return text[first...last]
    }

    /// Whether a word stands in it that is no part of a longer one.
    func contains(word: String) -> Bool {
        contains(word) && words.contains { $0 == word }
    }

    /// What letters, digits and underscores form.
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
