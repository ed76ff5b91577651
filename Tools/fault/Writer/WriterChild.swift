import Foundation

/// The running child, and what it told.
struct WriterChild {
    private let process = Process()
    private let output: URL

    /// Starts a writer on `directory`; its words go into a file beside the store.
    init(directory: String, words: String, seed: UInt64, isLate: Bool = false) throws {
        guard let path = Bundle.main.executablePath else {
            throw Violation("the path of this program is unknown")
        }
        output = URL(fileURLWithPath: words)
        _ = FileManager.default.createFile(atPath: words, contents: nil)
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["write", "--directory", directory, "--seed", String(seed)]
        if isLate { process.arguments?.append("--late") }
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
    }

    var isRunning: Bool { process.isRunning }

    /// All that the child has told.
    var words: String { String(decoding: (try? Data(contentsOf: output)) ?? Data(), as: UTF8.self) }

    /// Waits until the child has told something that begins with a word, or has died; for half a
    /// minute at most.
    func await(_ word: String) {
        for _ in 0..<30_000 where process.isRunning {
            if ("\n" + words).contains("\n\(word) ") { return }
            Thread.sleep(forTimeInterval: 0.001)
        }
    }

    /// SIGKILL, as `kill -9` sends it.
    func kill() {
        if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// What the child told in the first `length` bytes of its words: the last transaction of each
    /// thread, at least those in `before`; and its complaint, if it had one.
    func told(
        after before: [UInt64], length: Int = .max
    ) throws -> (acknowledged: [UInt64], complaint: String?) {
        var acknowledged = before
        var complaint: String?
        let text = String(
            decoding: try Data(contentsOf: output).prefix(length), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.first == "A", words.count == 3, let thread = Int(words[1]),
                let number = UInt64(words[2])
            {
                acknowledged[thread] = max(acknowledged[thread], number)
            } else if let word = words.first, !"PDSK".contains(word) {
                complaint = complaint ?? String(line)
            }
        }
        return (acknowledged, complaint)
    }
}
