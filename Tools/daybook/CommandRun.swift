import DaybookBytes
import DaybookEngine

/// One run of a command: its output, its progress bar, and the wish of somebody to end it.
final class CommandRun {
    private let signals = ProcessSignals()
    private let bar: ProgressBar?
    private var buffer = LineBuffer()
    private let isTalkative: Bool
    /// How many lines were written.
    private(set) var lineCount = 0

    init(label: String, isQuiet: Bool, isColorless: Bool) {
        isTalkative = !isQuiet && StandardStream.error.isTerminal
        let isColored = !isColorless && !ProcessEnvironment.isSet("NO_COLOR")
        bar = isTalkative ? ProgressBar(label: label, isColored: isColored) : nil
    }

    /// What the engine's long operations are given.
    var control: OperationControl {
        OperationControl(
            progress: { [bar] in bar?.show($0) }, isCancelled: { [signals] in signals.isRaised })
    }

    /// Writes one JSON line; it leaves the process with many others at once.
    func line(_ write: (inout JSONText) throws(DaybookError) -> Void) throws(DaybookError) {
        try remark(write)
        lineCount += 1
    }

    /// Writes a JSON line that is no result of its own, and is not counted as one.
    func remark(_ write: (inout JSONText) throws(DaybookError) -> Void) throws(DaybookError) {
        try write(&buffer.text)
        buffer.text.newLine()
        if buffer.isFull { try flush() }
    }

    /// Hands over what was written. Every command ends with this.
    func finish() throws(DaybookError) {
        try flush()
        bar?.erase()
    }

    /// Words for a person; where nobody watches, nothing.
    func say(_ words: String) {
        guard isTalkative else { return }
        bar?.erase()
        try? StandardStream.error.write(Array((words + "\n").utf8).span)
    }

    private func flush() throws(DaybookError) {
        if !buffer.isEmpty { bar?.erase() }
        try buffer.flush()
    }

    deinit { bar?.erase() }

    /// Says on standard error why the command failed, whoever watches.
    static func report(_ message: String) {
        try? StandardStream.error.write(Array("daybook: \(message)\n".utf8).span)
    }
}
