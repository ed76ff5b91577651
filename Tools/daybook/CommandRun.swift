import DaybookBytes
import DaybookEngine
import DaybookRecords

/// One run of a command: its output, its progress bar and its signals.
final class CommandRun {
    private let signals = ProcessSignals()
    private let bar: ProgressBar?
    private var buffer = LineBuffer()
    private let isTalkative: Bool
    /// The number of lines written.
    private(set) var lineCount = 0
    /// The exit status if nothing fails. Set it before writing the corresponding lines: a closed
    /// output then does not change it.
    var status = ExitStatus.success
    /// Whether to flush after each line, because a reader waits for the next one.
    var isFollowing = false

    /// `workBytes` returns the number of bytes that the command reads; nil if that is unknown. Only
    /// a progress bar calls it.
    init(
        label: String, isQuiet: Bool, isColorless: Bool, workBytes: @escaping () -> Int? = { nil }
    ) {
        isTalkative = !isQuiet && StandardStream.error.isTerminal
        let isColored = !isColorless && !ProcessEnvironment.isSet("NO_COLOR")
        bar =
            isTalkative
            ? ProgressBar(label: label, isColored: isColored, workBytes: workBytes) : nil
    }

    /// Runs the work of a command. Flushes all complete lines, even if `work` throws. Throws the
    /// error of `work`, or ``status`` if it is not success.
    func perform(_ work: () throws -> Void) throws {
        defer { bar?.erase() }
        do {
            try work()
            try flush()
        } catch DaybookError.Code.outputClosed {
            // The reader of the output needs no more lines: `daybook replay DIR | head`.
        } catch {
            // Report the error of `work`, even if flushing fails too.
            try? flush()
            throw error
        }
        guard status == .success else { throw status }
    }

    /// The progress and cancellation callbacks for long operations of the engine.
    var control: OperationControl {
        OperationControl(
            progress: { [bar] in bar?.show($0) }, isCancelled: { [signals] in signals.isRaised })
    }

    /// Whether a signal asked the command to end.
    var isInterrupted: @Sendable () -> Bool { { [signals] in signals.isRaised } }

    /// Flushes, then waits for the given time. Throws `.interrupted` after a signal, and
    /// `.outputClosed` if the reader closed the output. A command without lines to write would not
    /// detect that otherwise.
    func wait(milliseconds: Int) throws(DaybookError) {
        try flush()
        signals.wait(milliseconds: milliseconds)
        if signals.isRaised { throw .interrupted }
        guard !StandardStream.output.isClosed else {
            throw DaybookError(.outputClosed, "The reader of the output has closed it.")
        }
    }

    /// Writes one JSON line. Lines are buffered and written together.
    func line(_ write: (inout JSONText) throws(DaybookError) -> Void) throws(DaybookError) {
        try remark(write)
        lineCount += 1
    }

    /// Writes a JSON line that does not count as a result.
    func remark(_ write: (inout JSONText) throws(DaybookError) -> Void) throws(DaybookError) {
        try write(&buffer.text)
        buffer.text.newLine()
        if buffer.isFull || isFollowing { try flush() }
    }

    /// Writes a line of a table unchanged.
    func plain(_ line: String) throws(DaybookError) {
        buffer.text.plain(line)
        lineCount += 1
        if buffer.isFull { try flush() }
    }

    /// Prints a message to standard error after the lines written so far. Does nothing if standard
    /// error is no terminal, or with `--quiet`.
    func say(_ words: String) throws(DaybookError) {
        guard isTalkative else { return }
        try flush()
        bar?.erase()
        let text = ErrorText.printable(words) + "\n"
        try? StandardStream.error.write(Array(text.utf8).span)
    }

    private func flush() throws(DaybookError) {
        if !buffer.isEmpty { bar?.erase() }
        try buffer.flush()
    }

    /// Prints the reason of a failure to standard error, terminal or not.
    static func report(_ message: String) {
        let text = "daybook: \(ErrorText.printable(message))\n"
        try? StandardStream.error.write(Array(text.utf8).span)
    }
}
