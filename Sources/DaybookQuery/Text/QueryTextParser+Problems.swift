import DaybookBytes
import DaybookRecords

// Errors.
extension QueryTextParser {
    func problem(_ message: String, at range: Range<Int>? = nil) -> DaybookError {
        source.problem(message, at: range ?? token.range)
    }

    /// The error for an unexpected token. `keywords` are the alternatives to suggest.
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
        } else if followsYear {
            message += " A date has an '@' before it: @2026-01-31."
        }
        return problem(message)
    }

    /// Whether the token is directly after four digits, like the first hyphen of `2026-01-31`.
    private var followsYear: Bool {
        let year = source.scalars[..<token.range.lowerBound].suffix(4)
        return shown(token.range) == "'-'" && year.count == 4
            && year.allSatisfy { ("0"..."9").contains($0) }
    }

    /// A part of the query in quotation marks, truncated for messages.
    func shown(_ range: Range<Int>) -> String {
        let part = source.scalars[range]
        return "'\(QueryTextSource.shown(part.prefix(40)))\(part.count > 40 ? "…" : "")'"
    }

    /// A list of names for messages, truncated if there are many. Inverse relations come last.
    static func list(_ names: some Collection<String>) -> String {
        guard !names.isEmpty else { return "none" }
        let sorted =
            names.filter { !$0.hasPrefix("<") }.map(written).sorted()
            + names.filter { $0.hasPrefix("<") }.sorted()
        let shown = sorted.prefix(20).joined(separator: ", ")
        return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
    }

    /// A name in query syntax: in backquotes if it would have another meaning without them.
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
