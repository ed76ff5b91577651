import DaybookBytes

/// A progress bar on the last line of the terminal.
final class ProgressBar {
    private static let cellCount = 30
    /// The minimum time between two redraws.
    private static let redrawInterval = Duration.milliseconds(100)

    private let label: String
    private let isColored: Bool
    /// Returns the number of bytes that the whole operation reads, for the rate; nil if unknown.
    private let workBytes: () -> Int?
    private let clock = ContinuousClock()
    private let begin: ContinuousClock.Instant
    private var nextRedraw: ContinuousClock.Instant
    private var estimate = ProgressEstimate()
    private lazy var workByteCount = workBytes()
    private var isShown = false

    init(label: String, isColored: Bool, workBytes: @escaping () -> Int?) {
        self.label = label
        self.isColored = isColored
        self.workBytes = workBytes
        begin = clock.now
        // Short operations show no bar.
        nextRedraw = begin + Self.redrawInterval
    }

    /// Redraws the bar if the redraw interval has passed. `fraction` is 0 to 1.
    func show(_ fraction: Double) {
        let now = clock.now
        guard now >= nextRedraw else { return }
        nextRedraw = now + Self.redrawInterval
        isShown = true
        let part = Self.part(fraction)
        estimate.add(part, at: (now - begin) / .seconds(1))
        let text = Self.text(
            label, part, details: estimate.text(workBytes: workByteCount),
            columnCount: StandardStream.error.columnCount, isColored: isColored)
        write("\r" + text)
    }

    /// Erases the bar.
    func erase() {
        guard isShown else { return }
        isShown = false
        write("\r\u{1B}[K")
    }

    /// Returns the bar as a string: `replay  ##########--------------------  33 %`, then the
    /// details in a field of constant width, unless the terminal has too few columns for them.
    static func text(
        _ label: String, _ fraction: Double, details: String = "", columnCount: Int? = nil,
        isColored: Bool
    ) -> String {
        let part = part(fraction)
        let filled = Int(part * Double(cellCount))
        let done = String(repeating: "#", count: filled)
        let rest = String(repeating: "-", count: cellCount - filled)
        let percent = String(Int(part * 100))
        let padding = String(repeating: " ", count: 3 - percent.count)
        let bar = isColored ? "\u{1B}[32m\(done)\u{1B}[2;39m\(rest)\u{1B}[0m" : done + rest
        let text = "\(label)  \(bar)  \(padding)\(percent) %"
        let width = label.count + cellCount + 11 + ProgressEstimate.textWidthMax
        // The last column stays empty, because some terminals begin a new line after it.
        guard let columnCount, width < columnCount else { return text }
        let spaces = ProgressEstimate.textWidthMax - details.count
        return text + "  " + details + String(repeating: " ", count: max(0, spaces))
    }

    private static func part(_ fraction: Double) -> Double {
        fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    }

    private func write(_ text: String) {
        try? StandardStream.error.write(Array(text.utf8).span)
    }
}
