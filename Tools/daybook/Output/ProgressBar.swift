import DaybookBytes

/// A bar that fills up on the terminal's last line.
final class ProgressBar {
    private static let cellCount = 30
    /// Redrawing more often costs time and shows nothing.
    private static let redrawInterval = Duration.milliseconds(100)

    private let label: String
    private let isColored: Bool
    private let clock = ContinuousClock()
    private var nextRedraw: ContinuousClock.Instant
    private var isShown = false

    init(label: String, isColored: Bool) {
        self.label = label
        self.isColored = isColored
        // What is over at once needs no bar.
        nextRedraw = clock.now + Self.redrawInterval
    }

    /// Shows how much is done, 0 to 1, if it is time to.
    func show(_ fraction: Double) {
        let now = clock.now
        guard now >= nextRedraw else { return }
        nextRedraw = now + Self.redrawInterval
        isShown = true
        write("\r" + Self.text(label, fraction, isColored: isColored))
    }

    /// Takes the bar away.
    func erase() {
        guard isShown else { return }
        isShown = false
        write("\r\u{1B}[K")
    }

    /// The bar as text: `replay  ##########--------------------  33 %`.
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
