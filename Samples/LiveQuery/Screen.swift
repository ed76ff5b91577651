import Foundation

/// The terminal; where the output goes to a file, one drawing follows another.
enum Screen {
    private static let isTerminal = isatty(STDOUT_FILENO) == 1

    static func draw(_ lines: [String]) {
        let text = lines.map { $0 + "\n" }.joined()
        // Home, the text, and whatever stood below it is cleared.
        let start = isTerminal ? "\u{1B}[H\u{1B}[2J" : ""
        FileHandle.standardOutput.write(Data((start + text + (isTerminal ? "" : "\n")).utf8))
    }
}
