import DaybookQuery

/// Lays out rows of strings in columns. The first 200 rows determine the column widths. Later rows
/// are returned immediately; a wider cell shifts the rest of its row to the right.
struct TextTable {
    struct Column {
        var title: String
        /// Numbers are aligned to the right.
        var isNumber: Bool
    }

    /// The number of rows that are buffered to determine the column widths.
    private static let sampleCount = 200
    /// The maximum width of a column if the table does not fit into the terminal.
    private static let cutWidth = 32
    private static let gap = "  "

    private let columns: [Column]
    /// The maximum width of a line; nil for no limit.
    private let widthMax: Int?
    private var widths: [Int]?
    private var sample: [[String]] = []
    private(set) var rowCount = 0

    init(_ columns: [Column], widthMax: Int?) {
        self.columns = columns
        self.widthMax = widthMax
    }

    /// Adds a row. Returns the lines that are ready for output.
    mutating func lines(adding cells: [String]) -> [String] {
        rowCount += 1
        let cells = cells.map(Self.shown)
        if let widths { return [line(cells, widths)] }
        sample.append(cells)
        return sample.count < Self.sampleCount ? [] : begin()
    }

    /// Returns the remaining lines after the last row; none if the table has no rows.
    mutating func end() -> [String] { widths == nil && rowCount > 0 ? begin() : [] }

    private mutating func begin() -> [String] {
        let titles = columns.map { Self.shown($0.title) }
        var widths = columns.indices.map { column in
            ([titles] + sample).map { DisplayWidth.of($0[column]) }.max() ?? 0
        }
        let total = widths.reduce(0, +) + Self.gap.utf8.count * max(0, widths.count - 1)
        if let widthMax, total > widthMax { widths = widths.map { min($0, Self.cutWidth) } }
        self.widths = widths
        let rule = widths.map { String(repeating: "-", count: $0) }
        let lines = ([titles, rule] + sample).map { line($0, widths) }
        sample = []
        return lines
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in cells.enumerated() {
            let cell = widthMax == nil ? cell : Self.cut(cell, to: widths[column])
            let padding = String(
                repeating: " ", count: max(0, widths[column] - DisplayWidth.of(cell)))
            let isLast = column == cells.count - 1
            if column > 0 { line += Self.gap }
            line += columns[column].isNumber ? padding + cell : isLast ? cell : cell + padding
        }
        return widthMax.map { Self.cut(line, to: $0) } ?? line
    }

    /// Truncates a string to a display width; an ellipsis replaces the removed part.
    static func cut(_ text: String, to width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        var cut = String.UnicodeScalarView()
        var used = 0
        for scalar in text.unicodeScalars {
            let next = used + DisplayWidth.of(scalar)
            guard next < width else { break }
            cut.append(scalar)
            used = next
        }
        return String(cut) + "…"
    }

    /// Returns a string as one line, with control characters escaped, so that the terminal executes
    /// none of them.
    static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": shown.append(contentsOf: "\\n".unicodeScalars)
            case "\t": shown.append(contentsOf: "\\t".unicodeScalars)
            case "\r": shown.append(contentsOf: "\\r".unicodeScalars)
            default:
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator:
                    shown.append(
                        contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
                default: shown.append(scalar)
                }
            }
        }
        return String(shown)
    }
}
