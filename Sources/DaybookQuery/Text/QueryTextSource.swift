import DaybookBytes

/// The string of a query. Creates errors that show a part of it.
struct QueryTextSource: Sendable {
    /// Bounds the memory that a query can take.
    static let lengthMaxBytes = 64 << 10
    /// The maximum number of scalars of a long line that an error shows on either side.
    private static let shownCountMax = 60

    let scalars: [Unicode.Scalar]

    /// Throws `.invalidArgument` if the string is too long.
    init(_ text: String) throws(DaybookError) {
        let length = text.utf8.count
        guard length <= Self.lengthMaxBytes else {
            throw DaybookError(
                .invalidArgument,
                "The query has \(length) bytes; the maximum is \(Self.lengthMaxBytes). Shorten it,"
                    + " or use several queries.",
                details: ["bytes": String(length)])
        }
        scalars = Array(text.unicodeScalars)
    }

    /// An error about a part of the query: the message, then the line with a marker under the part.
    func problem(_ message: String, at range: Range<Int>) -> DaybookError {
        let start = min(range.lowerBound, scalars.count)
        let before = scalars[..<start]
        let lineStart = before.lastIndex(of: "\n").map { $0 + 1 } ?? 0
        let lineEnd = scalars[start...].firstIndex(of: "\n") ?? scalars.count
        let line = before.count { $0 == "\n" } + 1
        let column = start - lineStart + 1

        let shownStart = max(lineStart, start - Self.shownCountMax)
        let shownEnd = min(lineEnd, start + Self.shownCountMax)
        let leading = (shownStart > lineStart ? "…" : "") + Self.shown(scalars[shownStart..<start])
        let shown =
            leading + Self.shown(scalars[start..<shownEnd]) + (shownEnd < lineEnd ? "…" : "")
        let markEnd = max(start, min(range.upperBound, shownEnd))
        let markWidth = max(1, DisplayWidth.of(Self.shown(scalars[start..<markEnd])))
        let mark =
            String(repeating: " ", count: DisplayWidth.of(leading))
            + String(repeating: "^", count: markWidth)
        return DaybookError(
            .invalidArgument,
            "\(message) (line \(line), column \(column))\n    \(shown)\n    \(mark)",
            details: ["line": "\(line)", "column": "\(column)", "offset": "\(start)"])
    }

    /// A part of the query, with control and format characters replaced by spaces.
    static func shown(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = ""
        for scalar in scalars {
            let isHidden =
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: true
                default: false
                }
            text.unicodeScalars.append(isHidden ? " " : scalar)
        }
        return text
    }
}

/// The width of strings in a terminal.
package enum DisplayWidth {
    /// The number of columns. Cost: O(n).
    package static func of(_ text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    /// 0 for combining marks and for invisible characters, 2 for wide East Asian characters and
    /// most emoji, 1 for all others.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
