import DaybookBytes
import DaybookRecords

// What is wrong.
extension QueryTextParser {
    func problem(_ message: String, at range: Range<Int>? = nil) -> DaybookError {
        source.problem(message, at: range ?? token.range)
    }

    /// The error where something else should stand. `keywords` are those that may.
    func expected(_ what: String, keywords: [String] = []) -> DaybookError {
        var message = "Expected \(what), but "
        if token.kind == .end {
            message += "the query ends"
        } else {
            message += "found \(shown(token.range))"
        }
        message += "."
        if case .word(let word) = token.kind {
            message += NearName.question(word, among: keywords)
        }
        return problem(message)
    }

    /// A part of the text, quoted, at a length that fits a message.
    func shown(_ range: Range<Int>) -> String {
        let part = source.scalars[range]
        return "'\(QueryTextSource.shown(part.prefix(40)))\(part.count > 40 ? "…" : "")'"
    }

    /// Names for a message, as they are written: all that there are, or some. Those that lead
    /// back stand last.
    static func list(_ names: some Collection<String>) -> String {
        guard !names.isEmpty else { return "none" }
        let sorted =
            names.filter { !$0.hasPrefix("<") }.map(written).sorted()
            + names.filter { $0.hasPrefix("<") }.sorted()
        let shown = sorted.prefix(20).joined(separator: ", ")
        return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
    }

    /// A name as a query has it: in backquotes where it would be something else without.
    static func written(_ name: String) -> String {
        let scalars = name.unicodeScalars
        let isPlain =
            scalars.first?.beginsName == true && scalars.allSatisfy(\.continuesName)
            && !reserved.contains(name.lowercased())
        guard !isPlain else { return name }
        let parts = name.split(separator: "`", omittingEmptySubsequences: false)
        return "`\(parts.joined(separator: "``"))`"
    }
}
