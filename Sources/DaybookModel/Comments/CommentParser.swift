#if Macros
/// An annotation in a comment: a name, and optionally a value.
struct CommentAnnotation {
    let name: CommentToken
    let value: CommentValue?

    /// From the first byte of the name to the last byte of the value.
    var range: Range<Int> {
        name.range.lowerBound..<(value?.range.upperBound ?? name.range.upperBound)
    }
}

/// The value after an equals sign, or in an object.
struct CommentValue {
    enum Content {
        /// A text, or a word without quotation marks.
        case text(String)
        case number(String)
        /// In the written order.
        case object([(key: CommentToken, value: CommentValue)])
        case array([CommentValue])
    }

    let content: Content
    let range: Range<Int>
}

/// Parses `name` and `name = value`, separated by commas. Values are texts, numbers, words, and
/// objects and arrays of them.
///
/// Each step consumes a token or ends, and the depth is bounded, so that any input is parsed in
/// bounded time.
struct CommentParser {
    private let statement: CommentStatement
    private var place = 0
    private(set) var annotations: [CommentAnnotation] = []
    private(set) var problems: [(problem: CommentDiagnostic, range: Range<Int>)] = []

    /// The maximum nesting depth; no annotation needs as much.
    private static let depthMax = 16

    init(_ statement: CommentStatement) {
        self.statement = statement
        parse()
    }

    private var token: CommentToken? {
        place < statement.tokens.count ? statement.tokens[place] : nil
    }

    private mutating func parse() {
        if token == nil { report(.empty, at: statement.range) }
        while let name = token {
            guard name.kind == .word else {
                reportUnexpected(name)
                skip()
                continue
            }
            place += 1
            // ObjectBox's parameters of a vector index are a list after a colon.
            if token?.isMark(":") == true, CommentName(name.text) == .hnswIndex {
                place += 1
                parseParameters(of: name)
                return
            }
            // A parameter list after a colon, which has no meaning here.
            if token?.isMark(":") == true, CommentName(name.text)?.advice != nil {
                annotations.append(CommentAnnotation(name: name, value: nil))
                return
            }
            guard parseRest(of: name) else {
                skip()
                continue
            }
            takeComma()
        }
    }

    /// Parses `key=value` pairs to the end of the statement.
    private mutating func parseParameters(of name: CommentToken) {
        var members: [(key: CommentToken, value: CommentValue)] = []
        var end = name.range.upperBound
        while let key = token {
            guard key.kind == .word || key.kind == .text else { return reportUnexpected(key) }
            place += 1
            guard let sign = token, sign.isMark("=") || sign.isMark(":") else {
                if let token { return reportUnexpected(token) }
                return reportEnd()
            }
            place += 1
            guard let value = value(depth: 1) else { return }
            members.append((key, value))
            end = value.range.upperBound
            guard let comma = token else { break }
            guard comma.isMark(",") else { return reportUnexpected(comma) }
            place += 1
        }
        let content = CommentValue(
            content: .object(members), range: name.range.upperBound..<end)
        annotations.append(CommentAnnotation(name: name, value: content))
    }

    /// Parses the value, if there is one. False for an invalid value; the parser is then before it.
    private mutating func parseRest(of name: CommentToken) -> Bool {
        guard token?.isMark("=") == true else {
            annotations.append(CommentAnnotation(name: name, value: nil))
            return true
        }
        place += 1
        let start = place
        guard let value = value(depth: 0) else {
            place = start
            return false
        }
        annotations.append(CommentAnnotation(name: name, value: value))
        return true
    }

    /// Without a comma, a word starts the next annotation.
    private mutating func takeComma() {
        guard let token else { return }
        if token.isMark(",") {
            place += 1
        } else if token.kind == .word {
            report(.commaMissing(before: token.text), at: token.range)
        } else {
            reportUnexpected(token)
            skip()
        }
    }

    /// Skips to the position after the next comma outside brackets.
    private mutating func skip() {
        var depth = 0
        while let token {
            place += 1
            guard token.kind == .mark else { continue }
            switch token.text {
            case "{", "[": depth += 1
            case "}", "]": depth = max(0, depth - 1)
            case "," where depth == 0: return
            default: break
            }
        }
    }

    private mutating func value(depth: Int) -> CommentValue? {
        guard let token, depth < Self.depthMax else {
            if let token { reportUnexpected(token) } else { reportEnd() }
            return nil
        }
        switch token.kind {
        case .text, .word:
            place += 1
            return CommentValue(content: .text(token.text), range: token.range)
        case .number:
            place += 1
            return CommentValue(content: .number(token.text), range: token.range)
        case .mark where token.text == "{": return object(depth: depth)
        case .mark where token.text == "[": return array(depth: depth)
        case .mark, .other, .endlessText:
            reportUnexpected(token)
            return nil
        }
    }

    private mutating func object(depth: Int) -> CommentValue? {
        var members: [(key: CommentToken, value: CommentValue)] = []
        let range = list(until: "}") { parser in
            guard let key = parser.token, key.kind == .text || key.kind == .word else {
                if let token = parser.token { parser.reportUnexpected(token) }
                return false
            }
            parser.place += 1
            guard let sign = parser.token, sign.isMark(":") || sign.isMark("=") else {
                if let token = parser.token { parser.reportUnexpected(token) }
                return false
            }
            parser.place += 1
            guard let value = parser.value(depth: depth + 1) else { return false }
            members.append((key, value))
            return true
        }
        return range.map { CommentValue(content: .object(members), range: $0) }
    }

    private mutating func array(depth: Int) -> CommentValue? {
        var values: [CommentValue] = []
        let range = list(until: "]") { parser in
            guard let value = parser.value(depth: depth + 1) else { return false }
            values.append(value)
            return true
        }
        return range.map { CommentValue(content: .array(values), range: $0) }
    }

    /// Parses elements and commas from the opening to the closing bracket; nil if an element is
    /// invalid or the bracket is not closed.
    private mutating func list(
        until end: String, element: (inout CommentParser) -> Bool
    ) -> Range<Int>? {
        guard let opening = token else { return nil }
        place += 1
        while let token {
            if token.isMark(end) {
                place += 1
                return opening.range.lowerBound..<token.range.upperBound
            }
            let problemCount = problems.count
            guard element(&self) else {
                // It stopped at the end without a word of its own about it.
                if problems.count == problemCount { break }
                return nil
            }
            if self.token?.isMark(",") == true {
                place += 1
            } else if let token = self.token, !token.isMark(end) {
                reportUnexpected(token)
                return nil
            }
        }
        report(.unclosed(opening.text), at: opening.range)
        return nil
    }

    private mutating func reportUnexpected(_ token: CommentToken) {
        let problem: CommentDiagnostic =
            token.kind == .endlessText ? .endlessText : .unexpected(token.text)
        report(problem, at: token.range)
    }

    private mutating func reportEnd() {
        let end = statement.range.upperBound
        report(.valueMissing, at: end..<end)
    }

    private mutating func report(_ problem: CommentDiagnostic, at range: Range<Int>) {
        problems.append((problem, range))
    }
}
#endif
