import Foundation

/// A chart of the ratios of a run, as SVG: a bar for each operation that has a title, on a
/// logarithmic axis, from the line at 1 to the left if a rival is faster, otherwise to the right.
///
/// The colours follow the reader's preference for light or dark. The texts are text, and `title`
/// and `desc` have the content for a screen reader.
struct RatioChart {
    private let bars: [(title: String, ratio: Double)]
    private let rivals: String
    private let objects: Int

    init(_ results: RunResults) {
        bars = results.titledRows.compactMap { title, row in
            row.bestRivalRatio.map { (title, $0) }
        }
        rivals = results.peers.filter { $0 != .daybook && !$0.isProbe }.map(\.title)
            .joined(separator: " or ")
        objects = results.conditions.objects
    }

    private static let english = FloatingPointFormatStyle<Double>.number
        .locale(Locale(identifier: "en_US"))

    private static let width = 760.0
    /// The ends of the axis.
    private static let (axisLeft, axisRight) = (270.0, 710.0)
    private static let (top, rowHeight, barHeight) = (72.0, 26.0, 16.0)
    /// The values that the axis may show.
    private static let ticks = [
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100,
    ]

    private var bottom: Double { Self.top + Self.rowHeight * Double(bars.count) }

    /// The ticks from the last one below all ratios to the first one above.
    private var shownTicks: [Double] {
        let least = min(1, bars.map(\.ratio).min() ?? 1)
        let greatest = max(1, bars.map(\.ratio).max() ?? 1)
        let first = Self.ticks.lastIndex { $0 < least } ?? 0
        let last = Self.ticks.firstIndex { $0 > greatest } ?? Self.ticks.count - 1
        return Array(Self.ticks[first...last])
    }

    /// Returns the place of a ratio on the axis.
    private func x(_ ratio: Double) -> Double {
        let ends = shownTicks
        let share = log(ratio / ends[0]) / log(ends[ends.count - 1] / ends[0])
        let clamped = min(max(share, 0), 1)
        return Self.axisLeft + clamped * (Self.axisRight - Self.axisLeft)
    }

    var svg: String {
        let height = bottom + 34
        let lines =
            [
                "<rect class=\"page\" width=\"\(Self.text(Self.width))\""
                    + " height=\"\(Self.text(height))\"/>"
            ]
            + heading + grid + bars.indices.flatMap(bar) + [line(1, "one")]
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.text(Self.width))" \
            height="\(Self.text(height))" viewBox="0 0 \(Self.text(Self.width)) \
            \(Self.text(height))" role="img" aria-labelledby="title desc">
            <title id="title">Best rival ÷ Daybook, \(objectCount) objects</title>
            <desc id="desc">\(description)</desc>
            \(Self.style)
            \(lines.joined(separator: "\n"))
            </svg>

            """
    }

    private var objectCount: String { Double(objects).formatted(Self.english) }

    private var description: String {
        let list = bars.map { "\($0.title) \(ComparisonTable.ratio($0.ratio))" }
        return Self.escaped(
            "The result of \(rivals), the better one, divided by that of Daybook. Above 1, Daybook"
                + " is better: \(list.joined(separator: "; ")).")
    }

    private var heading: [String] {
        let middle = x(1)
        return [
            "<text class=\"strong\" x=\"16\" y=\"28\">Best rival ÷ Daybook</text>",
            "<text x=\"16\" y=\"48\">\(objectCount) objects</text>",
            "<text class=\"end\" x=\"\(Self.text(middle - 10))\" y=\"48\">← rival better</text>",
            "<text x=\"\(Self.text(middle + 10))\" y=\"48\">Daybook better →</text>",
        ]
    }

    private var grid: [String] {
        shownTicks.flatMap { tick in
            [
                line(tick, "grid"),
                "<text class=\"middle\" x=\"\(Self.text(x(tick)))\""
                    + " y=\"\(Self.text(bottom + 20))\">"
                    + "\(tick.formatted(Self.english))</text>",
            ]
        }
    }

    private func line(_ ratio: Double, _ style: String) -> String {
        let place = Self.text(x(ratio))
        return "<line class=\"\(style)\" x1=\"\(place)\" y1=\"\(Self.text(Self.top - 12))\""
            + " x2=\"\(place)\" y2=\"\(Self.text(bottom + 4))\"/>"
    }

    private func bar(_ index: Int) -> [String] {
        let (title, ratio) = bars[index]
        let isBetter = ratio >= 1
        let (one, end) = (x(1), x(ratio))
        let y = Self.top + Self.rowHeight * Double(index)
        let baseline = Self.text(y + 13)
        return [
            "<text class=\"end\" x=\"\(Self.text(Self.axisLeft - 14))\" y=\"\(baseline)\">"
                + "\(Self.escaped(title))</text>",
            "<rect class=\"\(isBetter ? "better" : "worse")\" x=\"\(Self.text(min(one, end)))\""
                + " y=\"\(Self.text(y))\" width=\"\(Self.text(abs(end - one)))\""
                + " height=\"\(Self.text(Self.barHeight))\"/>",
            // On the other side of the line, where no bar is.
            "<text class=\"\(isBetter ? "strong end" : "strong")\""
                + " x=\"\(Self.text(isBetter ? one - 8 : one + 8))\" y=\"\(baseline)\">"
                + "\(ComparisonTable.ratio(ratio))</text>",
        ]
    }

    private static let style = """
        <style>
        text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1d1d1f; }
        .strong { font-weight: 600; } .end { text-anchor: end; } .middle { text-anchor: middle; }
        .page { fill: #ffffff; } .better { fill: #1b8a6b; } .worse { fill: #c4622d; }
        .grid { stroke: #e0e0e5; } .one { stroke: #1d1d1f; stroke-width: 2; }
        @media (prefers-color-scheme: dark) {
        text { fill: #f5f5f7; } .page { fill: #1c1c1e; } .better { fill: #3fb996; }
        .worse { fill: #e58a55; } .grid { stroke: #3a3a3c; } .one { stroke: #f5f5f7; }
        }
        </style>
        """

    /// Returns a coordinate with one decimal.
    private static func text(_ value: Double) -> String { String(format: "%.1f", value) }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
