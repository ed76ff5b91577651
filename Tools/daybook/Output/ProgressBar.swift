import DaybookBytes

/// A progress bar on the last line of the terminal.
final class ProgressBar {
    private static let cellCount = 30
    /// The minimum time between two redraws.
    private static let redrawInterval = Duration.milliseconds(100)

    private let label: String
    private let isColored: Bool
    private let clock = ContinuousClock()
    private var nextRedraw: ContinuousClock.Instant
    private var isShown = false

    init(label: String, isColored: Bool) {
        self.label = label
        self.isColored = isColored
        // Short operations show no bar.
        nextRedraw = clock.now + Self.redrawInterval
    }

    /// Redraws the bar if the redraw interval has passed. `fraction` is 0 to 1.
    func show(_ fraction: Double) {
        let now = clock.now
        guard now >= nextRedraw else { return }
        nextRedraw = now + Self.redrawInterval
        isShown = true
        write("\r" + Self.text(label, fraction, isColored: isColored))
    }

    /// Erases the bar.
    func erase() {
        guard isShown else { return }
        isShown = false
        write("\r\u{1B}[K")
    }

    /// Returns the bar as a string: `replay  ##########--------------------  33 %`.
    static func text(_ label: String, _ fraction: Double, isColored: Bool) -> String {
        let part = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
        let filled = Int(part * Double(cellCount))
        let done = String(repeating: "#", count: filled)
        let rest = String(repeating: "-", count: cellCount - filled)
        let percent = String(Int(part * 100))
        let padding = String(repeating: " ", count: 3 - percent.count)
        let bar = isColored ? "\u{1B}[32m\(done)\u{1B}[2;39m\(rest)\u{1B}[0m" : done + rest
        return "\(label)  \(bar)  \(padding)\(percent) %"
    }

    private func write(_ text: String) {
        try? StandardStream.error.write(Array(text.utf8).span)
    }
}
