import DaybookBytes
import DaybookEngine
import DaybookRecords

/// One run of a command: its output, its progress bar, and the wish of somebody to end it.
final class CommandRun {
    private let signals = ProcessSignals()
    private let bar: ProgressBar?
    private var buffer = LineBuffer()
    private let isTalkative: Bool
    /// How many lines were written.
    private(set) var lineCount = 0
    /// How the process ends if nothing fails. To be set before what it follows from is written:
    /// that nobody reads that changes nothing about it.
    var status = ExitStatus.success
    /// Whether each line leaves the process by itself: somebody waits for the next one.
    var isFollowing = false

    init(label: String, isQuiet: Bool, isColorless: Bool) {
        isTalkative = !isQuiet && StandardStream.error.isTerminal
        let isColored = !isColorless && !ProcessEnvironment.isSet("NO_COLOR")
        bar = isTalkative ? ProgressBar(label: label, isColored: isColored) : nil
    }

    /// Does the work of a command. However it ends, whole lines that were written before leave the
    /// process. Throws what `work` throws, and ``status`` where it is not success.
    func perform(_ work: () throws -> Void) throws {
        defer { bar?.erase() }
        do {
            try work()
            try flush()
        } catch DaybookError.Code.outputClosed {
            // Whoever read the output has had enough of it: `daybook replay DIR | head`.
        } catch {
            // That is the error to tell of, whatever becomes of the output.
            try? flush()
            throw error
        }
        guard status == .success else { throw status }
    }

    /// What the engine's long operations are given.
    var control: OperationControl {
        OperationControl(
            progress: { [bar] in bar?.show($0) }, isCancelled: { [signals] in signals.isRaised })
    }

    /// Whether somebody wants it to end.
    var isInterrupted: @Sendable () -> Bool { { [signals] in signals.isRaised } }

    /// Waits for something to follow. Throws `.interrupted` where somebody wants an end, and
    /// `.outputClosed` where nobody reads on, which a command that has nothing to write would never
    /// hear.
    func wait(milliseconds: Int) throws(DaybookError) {
        try flush()
        signals.wait(milliseconds: milliseconds)
        if signals.isRaised { throw .interrupted }
        guard !StandardStream.output.isClosed else {
            throw DaybookError(.outputClosed, "The reader of the output has closed it.")
        }
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
        if buffer.isFull || isFollowing { try flush() }
    }

    /// Writes a line for people, as it is.
    func plain(_ line: String) throws(DaybookError) {
        buffer.text.plain(line)
        lineCount += 1
        if buffer.isFull { try flush() }
    }

    /// Words for a person, after the lines that they are about; where nobody watches, nothing.
    func say(_ words: String) throws(DaybookError) {
        guard isTalkative else { return }
        try flush()
        bar?.erase()
        try? StandardStream.error.write(Array((words + "\n").utf8).span)
    }

    private func flush() throws(DaybookError) {
        if !buffer.isEmpty { bar?.erase() }
        try buffer.flush()
    }

    /// Says on standard error why the command failed, whoever watches.
    static func report(_ message: String) {
        try? StandardStream.error.write(Array("daybook: \(message)\n".utf8).span)
    }
}
