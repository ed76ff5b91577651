import Foundation

/// A progress bar on standard error; prints nothing if standard error is no terminal.
struct ProgressBar: ~Copyable {
    private static let width = 40

    private let title: String
    private let total: Int
    private let isShown = isatty(STDERR_FILENO) == 1
    private var shown = -1

    init(_ title: String, total: Int) {
        self.title = title
        self.total = max(1, total)
    }

    mutating func update(_ done: Int) {
        let percent = min(100, done * 100 / total)
        guard isShown, percent != shown else { return }
        shown = percent
        Self.write("\r" + Self.line(title, percent))
    }

    deinit {
        if isShown { Self.write("\r\u{1B}[K") }
    }

    /// Returns the text of the bar at a percentage.
    static func line(_ title: String, _ percent: Int) -> String {
        let full = width * percent / 100
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: width - full)
        return "\(title) [\(bar)] \(percent) %"
    }

    private static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
