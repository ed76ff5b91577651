import Foundation

/// The running child process and its output.
struct WriterChild {
    private let process = Process()
    private let output: URL

    /// Starts a writer on `directory`; its output is written to the file `words`.
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

    /// The output of the child so far.
    var words: String { String(decoding: (try? Data(contentsOf: output)) ?? Data(), as: UTF8.self) }

    /// Waits until a line of the output begins with a word, or until the child has exited; 30
    /// seconds at most.
    func await(_ word: String) {
        let end = ContinuousClock.now + .seconds(30)
        while process.isRunning, ContinuousClock.now < end {
            if ("\n" + words).contains("\n\(word) ") { return }
            Thread.sleep(forTimeInterval: 0.001)
        }
    }

    /// Sends SIGKILL.
    func kill() {
        if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Parses the first `length` bytes of the child's output. Returns the last acknowledged
    /// transaction of each thread, at least that of `before`, and the first error message, if any.
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
