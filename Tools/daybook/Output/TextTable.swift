import DaybookQuery

/// Lays out rows of texts in columns. The first rows say how wide those are; all later ones come
/// out at once, and a cell that is wider moves what stands behind it.
struct TextTable {
    struct Column {
        var title: String
        /// Numbers stand at the right, so that their digits stand under each other.
        var isNumber: Bool
    }

    /// How many rows are looked at before the first comes out.
    private static let sampleCount = 200
    /// How wide a column is at most where not all columns have room.
    private static let cutWidth = 32
    private static let gap = "  "

    private let columns: [Column]
    /// How wide lines may be; nil for any width.
    private let widthMax: Int?
    private var widths: [Int]?
    private var sample: [[String]] = []
    private(set) var rowCount = 0

    init(_ columns: [Column], widthMax: Int?) {
        self.columns = columns
        self.widthMax = widthMax
    }

    /// Takes a row; returns the lines that can come out now.
    mutating func lines(adding cells: [String]) -> [String] {
        rowCount += 1
        let cells = cells.map(Self.shown)
        if let widths { return [line(cells, widths)] }
        sample.append(cells)
        return sample.count < Self.sampleCount ? [] : begin()
    }

    /// The lines that are still to come out after the last row; none where there was no row.
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

    /// A text in so many columns; a mark stands for what is cut off.
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

    /// A text on one line, without what a terminal would take for a command.
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
