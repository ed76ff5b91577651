import Foundation

/// The terminal. If the output is a file, the drawings are written one after another.
enum Screen {
    private static let isTerminal = isatty(STDOUT_FILENO) == 1

    static func draw(_ lines: [String]) {
        let text = lines.map { $0 + "\n" }.joined()
        // Moves the cursor to the top left corner and clears the screen.
        let start = isTerminal ? "\u{1B}[H\u{1B}[2J" : ""
        FileHandle.standardOutput.write(Data((start + text + (isTerminal ? "" : "\n")).utf8))
    }
}
